/** Until when the calls of a campaign wait: told of those only that go on by themselves at that moment. */
import { expect, test } from 'vitest';
import { machineKinds } from '../../../../machines/index.ts';
import { readStatechart } from '../../../../src/console/statechart/statechartData.ts';
import { countCampaignCallsByWaitReason } from '../../../../src/store/reads/why/countWaitingCampaignCalls.ts';
import { withDatabase } from '../../../helpers/database.ts';

const { current, versions } = machineKinds.find(({ name }) => name === 'call')!;
const chart = readStatechart('call', current, versions[current]!);
const timersOf = (state: string): string[] =>
  chart.transitions
    .filter(({ from }) => from === state)
    .flatMap(({ event }) => /^xstate\.after\.(\w+)\./.exec(event)?.[1] ?? []);

/** Before the dial and between two attempts: each has one timer. */
const waiting = chart.states
  .map(({ id }) => id)
  .filter(
    (id) => !id.includes('.') && timersOf(id).length > 0 && !/^(closing|filing|texting|answered)$/.test(id),
  );

test('a timer that only guards against a lost event is no moment at which a call goes on', () =>
  withDatabase(async ({ pool }) => {
    expect(waiting).toEqual(expect.arrayContaining(['preparing', 'awaitingTurn', 'clearing', 'postponed']));
    await pool.query(
      `INSERT INTO machines (account_id, id, kind, version, revision, state, snapshot, held_by, step_id, created_at, wake_at)
        SELECT 3, n, 'call', 1, 1, state, '{}', 1, 1, 0, 1000 + n FROM unnest($1::text[]) WITH ORDINALITY AS of (state, n)`,
      [waiting],
    );
    await pool.query(
      `INSERT INTO calls (account_id, id, requested_at, destination, mode, campaign_id, called_at)
        SELECT 3, n, 1, '5511', 'play', 72, 1 FROM generate_series(1, $1::int) AS n`,
      [waiting.length],
    );
    const counted = await countCampaignCallsByWaitReason(pool, 3, 72);
    expect(Object.fromEntries(counted!.map(({ state, until }) => [state, until]))).toEqual(
      Object.fromEntries(
        waiting.map((state, nth) => [state, timersOf(state)[0]!.endsWith('Guard') ? null : 1001 + nth]),
      ),
    );
  }));
