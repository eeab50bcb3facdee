/**
 * Writes as lines of version 1 have them, in the words of version 2. Such lines are read where a backup of before is restored
 * beside journals of then: what they bring must read as what the migration `field_names` renamed in the database.
 */
import type { HistoryRow, MachineRowState, MachineWrite } from '../contract/rows.ts';

const EVENTS: ReadonlyMap<string, string> = new Map([
  ['born', 'started'],
  ['rested', 'archived'],
  ['takenUp', 'takenOver'],
]);

/** A step of version 1 as version 2 would have written it. */
export const upgradeVersion1JournalWrite = (write: MachineWrite): MachineWrite => ({
  ...write,
  row: rowOfNow(write.row),
  history: write.history.map(entryOfNow),
});

/** A column of a line's table by its name of now. */
export const upgradeVersion1ColumnName = (name: string): string => (name === 'purse' ? 'balance' : name);

const DEFERRED = '{"unborn":';

const rowOfNow = (row: MachineRowState): MachineRowState => {
  const { state, snapshot } = row;
  if (state === 'unborn' && snapshot.startsWith(DEFERRED))
    return { ...row, state: 'pending', snapshot: `{"pending":${snapshot.slice(DEFERRED.length)}` };
  return { ...row, snapshot: withRoutes(snapshot) };
};

const entryOfNow = (entry: HistoryRow): HistoryRow => ({
  ...entry,
  event: EVENTS.get(entry.event) ?? entry.event,
  payload: entry.event === 'born' && entry.payload !== null ? withRoutes(entry.payload) : entry.payload,
});

interface Message {
  ways?: unknown;
}

/** A message's snapshot, or what it began with: its ways are routes, and the one that is tried has an index. */
const withRoutes = (text: string): string => {
  if (!text.includes('"ways":')) return text;
  const { c, ...rest } = JSON.parse(text) as Message & { c?: { way?: unknown; message?: Message } };
  if (c?.message?.ways === undefined) return JSON.stringify({ ...renamed(rest), ...(c && { c }) });
  const { way: routeIndex, message, ...context } = c;
  return JSON.stringify({ ...rest, c: { ...context, routeIndex, message: renamed(message) } });
};

const renamed = ({ ways, ...message }: Message): object =>
  ways === undefined ? message : { ...message, routes: ways };
