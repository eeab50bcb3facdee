/** What a database that went back lacks: brought from journals, and written again in the order of before. */
import type { Pool } from 'pg';
import { RESERVED_IDS_MS } from '../../engine/contract/idGenerator.ts';
import type { JournalEntry } from '../../engine/contract/journal.ts';
import {
  WriterOutOfTurnError,
  type JournalRedoLine,
  type ShardMachineStore,
  StoreUnavailable,
  type CommitFencingToken,
} from '../../engine/contract/store.ts';
import {
  packBigintArrayParameter,
  packIntegerArrayParameter,
  formatArrayLiteral,
} from './packArrayParameters.ts';
import {
  writerTurnSql,
  writerTurnParameters,
  ASYNCHRONOUS_COMMIT_SQL,
} from './commit/advanceWriterSequenceNumber.ts';
import { keep } from './writeNonMachineRecords.ts';
import { insertInboxEvents } from './insertInboxEvents.ts';
import { findFreeNodeSlot } from './registerNode.ts';
import { POSTGRES_STARTED_MS_SQL } from './shardOpenAndTimeline.ts';
import type { MachineWrite } from '../../engine/contract/rows.ts';

const DAY_MS = 86_400_000;

type Parts = Pick<ShardMachineStore, 'fates' | 'enlist' | 'bring' | 'brought' | 'redo'>;

/** Writes a batch of steps again; `isJudged`: only those that claims and balances allow. */
type CommitAgain = (
  batch: MachineWrite[],
  at: number,
  ticket: CommitFencingToken,
  isJudged: boolean,
) => Promise<number>;

/** `asHeard`: an error of the driver as the engine is to hear it. */
export const sqlJournalRedoStore = (
  pool: Pool,
  commitAgain: CommitAgain,
  asHeard: (error: unknown) => unknown,
): Parts => ({
  fates: async (incarnations) => {
    const { rows } = await pool.query<{ incarnation: number; living: boolean }>({
      name: 'fates',
      text: `SELECT incarnation, bool_or(living) AS living FROM (
        SELECT incarnation, stopped_at IS NULL AS living FROM nodes UNION ALL SELECT incarnation, false FROM writers) known
        WHERE incarnation = ANY($1::bigint[]) GROUP BY incarnation`,
      values: [packBigintArrayParameter(incarnations, (one) => one)],
    });
    return new Map(rows.map(({ incarnation, living }) => [incarnation, living ? 'living' : 'ended']));
  },
  enlist: (owner, at, stoppedAt) => enlist(pool, owner, at, stoppedAt),
  bring: async (lines) => {
    await pool.query({
      name: 'bring',
      text: `INSERT INTO redo (incarnation, lane, number, era, position, text)
        SELECT t.* FROM unnest($1::bigint[], $2::int[], $3::bigint[], $4::bigint[], $5::bigint[], $6::text[])
          AS t(incarnation, lane, number, era, position, text)
        JOIN writers w ON w.incarnation = t.incarnation AND w.lane = t.lane AND w.number < t.number
        ON CONFLICT DO NOTHING`,
      values: [
        packBigintArrayParameter(lines, ({ incarnation }) => incarnation),
        packIntegerArrayParameter(lines, ({ lane }) => lane),
        packBigintArrayParameter(lines, ({ number }) => number),
        packBigintArrayParameter(lines, ({ era }) => era),
        packBigintArrayParameter(lines, ({ position }) => position),
        formatArrayLiteral(lines, ({ text }) => text),
      ],
    });
  },
  brought: async (limit) =>
    (
      await pool.query<JournalRedoLine>({
        name: 'brought',
        text: `SELECT incarnation, lane, number, era, position, text FROM redo
          ORDER BY era, position, incarnation, number LIMIT $1`,
        values: [limit],
      })
    ).rows,
  redo: writeAgainIn(pool, commitAgain, asHeard),
});

/** A writer's lines follow each other: only the first of them has to ask where the writer stands. */
const writeAgainIn = (
  pool: Pool,
  commitAgain: CommitAgain,
  asHeard: (error: unknown) => unknown,
): ShardMachineStore['redo'] => {
  const next = new Map<string, CommitFencingToken>();
  return async (line, entry) => {
    const writer = `${line.incarnation} ${line.lane}`;
    const known = next.get(writer);
    next.delete(writer);
    const ticket = known?.number === line.number - 1 ? known : await ticketOf(pool, line);
    const isWritten =
      ticket !== undefined &&
      (await again(pool, commitAgain, ticket, entry).catch((error: unknown) => {
        throw asHeard(error);
      }));
    if (isWritten) next.set(writer, { ...ticket, number: line.number });
    // Another was faster, which is as good; or the shard stands otherwise.
    else if (ticket && (await ticketOf(pool, line)))
      throw new WriterOutOfTurnError('the shard is not checked any more');
    else await forget(pool, line);
    return isWritten;
  };
};

/** A line that stands is not to be written any more. */
const forget = (pool: Pool, { incarnation, lane, number }: JournalRedoLine): Promise<unknown> =>
  pool.query({
    name: 'redone',
    text: `DELETE FROM redo r USING writers w WHERE (r.incarnation, r.lane, r.number) = ($1, $2, $3)
      AND w.incarnation = r.incarnation AND w.lane = r.lane AND w.number >= r.number AND ${ASYNCHRONOUS_COMMIT_SQL}`,
    values: [incarnation, lane, number],
  });

/** Lines that were brought, and are not written again yet. */
export const countPendingRedoLines = async (pool: Pool): Promise<number> =>
  (await pool.query<{ count: number }>('SELECT count(*)::int AS count FROM redo')).rows[0]!.count;

