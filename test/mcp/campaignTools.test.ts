/** What the tools make and foretell of lists and campaigns (spec 4.1; docs/decisions/0016). */
import { beforeAll, describe, expect, test } from 'vitest';
import { aList } from '../helpers/campaigns.ts';
import { toolBed } from './bed.ts';

const bed = toolBed();
const { call, outcomeOf } = bed;

describe('what creates a list or a campaign', () => {
  const given = (name: string) => ({ name, destinations: [{ phone: '11987650000', name: 'Ana' }] });
  const countLists = (name: string) => bed.on.database.prisma.list.count({ where: { name } });

  test('answers the same arguments within a minute with the first outcome [4.1/repeats]', async () => {
    const first = await outcomeOf('create_destination_base', given('twice'));
    expect(first).toMatchObject({ success: true, num_dest: '1' });
    const inAnotherOrder = { destinations: [{ name: 'Ana', phone: '11987650000' }], name: 'twice' };
    expect(await outcomeOf('create_destination_base', inAnotherOrder)).toEqual(first);
    expect(await countLists('twice')).toBe(1);
    expect((await outcomeOf('create_destination_base', { ...given('twice'), ctid: 'x' })).cdlc_id).not.toBe(
      first.cdlc_id,
    );
    const [, strangers] = [first, await call('create_destination_base', given('twice'), bed.stranger)];
    expect(strangers.cdlc_id).not.toBe(first.cdlc_id);
  });

  test('makes one of many that come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => outcomeOf('create_destination_base', given('crowd'))),
    );
    expect(new Set(answers.map(({ cdlc_id }) => cdlc_id)).size).toBe(1);
    expect(await countLists('crowd')).toBe(1);
    const cdlc_id = await aList(bed.on);
    const campaign = { name: 'crowd', cdlc_id, text: 'Oi' };
    const made = await Promise.all(Array.from({ length: 3 }, () => outcomeOf('create_campaign', campaign)));
    expect(new Set(made.map(({ cp_id }) => cp_id)).size).toBe(1);
    const clones = await Promise.all(
      Array.from({ length: 3 }, () => outcomeOf('clone_campaign', { cp_id: made[0].cp_id, name: 'clone' })),
    );
    expect(clones).toEqual(
      Array.from({ length: 3 }, () => expect.objectContaining({ success: true, cp_id: clones[0].cp_id })),
    );
    expect(await bed.on.database.prisma.campaign.count({ where: { name: { in: ['crowd', 'clone'] } } })).toBe(
      2,
    );
  });

  test('makes another when the minute is over', async () => {
    const first = await outcomeOf('create_destination_base', given('later'));
    const claims = await bed.on.database.prisma.claim.findMany({ where: { owner: `list ${first.cdlc_id}` } });
    expect(claims.map(({ until }) => Number(until) - Date.now())).toEqual([expect.closeTo(60_000, -4.5)]);
    await bed.on.database.prisma.claim.updateMany({
      where: { owner: `list ${first.cdlc_id}` },
      data: { until: 0n },
    });
    expect((await outcomeOf('create_destination_base', given('later'))).cdlc_id).not.toBe(first.cdlc_id);
  });

  test('tries again what was refused', async () => {
    const bad = { name: 'refused', cdlc_id: 1_999_999, text: 'Oi' };
    for (let time = 0; time < 2; time += 1)
      expect(await outcomeOf('create_campaign', bad)).toMatchObject({
        success: false,
        status_code: 251,
        cp_id: '0',
      });
  });

  test('takes its list along, and never a source under the name of the REST door', async () => {
    const made = await outcomeOf('create_campaign', { ...given('along'), text: 'Olá <NOME>' });
    expect(await outcomeOf('get_campaigns_list', { cp_id: made.cp_id })).toMatchObject({
      campaigns: [{ cp_destinations: 1 }],
    });
    expect(await outcomeOf('create_campaign', { cp_id: made.cp_id })).toMatchObject({
      success: false,
      status_code: 299,
    });
    expect(await outcomeOf('clone_campaign', { cp_id: 1_999_999 })).toMatchObject({
      success: false,
      status_code: 282,
    });
    expect(await call('clone_campaign', { cp_id: made.cp_id }, bed.stranger)).toMatchObject({
      success: false,
      status_code: 282,
    });
  });
});

describe('campaign_forecast', () => {
  let cp_id: string;
  beforeAll(async () => {
    const numbers = Array.from({ length: 40 }, (_, nth) => `55119876500${String(nth).padStart(2, '0')}`);
    ({ cp_id } = await outcomeOf('create_campaign', {
      name: 'ahead',
      cdlc_id: await aList(bed.on, { numbers }),
      text: 'Oi',
    }));
  });

  test('says when it ends, in figures and in sentences', async () => {
    const told = await outcomeOf('campaign_forecast', { cp_id, answer_rate: 1 });
    expect(told).toMatchObject({
      ...{
        success: true,
        cp_id: Number(cp_id),
        ends: 'completed',
        destinations: 40,
        unreached: 0,
        calls: 40,
        answered: 40,
      },
      ...{
        attempts: 40,
        rates_from: 'given',
        answer_rate: 1,
        ends_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:/),
      },
    });
    expect(told.summary[0]).toMatch(/^If it is switched on now, its list is dialled through on \d{4}-/);
    const slow = await outcomeOf('campaign_forecast', { cp_id, answer_rate: 1, calls_per_minute: 1 });
    expect(slow.ends_at > told.ends_at).toBe(true);
  });

  test('says who is not dialled, and why', async () => {
    const close = (closed: string[]) =>
      bed.on.admin('PATCH', '/trunks/1', { closed_prefixes: { open: [], closed } });
    await close(['5511']);
    const told = await outcomeOf('campaign_forecast', { cp_id, answer_rate: 1 });
    await close([]);
    expect(told).toMatchObject({ ends: 'completed', unreached: 40, attempts: 0 });
    expect(told.summary).toContain('40 destinations are not dialled: no trunk carries them.');
  });

  test('says why there is none', async () => {
    expect(await call('campaign_forecast', { cp_id }, bed.stranger)).toMatchObject({
      success: false,
      status_code: 404,
    });
    expect(await outcomeOf('campaign_forecast', { cp_id: 1_999_999 })).toMatchObject({
      success: false,
      status_code: 404,
    });
  });
});
