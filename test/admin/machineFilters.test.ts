/** Which machines `GET /machines` lists: several states, without others, by what happened, and what it refuses. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { machineKinds } from '../../machines/index.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { insertStandingMachines } from '../helpers/standingMachines.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const found = async (query: string): Promise<string[]> => {
  const { http, body } = await on.admin('GET', `/machines?${query}`);
  expect([query, http, body.error]).toEqual([query, 200, undefined]);
  return body.machines.map(({ state }: { state: string }) => state).toSorted();
};

test('several states are found at once, without those that are left out', async () => {
  const states = [
    ...['preparing', 'awaitingTurn', 'clearing', 'dialing.placing', 'dialing.ringing', 'checking'],
    ...['answered.speaking', 'answered.talking', 'answered.transferring.queued'],
  ];
  await insertStandingMachines(
    on.database,
    states.map((state, nth) => ({ account: demoAccount, id: 900 + nth, kind: 'call', state })),
  );
  expect(await found('kind=call&state=preparing,awaitingTurn')).toEqual(['awaitingTurn', 'preparing']);
  expect(await found('kind=call&state=preparing&state=clearing,checking')).toEqual([
    ...['checking', 'clearing', 'preparing'],
  ]);
  expect(await found('kind=call&state=dialing,checking&except=dialing.placing')).toEqual([
    ...['checking', 'dialing.ringing'],
  ]);
  expect(await found('state=answered&except=answered.transferring,answered.talking')).toEqual([
    'answered.speaking',
  ]);
  expect(await found('state=dialing.placing')).toEqual(['dialing.placing']);
});

test('every state that a chart has may be asked for', async () => {
  for (const { name, versions } of machineKinds)
    for (const { root } of Object.values(versions))
      for (const state of ['pending', ...Object.keys(root.states)])
        await found(`kind=${name}&state=${state}`);
});

test.each([
  ['attention=zz', 'attention: must be true or false'],
  ['kind=zz', 'kind: must be one of call, campaign, message, template, delivery, line'],
  ['state=zz', 'state: no machine has the state zz'],
  ['kind=call&state=preparing,deadLetter', 'state: no call has the state deadLetter'],
  ['kind=call&except=zz', 'except: no call has the state zz'],
  ['happened=zz', 'happened: must be one of attempts, answers, drops, failed'],
  ['since=zz', 'since: must be a date in ISO 8601 or epoch milliseconds'],
  ['kind=call&kind=message', 'kind: stands twice'],
  ['account=1&account=2', 'account: stands twice'],
  ['q=a&q=b', 'q: stands twice'],
])('what is wrong is refused in a sentence: %s', async (query, error) => {
  expect(await on.admin('GET', `/machines?${query}`)).toMatchObject({ http: 400, body: { error } });
});

test('a name that stands twice is told so on other lists too', async () => {
  const path = `/accounts/${demoAccount}/messages?limit=1&limit=2`;
  expect(await on.admin('GET', path)).toMatchObject({ http: 400, body: { error: 'limit: stands twice' } });
});

test('attention is asked for by true, and its links of before go on', async () => {
  const troubled = { account: demoAccount, id: 990, kind: 'template', state: 'idle', attention: 'broken' };
  await insertStandingMachines(on.database, [troubled]);
  const all = (await found('kind=template')).length;
  for (const asked of ['1', 'true'])
    expect([asked, await found(`kind=template&attention=${asked}`)]).toEqual([asked, ['idle']]);
  for (const asked of ['', '0', 'false'])
    expect([asked, (await found(`kind=template&attention=${asked}`)).length]).toEqual([asked, all]);
});

test('calls are found by what happened to them, earlier attempts included', async () => {
  const call = async (dest: string) =>
    (await on.post('MakeTTSCall', { dest, text: 'Oi', ringtime: 5 })).body.return.cd_id as string;
  const [answered, busy] = [await call('11987650100'), await call('11987650101')];
  await on.ended(answered);
  await on.ended(busy);
  const idsOf = async (query: string) =>
    (await on.admin('GET', `/machines?kind=call&${query}`)).body.machines.map(({ id }: { id: string }) => id);
  const since = Date.now() - 60_000;
  expect(await idsOf(`happened=attempts&since=${since}`)).toEqual([busy, answered]);
  expect(await idsOf(`happened=answers&since=${since}`)).toEqual([answered]);
  expect(await idsOf(`happened=attempts&since=${since - 60_000}&until=${since}`)).toEqual([]);
  const number = Number(busy.split('_')[1]);
  await on.database.pool.query(
    `UPDATE calls SET attempt = 2, attempts = $2, status = 'OK', reason = 'nobody', answered_at = dialed_at
      WHERE id = $1`,
    [
      number,
      JSON.stringify([
        ...[
          {
            attempt: 1,
            dialedAt: since + 1,
            answeredAt: 0,
            endedAt: since + 2,
            status: 'CONGESTION',
            reason: '',
          },
        ],
      ]),
    ],
  );
  expect(await idsOf(`happened=failed&since=${since}&until=${since + 10}`)).toEqual([busy]);
  expect(await idsOf(`happened=drops&since=${since}`)).toEqual([busy]);
  const { hour } = (await on.admin('GET', '/now')).body;
  expect(
    [hour.drops, hour.failed].map((minutes: number[]) => minutes.reduce((sum, one) => sum + one, 0)),
  ).toEqual([...[1, 1]]);
});
