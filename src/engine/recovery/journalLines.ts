/**
 * Entries as lines of a journal, and back.
 *
 * A line is the length of a head, the head (JSON: numbers, short words, and how long each text is), and the texts one
 * after the other as they are: most of a step is JSON text already, which JSON would escape once more. A store that packs
 * a batch into columns anyway gives these as its line (`recovery/columnarJournalLineFormat.ts`).
 */
import { UnreadableEntry, parseColumnarJournalLine } from './columnarJournalLineFormat.ts';
import { upgradeVersion1JournalWrite } from './upgradeVersion1Writes.ts';
import {
  COLUMNAR_JOURNAL_LINE_MARK,
  type JournalEntry,
  type TakenOverRow,
  UNSURE_JOURNAL_LINE_MARK,
} from '../contract/journal.ts';
import type {
  BlockedNumberRow,
  ManualBalanceChangeRow,
  HistoryRow,
  MachineInboxRow,
  UnblockedNumberRow,
  MachineWrite,
} from '../contract/rows.ts';

/** The first word of a head: what this release writes. */
const VERSION = 2;

export { UnreadableEntry };

/** Lays texts down one after the other; what stands in the head is their length, -1 for null. */
class Texts {
  readonly pieces: string[] = [''];
  lay(text: string | null): number {
    if (text === null) return -1;
    this.pieces.push(text);
    return text.length;
  }
}

/** Takes them up in the same order. */
class Reader {
  readonly #text: string;
  #at: number;
  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }
  take(length: number): string | null {
    if (length < 0) return null;
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#text.length) throw new UnreadableEntry('a line of the journal is too short');
    return this.#text.slice(from, this.#at);
  }
}

/**
 * The line of an entry, in pieces that stand one after the other: joined here, the text of a batch would be copied twice more
 * on its way to the file. No line break is in it.
 */
export const formatJournalLine = (entry: JournalEntry): readonly string[] => {
  const texts = new Texts();
  const head = JSON.stringify([VERSION, entry.what, ...headOf(entry, texts)]);
  texts.pieces[0] = `${head.length} ${head}`;
  return texts.pieces;
};

