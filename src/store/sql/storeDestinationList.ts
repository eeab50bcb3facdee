/**
 * A destination list and its records in one transaction: rows stream in by COPY while they are read, and the list
 * appears with the last of them or not at all.
 */
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { ExclusiveKeyClaimRequest } from '../../engine/contract/api.ts';
import type { ListRowBuffer } from '../../rules/lists/listRowsForPostgresCopy.ts';
import { SHARD_IS_OPEN_SQL } from './shardOpenAndTimeline.ts';

export interface NewDestinationList {
  account: number;
  id: number;
  name: string;
  file: string;
  correlation: string;
  /** Epoch milliseconds. */
  at: number;
  /** A list is stored though none of its records was accepted, with those that were refused. */
  keepsAllRefused: boolean;
  /** Keys that must be free when the list is there; asked when its records are written. */
  claims(): Promise<ExclusiveKeyClaimRequest[]>;
}

/** `taken`: another owner holds a claim. `empty`: no record was accepted, and the refused ones are not kept. Of both nothing is kept. */
export type StoreListOutcomeWord = 'stored' | 'taken' | 'empty';

/** How long a list may take to be written, milliseconds. */
const longestMs = 600_000;
/** Rows are handed over when so many bytes of them have been gathered. */
const handedBytes = 128 * 1024;
/** Refused records are written when there are so many bytes of them. */
const rejectedBytes = 1024 * 1024;

/**
 * Writes what `reading` gathers in `rows`, step by step. Throws what `reading` throws, and `ListShardNotOpen`, and keeps
 * nothing then. A
 * connection on which not even a rollback was possible is to be thrown away: `onLost` hears why.
 */
export const storeDestinationList = async (
  client: ClientBase,
  list: NewDestinationList,
  rows: ListRowBuffer,
  reading: AsyncIterator<unknown>,
  onLost: (error: Error) => void = () => {},
): Promise<StoreListOutcomeWord> => {
  try {
    await client.query(`BEGIN; SET LOCAL statement_timeout = ${longestMs};
      SET LOCAL idle_in_transaction_session_timeout = ${longestMs}`);
    const stored = await writeAll(client, list, rows, reading);
    await client.query(stored === 'stored' ? 'COMMIT' : 'ROLLBACK');
    return stored;
  } catch (error) {
    await client.query('ROLLBACK').catch(onLost);
    throw error;
  }
};

const writeAll = async (
  client: ClientBase,
  list: NewDestinationList,
  rows: ListRowBuffer,
  reading: AsyncIterator<unknown>,
): Promise<StoreListOutcomeWord> => {
  for (let ended = false; !ended;) {
    const step = new Steps(rows, reading);
    await copy(client, 'list_records', step.records());
    await copy(client, 'list_rejects', [rows.takeRejects()]);
    ended = step.ended;
  }
  if (rows.accepted === 0 && !(list.keepsAllRefused && rows.rejected > 0)) return 'empty';
  for (const claim of await list.claims()) if (!(await makeClaim(client, list, claim))) return 'taken';
  const { rowCount } = await client.query(
    `INSERT INTO lists (account_id, id, name, file, correlation, records, rejected, bytes, created_at)
    SELECT $1::int, $2::int, $3, $4, $5, $6::int, $7::int, $8::bigint, $9::bigint WHERE ${SHARD_IS_OPEN_SQL}`,
    [list.account, list.id, list.name, list.file, list.correlation, rows.accepted, rows.rejected, rows.bytes, list.at],
  ); // prettier-ignore
  if (rowCount === 0) throw new ListShardNotOpen();
  return 'stored';
};

/** What the database lacks is written again first; its caller asks again (503). */
class ListShardNotOpen extends Error {
  override readonly name = 'ListShardNotOpen';
  /** As the driver names a server that is not the one that was connected to. */
  readonly code = '08001';

  constructor() {
    super('the shard is being checked, and takes no lists until it is open');
  }
}

/** Rows of records until the reading has ended, or so many were refused that these must be written first. */
class Steps {
  readonly #rows: ListRowBuffer;
  readonly #reading: AsyncIterator<unknown>;
  ended = false;

  constructor(rows: ListRowBuffer, reading: AsyncIterator<unknown>) {
    this.#rows = rows;
    this.#reading = reading;
  }

  async *records(): AsyncGenerator<Buffer> {
    while (this.#rows.gathered.rejects < rejectedBytes && !this.ended) {
      this.ended = (await this.#reading.next()).done ?? false;
      if (this.#rows.gathered.records > handedBytes || this.ended) yield this.#rows.takeRecords();
    }
    if (this.#rows.gathered.records > 0) yield this.#rows.takeRecords();
  }
}

const copy = async (
  client: ClientBase,
  table: string,
  rows: Iterable<Buffer> | AsyncIterable<Buffer>,
): Promise<void> => {
  // The pool's patience with ordinary statements does not fit here.
  const writing = Object.assign(copyFrom(`COPY ${table} FROM STDIN`), { query_timeout: longestMs });
  await pipeline(rows, client.query(writing));
};

const makeClaim = async (
  client: ClientBase,
  { account, id, at }: NewDestinationList,
  { key, forMs, answer }: ExclusiveKeyClaimRequest,
): Promise<boolean> => {
  const { rowCount } = await client.query(
    `INSERT INTO claims (account_id, key, until, owner, answer) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (account_id, key) DO UPDATE SET until = EXCLUDED.until, owner = EXCLUDED.owner,
      answer = EXCLUDED.answer WHERE claims.until <= $6`,
    [account, key, at + forMs, `list ${id}`, answer ?? null, at],
  );
  return rowCount === 1;
};