/** Of the writer before this line; undefined: the line is written. Throws `StoreUnavailable` when lines before it are not. */
const ticketOf = async (pool: Pool, line: JournalRedoLine): Promise<CommitFencingToken | undefined> => {
  const { incarnation, lane, number } = line;
  const { rows } = await pool.query<{ token: string; number: number }>({
    name: 'writer',
    text: `SELECT token, number FROM writers WHERE incarnation = $1 AND lane = $2`,
    values: [incarnation, lane],
  });
  const found = rows[0];
  if (!found || found.number >= number) return undefined;
  if (found.number < number - 1)
    throw new StoreUnavailable(`commit ${number} of node ${incarnation} is not the next one of its writer`);
  return { incarnation, lane, token: found.token, number: found.number, sent: 0 };
};

/** In its writer's turn; false: it is not, and nothing was written. */
const again = async (
  pool: Pool,
  commitAgain: CommitAgain,
  ticket: CommitFencingToken,
  entry: JournalEntry,
): Promise<boolean> => {
  try {
    // Nothing of a batch may have been written: the number moved on all the same.
    if (entry.what === 'commit' && entry.writes.length === 0)
      await insertInboxEvents(pool, [], ticket, 'again');
    else if (entry.what === 'commit')
      await commitAgain([...entry.writes], entry.at, ticket, entry.isUnsure ?? false);
    else if (entry.what === 'leave') await insertInboxEvents(pool, entry.rows, ticket, 'again');
    else if (entry.what === 'records') await keep(pool, entry, ticket, 'again');
    else return await takeAgain(pool, ticket, entry);
    return true;
  } catch (error) {
    if (error instanceof WriterOutOfTurnError) return false;
    throw error;
  }
};

/** Rows are given their holder again, where they do not stand further already; steps that no journal has are passed over. */
const takeAgain = async (
  pool: Pool,
  ticket: CommitFencingToken,
  { at, heldBy, rows }: Extract<JournalEntry, { what: 'takeUp' }>,
): Promise<boolean> => {
  const { rows: found } = await pool.query<{ turn: boolean }>({
    name: 'takeUpAgain',
    text: `WITH ${writerTurnSql(8, 'again')}, taken AS (
        UPDATE machines m SET held_by = $6::bigint, step_id = t.step_id, revision = t.revision
        FROM unnest($1::int[], $2::bigint[], $3::int[], $4::bigint[], $5::bigint[]) AS t(account_id, id, revision, step_id, "from")
        WHERE m.account_id = t.account_id AND m.id = t.id AND m.revision < t.revision AND EXISTS (SELECT 1 FROM turn)
        RETURNING m.account_id, m.id, m.revision, m.state, t."from"),
      noted AS (INSERT INTO history (account_id, machine_id, revision, day, at, event, payload, state)
      SELECT account_id, id, revision, $7::bigint / ${DAY_MS}, $7::bigint, 'takenOver',
        json_build_object('from', "from", 'by', $6::bigint), state FROM taken)
      SELECT EXISTS (SELECT 1 FROM turn) AS turn`,
    values: [
      packIntegerArrayParameter(rows, ({ account }) => account),
      packBigintArrayParameter(rows, ({ id }) => id),
      packIntegerArrayParameter(rows, ({ revision }) => revision),
      packBigintArrayParameter(rows, ({ stepId }) => stepId),
      packBigintArrayParameter(rows, ({ from }) => from),
      heldBy,
      at,
      ...writerTurnParameters(ticket),
    ],
  });
  return found[0]!.turn;
};

/**
 * Makes an incarnation known again. One that lives, and whose slot another has taken meanwhile, is given another one: ids
 * of a slot are of one node.
 */
const enlist = async (
  pool: Pool,
  owner: Parameters<ShardMachineStore['enlist']>[0],
  at: number,
  stoppedAt: number | null,
): Promise<{ slot: number; mintedMs: number }> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('LOCK TABLE nodes IN EXCLUSIVE MODE');
    const { rows: users } = await client.query(
      `SELECT 1 FROM nodes WHERE slot = $1 AND incarnation <> $2 AND stopped_at IS NULL`,
      [owner.slot, owner.incarnation],
    );
    const isTaken = users.length > 0 && stoppedAt === null;
    const place = isTaken ? await findFreeNodeSlot(client, 0) : { slot: owner.slot, mintedMs: at };
    // Its last heartbeats, and what they reserved, are forgotten as well.
    const mintedMs = Math.max(place.mintedMs, at) + RESERVED_IDS_MS;
    await client.query(
      `INSERT INTO nodes (incarnation, slot, name, process, beat_at, started_at, minted_ms, ahead_ms, stopped_at,
         stopped_in_doubt, server_since)
       VALUES ($1, $2, $3, $4, $5, $5, $7, 0, $6, $6::bigint IS NOT NULL, ${POSTGRES_STARTED_MS_SQL}) ON CONFLICT DO NOTHING`,
      [owner.incarnation, place.slot, owner.name, owner.process, at, stoppedAt, mintedMs],
    );
    await client.query(
      `INSERT INTO writers (incarnation, lane, token)
       SELECT $1, lane - 1, token FROM unnest($2::text[]) WITH ORDINALITY AS t(token, lane) ON CONFLICT DO NOTHING`,
      [owner.incarnation, owner.tokens],
    );
    await client.query('COMMIT');
    client.release();
    return place;
  } catch (error) {
    client.release(true);
    throw error;
  }
};
