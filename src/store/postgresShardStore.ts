/** The store of one shard in PostgreSQL. Statements name no schema: it comes with the connection. */
import type { Pool } from 'pg';
import type { Kind } from '../engine/contract/kind.ts';
import {
  BadBatch,
  type DatabaseClockReading,
  BatchTookTooLong,
  type NodeRow,
  WriterOutOfTurnError,
  type ShardMachineStore,
  StoreUnavailable,
  type TakenOverMachine,
  type CommitFencingToken,
  WRITER_NUMBERS_RETENTION_MS,
} from '../engine/contract/store.ts';
import { classifyDatabaseError } from './classifyDatabaseError.ts';
import { PreparedStatementRetrier } from './preparing.ts';
import {
  packBigintArrayParameter,
  packIntegerArrayParameter,
  formatArrayLiteral,
} from './sql/packArrayParameters.ts';
import { createCommitStatementBuilder, type CommitStatement } from './sql/commit.ts';
import { keep } from './sql/writeNonMachineRecords.ts';
import { insertInboxEvents } from './sql/insertInboxEvents.ts';
import { sqlJournalRedoStore } from './sql/journalRedo.ts';
import { registerNode } from './sql/registerNode.ts';
import { archiveFinishedMachines } from './sql/rest.ts';
import {
  POSTGRES_STARTED_MS_SQL,
  SHARD_IS_OPEN_SQL,
  shardStateTransitionQueries,
  stopNodeSql,
} from './sql/shardOpenAndTimeline.ts';
import { findTakenOverMachines, takeOverMachines } from './sql/takeOverMachines.ts';
import type { HistoryRow, MachineInboxRow, Key, MachineRow, MachineWrite } from '../engine/contract/rows.ts';

const MACHINE = `account_id AS account, id, kind, version, revision, state, milestones, snapshot::text AS snapshot,
  agenda, wake_at AS "wakeAt", held_by AS "heldBy", step_id AS "stepId", attention, created_at AS "createdAt",
  ended_at AS "endedAt"`;

/** Errors of a moment, after which nothing was written: a conflict, a deadlock, a lock that was not to be had. */
const MOMENT = /^(40001|40P01|55P03)$/;

/** What the server says of a refusal, where it says it. */
interface ServerError extends Error {
  code?: string;
  constraint?: string;
  table?: string;
  routine?: string;
  /** The function of ours, and its line, that raised it. */
  where?: string;
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);

/** The error as the engine is to hear it. One that leaves the outcome open, or was heard already, is thrown on as it is. */
const asHeard = (error: unknown): unknown => {
  if (isHeard(error)) return error;
  const cause = error as ServerError;
  const { message } = cause;
  switch (classifyDatabaseError(error)) {
    case 'refused':
      return error instanceof RangeError
        ? new BadBatch(message, { cause, code: '22003', certain: true })
        : new BadBatch(message, { cause, code: codeOf(error), where: placeOf(cause) });
    case 'tooBig':
      return new BatchTookTooLong(message, { cause });
    case 'unavailable':
    case 'prepareAgain':
      return new StoreUnavailable(message, { cause });
    case 'doubt':
      return error;
  }
};

const isHeard = (error: unknown): boolean =>
  [BadBatch, BatchTookTooLong, WriterOutOfTurnError, StoreUnavailable].some(
    (heard) => error instanceof heard,
  );

/** What refused it. `where` names functions that raise; for other errors it may repeat the data. */
const placeOf = ({ code, constraint, where, table, routine }: ServerError): string =>
  constraint ?? table ?? (code?.startsWith('P0') ? where?.split('\n', 1)[0] : undefined) ?? routine ?? '';

/** What a commit answers. `landed`: machines, where fewer were written than given. */
interface Written {
  n: number;
  turn: boolean;
  position: number;
  landed: number[] | null;
}

/**
 * `writers`: a pool of as many connections as there are lanes, used for commits only.
 * `pool`: for everything else.
 */
