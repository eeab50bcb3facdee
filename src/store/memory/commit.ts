/** A batch of writes as the statement takes it, in memory. */
import type { Kind } from '../../engine/contract/kind.ts';
import { BadBatch } from '../../engine/contract/store.ts';
import { isPostgresSafeText as isStorableText } from '../../engine/contract/storableText.ts';
import { accountScopedKey, type MemoryTables, appendHistoryInMemory } from './tables.ts';
import type { MachineWrite } from '../../engine/contract/rows.ts';

type Kinds = ReadonlyMap<string, Kind>;

/**
 * Answers which of them were written; their data is good. `again`: steps that no journal has are passed over, where
 * others follow them; and claims and balances are asked of what is unsure only: what freed or filled them may be in no
 * journal.
 */
export const commitBatchInMemory = (
  tables: MemoryTables,
  kinds: Kinds,
  batch: readonly MachineWrite[],
  at: number,
  again?: { isUnsure: boolean },
): ReadonlySet<number> => {
  // As in one statement: all conditions are judged on what stood before it.
  const lost = new Set<number>();
  if (!again || again.isUnsure) {
    for (const write of batch) if (losesClaim(tables, write, at)) lost.add(write.id);
    for (const id of short(tables, batch)) lost.add(id);
  }
  const written = new Set<number>();
  for (const write of batch)
    if (!write.insert && !lost.has(write.id) && stands(tables, write, again !== undefined))
      written.add(write.id);
  // First those that steps bear, then those that are born of newborns.
  for (const _generation of [1, 2])
    for (const write of batch)
      if (write.insert && !lost.has(write.id) && !tables.machines.has(write.id) && parentIn(write, written))
        written.add(write.id);
  for (const write of batch) if (written.has(write.id)) put(tables, kinds, write);
  return written;
};

const stands = (tables: MemoryTables, write: MachineWrite, again: boolean): boolean => {
  const row = tables.machines.get(write.id);
  if (row?.account !== write.account) return false;
  return row.revision === write.guard || (again && row.revision < write.guard);
};

const losesClaim = (tables: MemoryTables, write: MachineWrite, at: number): boolean =>
  write.claims.some(({ key }) => {
    const claim = tables.claims.get(accountScopedKey(write.account, key));
    return claim !== undefined && claim.until > at && claim.owner !== String(write.id);
  });

/** Births that take more than is left by those before them. */
const short = (tables: MemoryTables, batch: readonly MachineWrite[]): number[] => {
  const left = new Map(tables.balances);
  const bookings = batch.flatMap((write) => write.bookings.map((booking) => ({ write, booking })));
  return bookings
    .filter(({ booking }) => booking.amount < 0)
    .toSorted((one, other) => one.booking.id - other.booking.id)
    .filter(({ booking: { account, balance, amount } }) => {
      const key = accountScopedKey(account, balance);
      left.set(key, (left.get(key) ?? 0) + amount);
      return left.get(key)! < 0;
    })
    .map(({ write }) => write.id);
};

const put = (tables: MemoryTables, kinds: Kinds, write: MachineWrite): void => {
  const { account, id, insert: birth, row } = write;
  const before = tables.machines.get(id);
  if (birth) tables.machines.set(id, { account, id, ...birth, ...row });
  else Object.assign(before!, row);
  for (const entry of write.history) appendHistoryInMemory(tables, id, entry);
  book(tables, write);
  if (write.record) putRecord(tables, kinds, write);
  for (const tell of write.tells) tables.inbox.set(tell.id, { ...tell });
  for (const heard of write.heard) tables.inbox.delete(heard);
  for (const { key, until, answer } of write.claims)
    tables.claims.set(accountScopedKey(account, key), { until, owner: String(id), answer });
  for (const key of write.releases)
    if (tables.claims.get(accountScopedKey(account, key))?.owner === String(id))
      tables.claims.delete(accountScopedKey(account, key));
};

const book = (tables: MemoryTables, write: MachineWrite): void => {
  const { balances, ledger } = tables;
  for (const { id, account, balance, amount, entry, at } of write.bookings) {
    const key = accountScopedKey(account, balance);
    const before = balances.get(key);
    if (before === undefined) continue;
    balances.set(key, before + amount);
    if (entry !== null)
      ledger.push({ account, id, at, entry, amount, payer: write.account, machine: write.id });
  }
};

const putRecord = (tables: MemoryTables, kinds: Kinds, { id, record }: MachineWrite): void => {
  const shape = kinds.get(record!.kind)!.record!;
  const table = tables.records.get(shape.table) ?? new Map<number, Record<string, unknown>>();
  tables.records.set(shape.table, table);
  const born = Object.keys(shape.insertColumns).map((column, index) => [column, record!.inserted?.[index]]);
  const living = Object.keys(shape.updateColumns).map((column, index) => [column, record!.updated[index]]);
  const values = Object.fromEntries(record!.inserted ? [...born, ...living] : living) as Record<
    string,
    unknown
  >;
  table.set(id, { ...table.get(id), ...values });
};

const parentIn = (write: MachineWrite, written: ReadonlySet<number>): boolean =>
  write.parent === null || written.has(write.parent);

/** Throws `BadBatch` for what PostgreSQL would refuse. */
export const refuseUnstorableWrite = (write: MachineWrite): void => {
  if (!textsOf(write).every(isStorable)) throw new BadBatch('text that cannot be stored');
  const odd = numbersOf(write).find((number) => !Number.isSafeInteger(number));
  if (odd !== undefined) throw new BadBatch(`${odd} is no integer below 2^53`);
};

const textsOf = ({ row, history, tells }: MachineWrite): string[] => [
  row.snapshot,
  row.agenda,
  ...history.map(({ payload }) => payload ?? ''),
  ...tells.map(({ event }) => event),
];

const isStorable = (text: string): boolean => isStorableText(text) && !text.includes('\\u0000');

const numbersOf = ({ row, history, claims, bookings }: MachineWrite): number[] => [
  ...[row.revision, row.wakeAt ?? 0, row.heldBy ?? 0, row.stepId, row.endedAt ?? 0],
  ...history.map(({ at }) => at),
  ...claims.map(({ until }) => until),
  ...bookings.map(({ amount }) => amount),
];
