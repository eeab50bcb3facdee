/** Calls of campaigns to one number: the whole service, and a carrier that rings until somebody answers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MachineRef } from '../../src/engine/contract/api.ts';
import { aCall } from '../machines/calls.ts';
import { demoAccount as account, startTestService, type TestService } from '../helpers/service.ts';
import { passes } from '../helpers/milestones.ts';
import { eventually } from '../helpers/patience.ts';

/** No machine has this id: what is told to it stays unheard, so turns are granted by the test. */
const CAMPAIGN = 999;
const RINGS_FOR_EVER = '5511987650002';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ SANDBOX_SPEED: '1' });
});
afterAll(() => on.stop());

const start = async (destination: string): Promise<MachineRef> => {
  const input = aCall({
    requestedAt: Date.now(),
    destination,
    prompts: { opening: [{ media: 'none' }], slots: {} },
    campaign: { id: CAMPAIGN, row: 7, region: '11', granted: true },
  });
  const started = await on.service.engine.start({ kind: 'call', shard: 'a', account, input });
  if (started.outcome !== 'started') throw new Error(started.outcome);
  return started.ref;
};
const stateOf = async (ref: MachineRef): Promise<string> => (await on.service.engine.view(ref))!.state;
const reaches = (ref: MachineRef, state: string): Promise<void> =>
  eventually(async () => expect(await stateOf(ref)).toMatch(new RegExp(`^${state}`)));
const explained = async (ref: MachineRef): Promise<{ rule: string; open: boolean }[]> =>
  (await on.admin('GET', `/machines/a_${ref.id}/explain`)).body.reasons;

describe('calls of campaigns to one number', () => {
  it('dial one at a time: the others wait, say why, and have their turn when the first is over', async () => {
    const first = await start(RINGS_FOR_EVER);
    await reaches(first, 'dialing');
    const [second, elsewhere] = [await start(RINGS_FOR_EVER), await start('5511987651102')];
    await reaches(second, 'postponed');
    await reaches(elsewhere, 'dialing');
    expect(await explained(second)).toMatchObject([{ rule: 'busyNumber', open: true }]);

    // An operator need not wait; but the number is still busy.
    await on.service.engine.send(second, { type: 'retryNow' });
    await reaches(second, 'awaitingTurn');
    await on.service.engine.send(second, { type: 'attemptGranted' });
    await reaches(second, 'postponed');

    await on.service.engine.send(first, { type: 'cancel' });
    await passes(on.service.engine, first, 'ended');
    await on.service.engine.send(second, { type: 'retryNow' });
    await reaches(second, 'awaitingTurn');
    await on.service.engine.send(second, { type: 'attemptGranted' });
    await reaches(second, 'dialing');
  });

  it('show their campaign to operators and customers', async () => {
    const ref = await start('5511987650100');
    const { body } = await on.admin('GET', `/machines/a_${ref.id}`);
    expect(body.record).toMatchObject({ campaign_id: CAMPAIGN, campaign_row: 7 });
    const found = await on.post('GetCallStatus', { cp_id: CAMPAIGN, maxreg: 1 });
    expect(found.body.calls).toMatchObject([{ cd_id: `a_${ref.id}`, cp_id: CAMPAIGN }]);
  });
});