export const postgresStore = (writers: Pool, pool: Pool, kinds: readonly Kind[]): ShardMachineStore => {
  const commit = createCommitStatementBuilder(kinds);
  const preparing = new PreparedStatementRetrier();
  const lowPriorityKinds = kinds.filter(({ lowPriority }) => lowPriority).map(({ name }) => name);
  const rows = async <T extends object>(name: string, text: string, values: unknown[]): Promise<T[]> =>
    (await preparing.send({ name, text, values }, (statement) => pool.query<T>(statement))).rows;
  const send = async (
    statement: CommitStatement,
    given: number,
    ticket?: CommitFencingToken,
  ): Promise<number> => {
    try {
      const { rows: found } = await preparing.send(
        statement,
        (prepared) => writers.query<Written>(prepared),
        isOfTheMoment,
      );
      const { n, turn, position, landed } = found[0]!;
      if (turn && ticket) ticket.position = position;
      if (turn && ticket && n < given) ticket.landed = landed ?? [];
      if (turn) return n;
    } catch (error) {
      throw asHeard(error);
    }
    throw new WriterOutOfTurnError('the writer is out of turn, or the shard is not open');
  };
  return {
    // Not `async`: a suspended function would hold the batch in memory until the answer comes.
    commit: (_lane, batch: MachineWrite[], at, ticket) => {
      try {
        return send(commit(batch, at, ticket), batch.length, ticket);
      } catch (error) {
        return Promise.reject(asHeard(error));
      }
    },
    read: (keys: Key[]) =>
      rows<MachineRow>(
        'read',
        `SELECT ${MACHINE} FROM unnest($1::int[], $2::bigint[]) AS t(account_id, id) JOIN machines USING (account_id, id)`,
        [
          packIntegerArrayParameter(keys, ({ account }) => account),
          packBigintArrayParameter(keys, ({ id }) => id),
        ],
      ),
    claims: (keys, at) =>
      rows(
        'claims',
        `SELECT account_id AS account, key, owner, answer FROM unnest($1::int[], $2::text[]) AS t(account_id, key)
         JOIN claims USING (account_id, key) WHERE until + 0 > $3`,
        [
          packIntegerArrayParameter(keys, ({ account }) => account),
          formatArrayLiteral(keys, ({ key }) => key),
          at,
        ],
      ),
    balances: (keys) =>
      rows(
        'balances read back',
        `SELECT account_id AS account, name AS balance, amount FROM unnest($1::int[], $2::text[]) AS t(account_id, name)
         JOIN balances USING (account_id, name)`,
        [
          packIntegerArrayParameter(keys, ({ account }) => account),
          formatArrayLiteral(keys, ({ balance }) => balance),
        ],
      ),
    leave: (left, ticket) => insertInboxEvents(pool, left, ticket),
    keep: async (records, ticket) => {
      try {
        return await keep(pool, records, ticket);
      } catch (error) {
        throw asHeard(error);
      }
    },
    inbox: (heldBy, limit, { except = [], lowPriority = true } = {}) =>
      rows<MachineInboxRow>(
        'inbox',
        // No plain join: planned while there were no machines, it would read all of them, twice a second. What is known
        // already is left out before its machine is looked for.
        `SELECT i.account_id AS account, i.machine_id AS machine, i.id, i.event::text AS event, i.at
         FROM inbox i, LATERAL (SELECT kind = ANY($4::text[]) AS low_priority FROM machines m
           WHERE m.account_id = i.account_id AND m.id = i.machine_id AND m.held_by = $1 LIMIT 1) AS m
         WHERE i.id NOT IN (SELECT unnest($3::bigint[])) AND (NOT m.low_priority OR $5::boolean)
         ORDER BY m.low_priority, i.id LIMIT $2`,
        [
          heldBy,
          limit,
          packBigintArrayParameter(except, (id) => id),
          formatArrayLiteral(lowPriorityKinds, (kind) => kind),
          lowPriority,
        ],
      ),

    now: async () =>
      (
        await rows<{ now: number }>(
          'now',
          `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`,
          [],
        )
      )[0]!.now,
    register: (node) => registerNode(pool, node),
    clockReference: async () => {
      type Found = Pick<DatabaseClockReading, 'now' | 'living'> & NonNullable<DatabaseClockReading['last']>;
      const [found] = await rows<Found & { process: string | null }>(
        'clockReference',
        `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now, process, beats, beat_at AS "beatAt",
         ahead_ms AS "aheadMs", stopped_at IS NOT NULL AS left, (SELECT coalesce(json_agg(json_build_object(
           'incarnation', incarnation, 'beats', beats, 'beatAt', beat_at, 'aheadMs', ahead_ms)), '[]')
           FROM nodes WHERE stopped_at IS NULL) AS living FROM (SELECT) here LEFT JOIN nodes ON true
         ORDER BY stopped_at IS NOT NULL, CASE WHEN stopped_at IS NULL THEN beat_at END DESC, incarnation DESC LIMIT 1`,
        [],
      );
      const { now, living, process, ...last } = found!;
      return { now, living, last: process === null ? null : { process, ...last } };
    },
    beat: async ({ incarnation, at, mintedMs, aheadMs }) => {
      const beaten = await rows(
        'beat',
        `UPDATE nodes SET beats = beats + 1, beat_at = $2, minted_ms = $3, ahead_ms = $4,
           server_since = ${POSTGRES_STARTED_MS_SQL}
         WHERE incarnation = $1 AND stopped_at IS NULL RETURNING 1 AS one`,
        [incarnation, at, mintedMs, aheadMs],
      );
      const nodes = await rows<NodeRow>(
        'nodes',
        `SELECT incarnation, slot, name, process, beats, beat_at AS "beatAt", stopped_at AS "stoppedAt",
           server_since AS "serverSince" FROM nodes`,
        [],
      );
      return { alive: beaten.length === 1, nodes };
    },
    leaveNode: async (incarnation, at) => {
      await rows(
        'leaveNode',
        `UPDATE nodes SET ${stopNodeSql('$2')} WHERE incarnation = $1 AND stopped_at IS NULL`,
        [incarnation, at],
      );
    },
    declareDead: async (incarnation, at, last) => {
      const dead = await rows(
        'declareDead',
        `UPDATE nodes SET lost = lost OR stopped_at IS NULL, ${stopNodeSql('$2')} WHERE incarnation = $1
         AND (stopped_at IS NOT NULL OR $3::bigint IS NULL OR (beats = $3::bigint AND beat_at = $4::bigint)) RETURNING 1 AS one`,
        [incarnation, at, last?.beats ?? null, last?.beatAt ?? null],
      );
      return dead.length === 1;
    },
    forgetNodes: async (before) => {
      await rows(
        'forgetNodes',
        `DELETE FROM nodes n WHERE stopped_at < $1
         AND NOT EXISTS (SELECT 1 FROM machines m WHERE m.held_by = n.incarnation AND m.ended_at IS NULL)`,
        [before],
      );
      // One that slept for long still finds its numbers, and that it was declared dead, not that they are gone.
      await rows(
        'forgetWriters',
        `DELETE FROM writers w WHERE incarnation < $1
         AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.incarnation = w.incarnation)`,
        [(before - WRITER_NUMBERS_RETENTION_MS) * 64],
      );
    },

    lookAhead: (heldBy, until, limit) =>
      rows(
        'lookAhead',
        `SELECT account_id AS account, id, wake_at AS "wakeAt" FROM machines
         WHERE held_by = $1 AND wake_at <= $2 ORDER BY wake_at LIMIT $3`,
        [heldBy, until, limit],
      ),
    takeUp: (request): Promise<TakenOverMachine[]> => takeOverMachines(pool, request),
    findTakenOver: (request) => findTakenOverMachines(pool, request),

    history: (key, afterRevision, limit, event) =>
      rows<HistoryRow>(
        'history',
        `SELECT revision, at, event, payload::text AS payload, state, asked, taken FROM history
         WHERE account_id = $1 AND machine_id = $2 AND revision > $3 AND ($5::text IS NULL OR event = $5)
         ORDER BY revision LIMIT $4`,
        [key.account, key.id, afterRevision, limit, event ?? null],
      ),
    rest: (endedBefore, at, limit) => archiveFinishedMachines(pool, endedBefore, at, limit),
    sweep: async (at, graceMs) => {
      // One that a commit takes or gives back at this moment is passed over: two that wait for each other's rows end in a deadlock.
      await rows(
        'sweepClaims',
        `DELETE FROM claims WHERE (account_id, key) IN
         (SELECT account_id, key FROM claims WHERE until <= $1 FOR UPDATE SKIP LOCKED)`,
        [at - graceMs],
      );
      await rows(
        'sweepInbox',
        `DELETE FROM inbox i WHERE at < $1 AND NOT EXISTS (SELECT 1 FROM machines m
         WHERE m.account_id = i.account_id AND m.id = i.machine_id AND m.ended_at IS NULL)`,
        [at - 6 * graceMs],
      );
    },
    ...shardStateTransitionQueries(pool),
    ...sqlJournalRedoStore(
      pool,
      (batch, at, ticket, isJudged) =>
        send(commit(batch, at, ticket, 'again', isJudged), batch.length, ticket),
      asHeard,
    ),
    lead: async (job, owner, at, until) => {
      const led = await rows(
        'lead',
        `INSERT INTO claims (account_id, key, until, owner) SELECT 0, $1::text, $4::bigint, $2::text WHERE ${SHARD_IS_OPEN_SQL}
         ON CONFLICT (account_id, key) DO UPDATE SET until = excluded.until, owner = excluded.owner
         WHERE claims.until <= $3 OR claims.owner = excluded.owner RETURNING 1 AS one`,
        [`lead:${job}`, owner, at, until],
      );
      return led.length === 1;
    },
  };
};

const isOfTheMoment = (error: unknown): boolean =>
  MOMENT.test(codeOf(error)) || isRacedClaim(error) || isRacedPartition(error);

/** A partition was attached since the statement chose the default one for an entry (`historyPartitions.ts`). */
const isRacedPartition = (error: unknown): boolean =>
  codeOf(error) === '23514' && (error as { table?: unknown }).table === 'history_default';

/** A key was taken since the statement looked (`idempotencyKeyClaims.ts`): the next look finds it, or that it is free again. */
const isRacedClaim = (error: unknown): boolean =>
  codeOf(error) === '23502' && (error as { table?: unknown }).table === 'claims';
