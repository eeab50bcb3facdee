/** The columns of a batch, as its statement packs them, are its line in the journal. */
import { expect, it } from 'vitest';
import type { ColumnType } from '../../src/engine/contract/kind.ts';
import { machineKinds } from '../../machines/index.ts';
import { parseJournalLine, UnreadableEntry } from '../../src/engine/recovery/journalLines.ts';
import { journalLineText, UNSURE_JOURNAL_LINE_MARK } from '../../src/engine/contract/journal.ts';
import type { CommitFencingToken } from '../../src/engine/contract/store.ts';
import { createCommitStatementBuilder } from '../../src/store/sql/commit.ts';
import type { MachineWrite } from '../../src/engine/contract/rows.ts';

const AT = 1_795_473_000_000;
const ODD = 'á 👩‍🚀 "quoted" {a,b} \\ NULL \u2028\n';

const aTicket = (): CommitFencingToken => ({ incarnation: 5, lane: 0, token: 'token', number: 7, sent: 8 });

const aWrite = (id: number, more: Partial<MachineWrite> = {}): MachineWrite => ({
  ...{ account: 7, id, insert: null, parent: null, guard: 3 },
  row: {
    ...{ revision: 4, state: 'open.heard', milestones: '["one"]', agenda: '[]', wakeAt: null, heldBy: 9 },
    ...{ snapshot: JSON.stringify({ c: { ODD } }), stepId: 2 ** 52, attention: null, endedAt: 1 },
  },
  history: [
    {
      revision: 3,
      at: 1,
      event: 'word',
      payload: JSON.stringify({ ODD }),
      state: 'open',
      asked: 'fetch',
      taken: '3 170',
    },
    { revision: 4, at: 2, event: 'word', payload: null, state: 'open', asked: '', taken: '' },
  ],
  ...{ record: null, tells: [], heard: [], claims: [], releases: [], bookings: [] },
  ...more,
});

/** Some value of a column, and none. */
const VALUES: Partial<Record<ColumnType, unknown[]>> = {
  integer: [0, -1, 2 ** 31 - 1, null],
  bigint: [0, 2 ** 52, null],
  text: ['', ODD, 'NULL', null],
  boolean: [true, false, null],
};

const valuesOf = (shape: Record<string, ColumnType>, turn: number): unknown[] =>
  Object.values(shape).map((type, index) => {
    const values = VALUES[type] ?? [JSON.stringify({ turn }), null];
    return values[(turn + index) % values.length];
  });

/** A birth and a step of every kind, whose records have all sorts of values. */
const ofEveryKind = (): MachineWrite[] =>
  machineKinds.flatMap(({ name, record }, place) =>
    [0, 1, 2, 3].flatMap((turn) => {
      const id = 1_000 * (place + 1) + 2 * turn;
      const living = record && valuesOf(record.updateColumns, turn);
      const born = record && valuesOf(record.insertColumns, turn);
      return [
        aWrite(id, {
          insert: { kind: name, version: 3, createdAt: AT },
          guard: 0,
          record: record ? { kind: name, inserted: born!, updated: living! } : null,
        }),
        aWrite(id + 1, { record: record ? { kind: name, inserted: null, updated: living! } : null }),
      ];
    }),
  );

const withEverything = (): MachineWrite[] => [
  aWrite(1, {
    heard: [8, 9],
    releases: [ODD, 'key'],
    tells: [{ account: 7, machine: 1, id: 77, event: JSON.stringify({ type: 'word', ODD }), at: 6 }],
    claims: [
      { key: ODD, until: 9, answer: ODD },
      { key: 'other', until: 2 ** 52, answer: null },
    ],
    bookings: [
      { id: 5, account: 1, balance: 'balance', amount: -25, entry: 'charge', at: 6 },
      { id: 6, account: 2, balance: 'sms_night_cap', amount: 1, entry: null, at: 0 },
    ],
  }),
  aWrite(2, { insert: { kind: 'call', version: 3, createdAt: 5 }, guard: 0 }),
  aWrite(3, { insert: { kind: 'call', version: 3, createdAt: 5 }, guard: 0, parent: 2 }),
  aWrite(4, { insert: { kind: 'delivery', version: 1, createdAt: 5 }, guard: 0, parent: 1, account: 8 }),
  aWrite(5, { row: { ...aWrite(5).row, attention: ODD, wakeAt: 12, endedAt: null } }),
];

/** Batches of a few steps have no such line: others are added to them. */
const OTHERS = [11, 12, 13].map((id) => aWrite(id));

const lineOf = (batch: readonly MachineWrite[]): string => {
  const ticket = aTicket();
  createCommitStatementBuilder(machineKinds)(batch, AT, ticket);
  return journalLineText(ticket.line!);
};

const byId = (one: MachineWrite, other: MachineWrite): number => one.id - other.id;

it.each([
  ['one step', [aWrite(1)]],
  ['everything that belongs to a step', withEverything()],
  ['records of every kind', ofEveryKind()],
  ['texts so long that the server is given views of the line', [aWrite(1, { releases: [ODD.repeat(999)] })]],
])('a batch (%s) reads from its line as it was given', (_, given) => {
  const batch = [...given, ...OTHERS];
  const line = lineOf(batch);
  expect(line).not.toMatch(/[\n\r]/);
  const entry = parseJournalLine(line);
  expect(entry).toMatchObject({ what: 'commit', at: AT });
  expect(entry.what === 'commit' && entry.writes.toSorted(byId)).toEqual(batch.toSorted(byId));
});

it('says that its answer was lost, where it was', () => {
  const ticket = aTicket();
  createCommitStatementBuilder(machineKinds)(withEverything(), AT, ticket);
  const sure = parseJournalLine(journalLineText(ticket.line!));
  expect(parseJournalLine(journalLineText([UNSURE_JOURNAL_LINE_MARK, ...ticket.line!]))).toEqual({
    ...sure,
    isUnsure: true,
  });
});

it('is made for batches of several steps only', () => {
  const ticket = aTicket();
  createCommitStatementBuilder(machineKinds)([aWrite(1)], AT, ticket);
  expect(ticket.line).toBeUndefined();
});

it('gives the server the same bytes as texts would be', () => {
  const long = { ...aWrite(1).row, snapshot: JSON.stringify(ODD.repeat(400)) };
  const batch = [aWrite(1, { row: long }), ...OTHERS];
  const plain = createCommitStatementBuilder(machineKinds)(batch, AT).values;
  const shared = createCommitStatementBuilder(machineKinds)(batch, AT, aTicket()).values.slice(6, -1);
  expect(shared.some((value, index) => typeof value !== typeof plain[index])).toBe(true);
  expect(shared.map((value) => Buffer.from(value).toString('hex'))).toEqual(
    plain.map((value) => Buffer.from(value).toString('hex')),
  );
});

it('a line of a newer release, or cut short, is refused', () => {
  const line = Buffer.from(lineOf([aWrite(1), ...OTHERS]).slice(1), 'base64');
  const asLine = (bytes: Buffer): string => `c${bytes.toString('base64')}`;
  const newer = Buffer.from(line.toString('latin1').replace('[2,', '[3,'), 'latin1');
  expect(() => parseJournalLine(asLine(newer))).toThrow('a newer release wrote this line');
  for (const length of [0, 1, 10, line.length - 1])
    expect(() => parseJournalLine(asLine(line.subarray(0, length)))).toThrow(UnreadableEntry);
});
