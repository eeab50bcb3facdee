/** Every attempt of a call, as SQL: the last one stands in the columns of `calls`, earlier ones in its JSON. */

/** What of an attempt is counted: that it was made, answered, answered and not taken over, or found no way. */
export type CallHappening = 'attempts' | 'answers' | 'drops' | 'failed';

/** Reasons of a call that was answered and was to be passed on, and was not. */
const notTaken = [
  ...['nobody', 'noAgent', 'agentInactive', 'noTrunk', 'noQueue', 'queueInactive'],
  ...['targetClosed', 'targetSpent', 'target'],
] as const;

/** The column of its moment, and what else holds of it. */
const happenings: Readonly<Record<CallHappening, readonly [moment: string, condition: string]>> = {
  attempts: ['dialed_at', 'true'],
  answers: ['answered_at', 'true'],
  drops: [
    'ended_at',
    `answered_at > 0 AND reason IN (${notTaken.map((reason) => `'${reason}'`).join(', ')})`,
  ],
  failed: ['ended_at', `status IN ('CONGESTION', 'CHANUNAVAIL')`],
};

/** A row for each attempt of the calls that `calls` names. */
export const everyAttemptSql = (calls: string): string =>
  `SELECT dialed_at, answered_at, ended_at, status, reason FROM ${calls}
    UNION ALL SELECT (one->>'dialedAt')::bigint, (one->>'answeredAt')::bigint, (one->>'endedAt')::bigint,
      one->>'status', one->>'reason'
    FROM ${calls}, json_array_elements(CASE WHEN attempt > 1 THEN attempts::json ELSE '[]' END) AS one
    WHERE (one->>'attempt')::int < attempt`;

/** A row for each thing that happened in these attempts: its moment `at`, and `what` it was. */
export const happenedSql = (attempts: string): string =>
  Object.entries(happenings)
    .map(
      ([what, [moment, holds]]) =>
        `SELECT ${moment} AS at, '${what}' AS what FROM ${attempts} WHERE ${holds}`,
    )
    .join(' UNION ALL ');
