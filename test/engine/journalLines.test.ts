import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  formatJournalLine,
  parseJournalLine,
  UnreadableEntry,
} from '../../src/engine/recovery/journalLines.ts';
import {
  type JournalEntry,
  journalLineText,
  UNSURE_JOURNAL_LINE_MARK,
} from '../../src/engine/contract/journal.ts';
import type { MachineWrite } from '../../src/engine/contract/rows.ts';

const text = 'á 👩‍🚀 "quoted" \\ \u2028';
const aWrite = (id: number, more: Partial<MachineWrite> = {}): MachineWrite => ({
  account: 7,
  id,
  insert: null,
  parent: null,
  guard: 3,
  row: {
    ...{ revision: 4, state: 'open.heard', milestones: '["one"]', agenda: '[]', wakeAt: null, heldBy: 9 },
    ...{ snapshot: JSON.stringify({ v: 'open', c: { text } }), stepId: 2 ** 52, attention: null, endedAt: 1 },
  },
  history: [
    {
      revision: 3,
      at: 1,
      event: 'word',
      payload: JSON.stringify({ text }),
      state: 'open',
      asked: 'fetch',
      taken: '3 170',
    },
    { revision: 4, at: 2, event: 'word', payload: null, state: 'open', asked: '', taken: '' },
  ],
  record: null,
  tells: [],
  heard: [],
  claims: [],
  releases: [],
  bookings: [],
  ...more,
});
const entries: JournalEntry[] = [
  {
    what: 'commit',
    at: 1_795_473_000_000,
    writes: [
      aWrite(1),
      aWrite(2, {
        ...{ insert: { kind: 'call', version: 3, createdAt: 5 }, parent: 1, heard: [8, 9], releases: [text] },
        record: { kind: 'call', inserted: [text, 1, null], updated: ['', 1.5, true, null] },
        tells: [{ account: 7, machine: 1, id: 77, event: JSON.stringify({ type: 'word', text }), at: 6 }],
        claims: [{ key: text, until: 9, answer: text }],
        bookings: [{ id: 5, account: 1, balance: 'balance', amount: -25, entry: 'charge', at: 6 }],
      }),
      aWrite(3, { row: { ...aWrite(3).row, attention: text, wakeAt: 12 } }),
    ],
  },
  { what: 'leave', rows: [{ account: 7, machine: 1, id: 78, event: JSON.stringify({ text }), at: 6 }] },
  {
    what: 'records',
    blocked: [{ account: 7, number: '5511999990000', reason: `${text}\n`, at: 6, replaces: false }],
    unblocked: [{ account: 7, number: '5511999990001' }],
    booked: [
      { id: 2 ** 52, account: 7, amount: -25, sets: true, entry: null, note: `${text}\r\n`, at: 6 },
      {
        ...{ id: 3, account: 8, amount: -25, sets: false, entry: 'callCharge', note: '', at: 6 },
        of: { payer: 7, machine: 2 ** 52 },
      },
    ],
  },
  { what: 'takeUp', at: 4, heldBy: 9, rows: [{ account: 7, id: 1, revision: 5, stepId: 3, from: 8 }] },
];

it.each(entries)('an entry ($what) reads as it was written, and its line has no line break', (entry) => {
  const line = journalLineText(formatJournalLine(entry));
  expect(line).not.toMatch(/[\n\r]/);
  expect(parseJournalLine(line)).toEqual(entry);
});

it.each(entries)(
  'an entry ($what) without an answer says so where a part of it may not be written',
  (entry) => {
    const unsure = entry.what === 'commit' ? { ...entry, isUnsure: true } : entry;
    expect(
      parseJournalLine(journalLineText([UNSURE_JOURNAL_LINE_MARK, ...formatJournalLine(entry)])),
    ).toEqual(unsure);
  },
);

it('a line of a release that could not take numbers off reads as one that takes none off', () => {
  const head = '[1,"records",[[7,"5511999990000","asked",6,false]],[]]';
  expect(parseJournalLine(`${head.length} ${head}`)).toEqual({
    what: 'records',
    blocked: [{ account: 7, number: '5511999990000', reason: 'asked', at: 6, replaces: false }],
    ...{ unblocked: [], booked: [] },
  });
});

it('a line of a release that wrote no transitions down reads as one whose steps took none', () => {
  const [commit] = entries as [JournalEntry & { what: 'commit' }];
  // Of one entry of a history, the seventh field of seven.
  const line = journalLineText(formatJournalLine({ ...commit, writes: [aWrite(1)] }));
  const [, length = '', rest = ''] = /^(\d+) (.*)$/s.exec(line)!;
  const head = rest.slice(0, Number(length)).replace(',"3 170"]', ']').replace(/,""\]/, ']');
  const before = parseJournalLine(`${head.length} ${head}${rest.slice(Number(length))}`);
  const history = aWrite(1).history.map((entry) => ({ ...entry, taken: '' }));
  expect(before).toEqual({ ...commit, writes: [aWrite(1, { history })] });
});

it('a line of nobody, of a newer release, or cut short, is refused', () => {
  const line = journalLineText(formatJournalLine(entries[0]!));
  const newer = `12 [3,"commit"]`;
  for (const bad of ['', 'word', '3 [1]', 'x [1]', line.slice(0, -1), newer])
    expect(() => parseJournalLine(bad)).toThrow(bad === newer ? 'a newer release wrote' : Error);
  expect(() => parseJournalLine(line.slice(0, -1))).toThrow(UnreadableEntry);
});

describe('a line of the first version', () => {
  const lines = JSON.parse(readFileSync(join(import.meta.dirname, 'journalLines.v1.json'), 'utf8')) as Record<
    'byStep' | 'byColumn',
    string
  >;
  const routes = [
    { by: 'sms', submission: { route: 1 } },
    { by: 'sms', submission: { route: 2 } },
  ];

  it.each(['byStep', 'byColumn'] as const)('reads in the words of now (%s)', (how) => {
    const entry = parseJournalLine(lines[how]);
    if (entry.what !== 'commit') throw new Error('it holds no steps');
    const [message, deferred, call, other] = entry.writes.toSorted((one, next) => one.id - next.id);
    expect(JSON.parse(message!.row.snapshot)).toEqual({
      ...{ v: 'submitted', c: { routeIndex: 1, message: { routes, price: 800 } } },
    });
    expect(message!.history[0]!.event).toBe('started');
    expect(JSON.parse(message!.history[0]!.payload!)).toEqual({ routes, price: 800 });
    expect(message!.bookings).toMatchObject([{ account: 7, balance: 'balance', amount: -800 }]);
    expect(deferred!.row).toMatchObject({ state: 'pending', snapshot: '{"pending":{"purpose":"callback"}}' });
    expect(call!.history[0]!.event).toBe('takenOver');
    expect(call!.bookings).toMatchObject([{ account: 8, balance: 'night', amount: 1 }]);
    expect(other!.history[0]).toMatchObject({ event: 'digit', payload: '{"digit":"1"}' });
    expect(JSON.parse(other!.row.snapshot)).toEqual({ v: 'talking', c: { n: 2 } });
  });
});
