/** The writer's turn: its number moves on by one, once, and only while the shard is open on this server's history. */
import type { Ticket } from '../../../engine/store.ts';
import { TIMELINE } from '../standing.ts';
import type { Part } from './part.ts';

export const turn = ({ incarnation, lane, token, number }: Ticket): Part => ({
  letter: 'n',
  values: [String(incarnation), String(lane), token, String(number)],
  sql: (
    first,
  ) => `turn AS (UPDATE writers w SET number = w.number + 1 FROM shard_state s WHERE w.incarnation = $${first}::bigint
  AND w.lane = $${first + 1}::int AND w.token = $${first + 2}::text AND w.number = $${first + 3}::bigint
  AND s.state = 'open' AND s.timeline = ${TIMELINE} RETURNING 1)`,
});
