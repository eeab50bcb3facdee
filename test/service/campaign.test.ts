import { describe, expect, it } from 'vitest';
import type { CampaignRecord } from '../../packages/client/src/index.ts';
import { numbersEnding, putList } from '../campaigns/lists.ts';
import { demoAccount } from '../helpers/service.ts';
import { dialsOf, recordsOf, type RunningService } from './service.ts';
import { servicesWith } from './services.ts';
import { until } from '../helpers/patience.ts';

/** What each ending must come to. */
const expected: Record<string, string> = {
  '00': 'OK',
  '01': 'BUSY',
  '02': 'NOANSWER',
  '03': 'CONGESTION',
  '04': 'CHANUNAVAIL',
  '06': 'OK',
};
const endings = Object.keys(expected);
const CALLS = Number(process.env['CAMPAIGN_CALLS'] ?? 1_500);
const KILLS = Number(process.env['CAMPAIGN_KILLS'] ?? 4);

const campaignOf = async ({ ramal }: RunningService): Promise<CampaignRecord> =>
  (await ramal.getCampaignsList()).campaigns[0]!;

describe('a campaign on two nodes', () => {
  const services = servicesWith({ SANDBOX_SPEED: '20' });

  it('loses no destination and dials none twice, however often a node is killed', async () => {
    const nodes = [await services.start(), await services.start()];
    await putList(services.database.pool, demoAccount, 5, numbersEnding(CALLS, endings));
    const storm = { name: 'storm', cdlc_id: 5, text: 'Boa tarde.', cp_ativo: 1, limit_name: 0 } as const;
    await nodes[0]!.ramal.createCampaign(storm);

    for (let kill = 1; kill <= KILLS; kill++) {
      const reached = Math.floor((CALLS * kill) / (KILLS + 1));
      const victim = kill % 2;
      await until(async () => (await campaignOf(nodes[1 - victim]!)).cp_made >= reached, 240);
      await nodes[victim]!.kill();
      nodes[victim] = await services.start();
    }
    const campaign = await until(async () => {
      const found = await campaignOf(nodes[0]!);
      return found.cp_state === 'completed' && found;
    }, 300);

    const records = await recordsOf(nodes[0]!);
    const dials = dialsOf(services.dataDir);
    const wrong: string[] = [];
    for (const [id, record] of records) {
      const made = dials.get(id) ?? [];
      if (made.length !== 1) wrong.push(`${id} was dialled as ${made.join(', ')}`);
      if (record.cd_status !== expected[record.dest.slice(-2)])
        wrong.push(`${id} to ${record.dest} is ${record.cd_status}`);
    }
    expect(wrong).toEqual([]);
    expect(records.size).toBe(CALLS);
    expect(new Set([...records.values()].map((record) => record.dest)).size).toBe(CALLS);
    const answered = [...records.values()].filter((record) => record.cd_status === 'OK').length;
    expect(campaign).toMatchObject({ cp_destinations: CALLS, cp_made: CALLS, cp_answered: answered });
  }, 600_000);
});
