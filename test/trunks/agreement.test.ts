/** Whatever trunks, routes and pools there are: records, explanations and the answer of "why" agree with the rule. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type {
  TrunkCandidates,
  TrunkRoutingTable,
  TrunkChoiceRequest,
} from '../../src/rules/trunks/trunkTypes.ts';
import { chooseTrunksWithPool } from '../../src/rules/trunks/chooseTrunks.ts';
import { readTrunkTable } from '../../src/store/reads/trunks.ts';
import { build, raze, trunkWorlds } from './worlds.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ SANDBOX_SPEED: '500' });
});
afterAll(() => on.stop());

const ruled = (table: TrunkRoutingTable, number: string): TrunkCandidates => {
  const wanted: TrunkChoiceRequest = {
    number,
    account: demoAccount,
    callerId: '',
    forced: [],
    draw: 0,
    at: Date.now(),
  };
  return chooseTrunksWithPool(wanted, table);
};

interface Machine {
  state: string;
  context: { attempts: { route: string; callerId?: string }[] };
}

let dialled = 0;
const agree = async (table: TrunkRoutingTable, area: string): Promise<void> => {
  const dest = `${area}9876${String((dialled += 1)).padStart(3, '0')}00`;
  const { candidates, pool, leftOut } = ruled(table, `55${dest}`);
  const { body } = await on.post('MakeTTSCall', { dest, text: 'Olá', httpdup: 0 });
  const id = body.return.cd_id as string;
  const machine = async (): Promise<Machine> => (await on.admin('GET', `/machines/${id}`)).body;
  const explain = async () => (await on.admin('GET', `/machines/${id}/explain`)).body;
  if (candidates.length > 0) {
    await expect.poll(async () => (await machine()).state).toBe('ended');
    const shown = pool && { callerId: pool.callerIds.find((one) => mayShow(candidates[0]!.callerIds, one))! };
    expect((await machine()).context.attempts).toMatchObject([{ route: candidates[0]!.name, ...shown }]);
    return;
  }
  const against = leftOut.filter(({ reason }) => reason !== 'notRouted');
  for (const { trunk: name, reason } of against)
    await expect.poll(async () => (await explain()).sentences.join(' ')).toContain(`${name}: ${reason}`);
  const happened = async () => (await on.admin('GET', `/why/55${dest}`)).body.happened[0];
  await expect.poll(happened).toMatchObject({ rule: 'route' });
  expect((await machine()).context.attempts).toEqual([]);
  await on.admin('POST', `/machines/${id}/events`, { type: 'cancel' });
};

const mayShow = (shown: readonly string[], callerId: string): boolean =>
  shown.length === 0 || shown.includes(callerId);

test('in thirty worlds that were drawn', async () => {
  for (const world of trunkWorlds(21, 30)) {
    await build(on, world);
    const table = await readTrunkTable(on.database.pool);
    for (const area of ['11', '21', '19']) await agree(table, area);
    await raze(on);
  }
});
