/** The writer's turn: its number moves on by one, once, and only while the shard is in the right state. */
import type { CommitFencingToken } from '../../../engine/contract/store.ts';
import type { SqlParameter } from '../packArrayParameters.ts';
import { WAL_POSITION_SQL } from '../position.ts';
import { POSTGRES_STARTED_MS_SQL, WAL_TIMELINE_SQL } from '../shardOpenAndTimeline.ts';
import type { Part } from './commitStatementPart.ts';

/**
 * This statement's commit waits for no disk and no standby. For what is written again: the commit that opens the shard
 * waits for all before it.
 */
export const ASYNCHRONOUS_COMMIT_SQL = `set_config('synchronous_commit', 'off', true) = 'off'`;

/** Whether the shard takes new writes, on this server's history, or only those that are written again. */
export type Mode = 'new' | 'again';

const STATE: Record<Mode, string> = {
  new: `s.state = 'open' AND s.timeline = ${WAL_TIMELINE_SQL}`,
  again: `s.state = 'checking' AND ${ASYNCHRONOUS_COMMIT_SQL}`,
};

export const writerTurnParameters = ({
  incarnation,
  lane,
  token,
  number,
  sent,
  serverSince = 0,
}: CommitFencingToken): SqlParameter[] => [
  String(incarnation),
  String(lane),
  token,
  String(number),
  String(sent),
  String(serverSince),
];

const conditions = (first: number, mode: Mode): string => `w.incarnation = $${first}::bigint
  AND w.lane = $${first + 1}::int AND w.token = $${first + 2}::text AND w.number = $${first + 3}::bigint
  AND $${first + 5}::bigint IN (0, ${POSTGRES_STARTED_MS_SQL}) AND ${STATE[mode]}`;

/**
 * The expression, its six parameters counted from this one; `also`: what else must hold. What is written again takes its line
 * out of those that were brought.
 */
export const writerTurnSql = (first: number, mode: Mode, also = ''): string =>
  `turn AS (UPDATE writers w SET number = w.number + 1, sent = $${first + 4}::bigint, position = ${WAL_POSITION_SQL}
  FROM shard_state s WHERE ${conditions(first, mode)} ${also} RETURNING w.incarnation, w.lane, w.number)${
    mode === 'new'
      ? ''
      : `,
redone AS (DELETE FROM redo r USING turn WHERE (r.incarnation, r.lane, r.number) = (turn.incarnation, turn.lane, turn.number))`
  }`;

/** Whether the number could move on, whatever else must hold. */
export const isWriterTurnSql = (first: number, mode: Mode): string =>
  `EXISTS (SELECT 1 FROM writers w, shard_state s WHERE ${conditions(first, mode)})`;

export const turn = (ticket: CommitFencingToken, mode: Mode): Part => ({
  letter: mode === 'new' ? 'n' : 'N',
  values: writerTurnParameters(ticket),
  sql: (first) => writerTurnSql(first, mode),
});
