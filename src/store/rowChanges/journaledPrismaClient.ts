/** A Prisma client whose writes of journaled tables are kept in the journal; everything else about it is as always. */
import type { Prisma, PrismaClient } from '../../generated/prisma/client.ts';
import type { Ask } from './columnWriteTimes.ts';
import type { RowChangeSession } from './transactionRowChanges.ts';
import {
  JOURNALED_TABLES,
  type JournaledTableName,
  findJournaledTable,
  type Key,
  PRISMA_MODEL_TABLES,
} from './journaledTables.ts';
import type { RowChangeWriter, RunTransaction } from './journaledTransaction.ts';

type Tx = Prisma.TransactionClient;
type Options = { maxWait?: number; timeout?: number };

/** What all models have that are asked of here. */
interface Delegate {
  findMany(args: { where?: unknown; select: Record<string, true> }): Promise<Key[]>;
}
type Work = (args: Arguments) => Promise<unknown>;
interface Arguments {
  where?: Record<string, unknown>;
  data?: Record<string, unknown> | Record<string, unknown>[];
}

const MAKES = new Set(['create', 'createMany', 'createManyAndReturn']);
const CHANGES = new Set(['update', 'updateMany', 'updateManyAndReturn', 'delete', 'deleteMany']);
/** This file keeps no changes of them, so they are refused. */
const UNKNOWN = new Set(['upsert']);

/** For a connection, and for the whole, milliseconds. */
const PATIENCE = { maxWait: 5_000, timeout: 15_000 };

/** Sessions of the clients of transactions, and writers of the clients outside of one. */
const sessions = new WeakMap<object, RowChangeSession>();
const writers = new WeakMap<object, (work: (db: Tx) => Promise<unknown>) => Promise<unknown>>();

/** Transactions that are begun on it must be functions: a list of promises is refused. */
export const createJournaledPrismaClient = (prisma: PrismaClient, writer: RowChangeWriter): PrismaClient => {
  const inTransaction = <T>(work: (db: Tx) => Promise<T>, options?: Options): Promise<T> =>
    writer.write(transactIn(prisma, options), async (tx, session) =>
      work(journaledTransactionClient(tx, session)),
    );
  const client: PrismaClient = withModels(
    prisma,
    (model, table, method) => async (args: Arguments) =>
      isUnkept(table, method, args)
        ? call(prisma, model, method, args)
        : inTransaction((db) => call(db, model, method, args)),
    {
      $transaction: (work: unknown, options?: Options) => {
        if (typeof work !== 'function') throw new TypeError('a transaction is a function here');
        return inTransaction(work as (db: Tx) => Promise<unknown>, options);
      },
    },
  );
  writers.set(client, inTransaction);
  return client;
};

const transactIn =
  (prisma: PrismaClient, options: Options = {}): RunTransaction<Tx> =>
  (work) =>
    prisma.$transaction((tx) => work(tx, askOf(tx)), { ...PATIENCE, ...options });

const askOf =
  (tx: Tx): Ask =>
  (text, values) =>
    tx.$queryRawUnsafe(text, ...values);

const journaledTransactionClient = (tx: Tx, session: RowChangeSession): Tx => {
  const client = withModels<Tx>(tx, (model, table, method) => async (args: Arguments) => {
    if (!isUnkept(table, method, args))
      await session.touch(table, await keysOf(tx, model, table, method, args));
    return call(tx, model, method, args);
  });
  sessions.set(client, session);
  return client;
};

/** Works on a client or in a transaction whose small ids are kept; on another as it stands. */
export const journalReservedIds = async <T>(
  db: Tx,
  work: (db: Tx) => Promise<T>,
  reserved: (answer: T) => { counter: string; next: number },
): Promise<T> => {
  const inTransaction = writers.get(db);
  if (inTransaction) return (await inTransaction((inner) => journalReservedIds(inner, work, reserved))) as T;
  const answer = await work(db);
  const { counter, next } = reserved(answer);
  sessions.get(db)?.reserved(counter, next);
  return answer;
};

/** The same client with other methods for the writes of journaled tables. */
const withModels = <Client extends Tx>(
  client: Client,
  methodOf: (model: string, table: JournaledTableName, method: string) => Work,
  others: Record<string, unknown> = {},
): Client => {
  const models = new Map(
    Object.entries(PRISMA_MODEL_TABLES).map(([model, table]) => [
      model,
      proxied((client as Record<string, object>)[model]!, (method) => {
        if (UNKNOWN.has(method)) throw new TypeError(`${method} of ${table} would be kept in no journal`);
        return MAKES.has(method) || CHANGES.has(method) ? methodOf(model, table, method) : undefined;
      }),
    ]),
  );
  return proxied(client, (name) => others[name] ?? models.get(name));
};

const proxied = <T extends object>(target: T, instead: (name: string) => unknown): T =>
  new Proxy(target, {
    get: (on, name) => {
      const other = typeof name === 'string' ? instead(name) : undefined;
      if (other !== undefined) return other;
      const value = Reflect.get(on, name) as unknown;
      return typeof value === 'function' ? (value.bind(on) as unknown) : value;
    },
  });

const call = (db: Tx, model: string, method: string, args: Arguments): Promise<unknown> =>
  (db as unknown as Record<string, Record<string, Work>>)[model]![method]!(args);

/** Whether the call writes only columns that no journal keeps, or deletes rows that mean nothing any more. */
const isUnkept = (table: JournaledTableName, method: string, { data }: Arguments): boolean => {
  const { unkept = [], forgets = false } = findJournaledTable(table)!;
  if (method.startsWith('delete')) return forgets;
  return CHANGES.has(method) && Object.keys(data ?? {}).every((column) => unkept.includes(column));
};

const keysOf = async (
  tx: Tx,
  model: string,
  table: JournaledTableName,
  method: string,
  { where, data }: Arguments,
): Promise<Key[]> => {
  const columns = Object.keys(JOURNALED_TABLES[table].key);
  if (MAKES.has(method)) return [data ?? []].flat().map((row) => keyIn(columns, row));
  const delegate = (tx as unknown as Record<string, Delegate>)[model]!;
  const select = Object.fromEntries(columns.map((column) => [column, true] as const));
  return await delegate.findMany({ where: flat(where), select });
};

const keyIn = (columns: readonly string[], row: Record<string, unknown>): Key =>
  Object.fromEntries(columns.map((column) => [column, row[column] as number | string]));

/** `{ account_id_id: { account_id, id } }` names one row, and is understood by questions for one only. */
const flat = (where: Record<string, unknown> = {}): Record<string, unknown> => {
  const { account_id_id: pair, ...rest } = where;
  return pair === undefined ? rest : { ...rest, ...(pair as object) };
};