/** Throws `UnreadableEntry` for a line that no release wrote, or a newer one. */
export const parseJournalLine = (line: string): JournalEntry => {
  if (line.startsWith(UNSURE_JOURNAL_LINE_MARK)) {
    const entry = parseJournalLine(line.slice(UNSURE_JOURNAL_LINE_MARK.length));
    return entry.what === 'commit' ? { ...entry, isUnsure: true } : entry;
  }
  if (line.startsWith(COLUMNAR_JOURNAL_LINE_MARK))
    return {
      what: 'commit',
      ...parseColumnarJournalLine(Buffer.from(line.slice(COLUMNAR_JOURNAL_LINE_MARK.length), 'base64')),
    };
  const space = line.indexOf(' ');
  const start = space + 1;
  const length = Number(line.slice(0, space));
  if (space < 1 || !Number.isSafeInteger(length)) throw new UnreadableEntry('this is no line of a journal');
  try {
    const [version, what, ...fields] = JSON.parse(line.slice(start, start + length)) as [
      number,
      JournalEntry['what'],
    ];
    if (!(version <= VERSION))
      throw new UnreadableEntry(`a newer release wrote this line of the journal (${version})`);
    const entry = entryOf(what, fields, new Reader(line, start + length));
    return version === 1 && entry.what === 'commit'
      ? { ...entry, writes: entry.writes.map(upgradeVersion1JournalWrite) }
      : entry;
  } catch (error) {
    if (error instanceof UnreadableEntry) throw error;
    throw new UnreadableEntry(`a line of the journal cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
};

const headOf = (entry: JournalEntry, texts: Texts): unknown[] => {
  switch (entry.what) {
    case 'commit':
      return [entry.at, entry.writes.map((write) => layWrite(write, texts))];
    case 'leave':
      return [entry.rows.map((row) => layInbox(row, texts))];
    case 'records':
      return [entry.blocked.map(layBlocked), entry.booked.map(layBooked), entry.unblocked.map(layUnblocked)];
    case 'takeUp':
      return [
        entry.at,
        entry.heldBy,
        entry.rows.map(({ account, id, revision, stepId, from }) => [account, id, revision, stepId, from]),
      ];
  }
};

const entryOf = (what: JournalEntry['what'], fields: unknown[], texts: Reader): JournalEntry => {
  switch (what) {
    case 'commit': {
      const [at, writes] = fields as [number, LaidWrite[]];
      return { what, at, writes: writes.map((laid) => takeWrite(laid, texts)) };
    }
    case 'leave':
      return { what, rows: (fields[0] as LaidInbox[]).map((laid) => takeInbox(laid, texts)) };
    case 'records': {
      // Lines of before numbers could be taken off have two fields.
      const [blocked, booked, unblocked = []] = fields as [LaidBlocked[], LaidBooked[], LaidUnblocked[]?];
      return {
        what,
        blocked: blocked.map(takeBlocked),
        unblocked: unblocked.map(takeUnblocked),
        booked: booked.map(takeBooked),
      };
    }
    case 'takeUp': {
      const [at, heldBy, rows] = fields as [number, number, number[][]];
      return { what, at, heldBy, rows: rows.map(takenRow) };
    }
    default:
      throw new UnreadableEntry(`nothing here is known as ${JSON.stringify(what)}`);
  }
};

const takenRow = (row: number[]): TakenOverRow => {
  const [account, id, revision, stepId, from] = row as [number, number, number, number, number];
  return { account, id, revision, stepId, from };
};

type LaidWrite = ReturnType<typeof layWrite>;
type LaidInbox = ReturnType<typeof layInbox>;
type LaidHistory = readonly [
  revision: number,
  at: number,
  event: string,
  payload: number,
  state: string,
  asked: number,
  taken?: string,
];
type LaidBlocked = ReturnType<typeof layBlocked>;
type LaidUnblocked = ReturnType<typeof layUnblocked>;
type LaidBooked = ReturnType<typeof layBooked>;

const layWrite = (write: MachineWrite, texts: Texts) => {
  const { insert: birth, row, record } = write;
  return [
    write.account,
    write.id,
    birth && ([birth.kind, birth.version, birth.createdAt] as const),
    write.parent,
    write.guard,
    [row.revision, row.state, row.wakeAt, row.heldBy, row.stepId, row.attention, row.endedAt],
    [texts.lay(row.milestones), texts.lay(row.snapshot), texts.lay(row.agenda)],
    write.history.map((entry) => layHistory(entry, texts)),
    record && ([record.kind, record.inserted, record.updated] as const),
    write.tells.map((tell) => layInbox(tell, texts)),
    write.heard,
    write.claims.map(({ key, until, answer }) => [key, until, answer] as const),
    write.releases,
    write.bookings.map(
      ({ id, account, balance, amount, entry, at }) => [id, account, balance, amount, entry, at] as const,
    ),
  ] as const;
};

const takeWrite = (laid: LaidWrite, texts: Reader): MachineWrite => {
  const [account, id, birth, parent, guard, row, lengths, history, record, tells, heard, claims, releases] =
    laid;
  const [revision, state, wakeAt, heldBy, stepId, attention, endedAt] = row;
  const [milestones, snapshot, agenda] = lengths.map((length) => texts.take(length)!) as [
    string,
    string,
    string,
  ];
  return {
    ...{ account, id, parent, guard, heard, releases },
    insert: birth && { kind: birth[0], version: birth[1], createdAt: birth[2] },
    row: { revision, state, milestones, snapshot, agenda, wakeAt, heldBy, stepId, attention, endedAt },
    history: history.map((entry) => takeHistory(entry, texts)),
    record: record && { kind: record[0], inserted: record[1], updated: record[2] },
    tells: tells.map((tell) => takeInbox(tell, texts)),
    claims: claims.map(([key, until, answer]) => ({ key, until, answer })),
    bookings: laid[13].map(([booking, owner, balance, amount, entry, at]) => ({
      ...{ id: booking, account: owner, balance, amount, entry, at },
    })),
  };
};

/** What is laid down as a text cannot be passed over by a release that does not know it: what was added later is in the head. */
const layHistory = (
  { revision, at, event, payload, state, asked, taken }: HistoryRow,
  texts: Texts,
): LaidHistory => [revision, at, event, texts.lay(payload), state, texts.lay(asked), taken];

const takeHistory = (laid: LaidHistory, texts: Reader): HistoryRow => {
  // Lines of before transitions were written down have none.
  const [revision, at, event, payloadLength, state, askedLength, taken = ''] = laid;
  return {
    ...{ revision, at, event, state, taken },
    payload: texts.take(payloadLength),
    // What asked nothing may be absent.
    asked: texts.take(askedLength)!,
  };
};

const layInbox = ({ account, machine, id, event, at }: MachineInboxRow, texts: Texts) =>
  [account, machine, id, texts.lay(event), at] as const;

const takeInbox = ([account, machine, id, length, at]: LaidInbox, texts: Reader): MachineInboxRow => ({
  ...{ account, machine, id, at },
  event: texts.take(length)!,
});

const layBlocked = ({ account, number, reason, at, replaces }: BlockedNumberRow) =>
  [account, number, reason, at, replaces] as const;

const takeBlocked = ([account, number, reason, at, replaces]: LaidBlocked): BlockedNumberRow => ({
  ...{ account, number, reason, at, replaces },
});

const layUnblocked = ({ account, number }: UnblockedNumberRow) => [account, number] as const;

const takeUnblocked = ([account, number]: LaidUnblocked): UnblockedNumberRow => ({ account, number });

const layBooked = ({ id, account, amount, sets, entry, note, at, of }: ManualBalanceChangeRow) =>
  [id, account, amount, sets, entry, note, at, of?.payer, of?.machine] as const;

/** Lines of before calls were paid for have no payer and no machine. */
const takeBooked = ([
  id,
  account,
  amount,
  sets,
  entry,
  note,
  at,
  payer,
  machine,
]: LaidBooked): ManualBalanceChangeRow => ({
  ...{ id, account, amount, sets, entry, note, at },
  ...(typeof payer === 'number' && typeof machine === 'number' && { of: { payer, machine } }),
});
