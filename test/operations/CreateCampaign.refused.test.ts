/** Campaigns that cannot be made as they were asked for. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays } from '../../src/lib/localTime.ts';
import { aGroup, aList, anAsset, aProfile } from '../helpers/campaigns.ts';
import { patienceMs } from '../helpers/patience.ts';
import { startTestService, type TestService } from '../helpers/service.ts';
import { type CampaignGround, askedCampaigns, campaignGround, question, today } from './askedCampaigns.ts';

let on: TestService;
let ground: CampaignGround;
beforeAll(async () => {
  on = await startTestService();
  ground = await campaignGround(on);
});
afterAll(() => on.stop());

const { ask, created, refused } = askedCampaigns(() => ({ on, ...ground }));

describe('refusals', () => {
  const cases: readonly (readonly [code: string, what: string, wrong: readonly object[]])[] = [
    ['212', 'max_answered', [{ max_answered: 0 }, { max_answered: 'many' }, { max_answered: -1 }]],
    ['213', 'mobile', [{ mobile: 2 }, { mobile: 'yes' }]],
    ['214', 'vel', [{ vel: 0 }, { vel: 101 }, { vel: 'fast' }, { vel: 1.5 }]],
    ['215', 'resends', [{ resends: 4 }, { resends: -1 }, { resends: 'x' }]],
    ['216', 'time_resends', [{ time_resends: 0 }, { time_resends: 241 }]],
    ['217', 'cp_type', [{ cp_type: 1 }, { cp_type: 'simple' }]],
    ['218', 'no_block', [{ no_block: 3 }, { no_block: 'x' }]],
    ['219', 'fdtmf', [{ fdtmf: 'phone|1' }, { fdtmf: 'extra1' }, { fdtmf: 'extra1| ' }]],
    ['220', 'date_start', [{ date_start: '2026-02-30' }, { date_start: '20/11/2026' }]],
    ['221', 'date_end', [{ date_end: 'soon' }, { date_start: '2090-01-02', date_end: '2090-01-01' }]],
    ['222', 'time_start', [{ time_start: '24:00' }, { time_start: '9' }]],
    ['223', 'time_end', [{ time_end: '23:60' }, { time_end: 'late' }]],
    ['224', 'a window upside down', [{ time_start: '18:00', time_end: '09:00' }]],
    ['225', 'dtime, ndigval', [{ dtime: 3 }, { dtime: 16 }, { ndigval: 0 }, { ndigval: 'x' }]],
    ['227', 'limit_name', [{ limit_name: 3 }, { limit_name: -1 }]],
    ['252', 'compw', [{ compw: 'phone' }, { compw: 'extra4' }]],
    ['282', 'cp_id', [{ cp_id: 'x' }, { cp_id: 2_000_000_000 }]],
    ['290', 'nans', [{ nans: 0 }, { nans: 4 }]],
    ['291', 'nans2', [{ nans2: 0 }, { nans2: 4 }]],
    ['299', 'xnum, cp_ativo, request_id', [{ xnum: 2 }, { cp_ativo: 'x' }, { request_id: 'short' }]],
  ];
  test.each(cases)('[CreateCampaign/%s] a wrong %s', async (code, _, wrong) => {
    for (const given of wrong) expect([given, await refused(given)]).toEqual([given, code]);
  });
  // Cited for the table: [CreateCampaign/212] [CreateCampaign/213] [CreateCampaign/214] [CreateCampaign/215] [CreateCampaign/216] [CreateCampaign/217] [CreateCampaign/218] [CreateCampaign/219] [CreateCampaign/220]
  // [CreateCampaign/221] [CreateCampaign/222] [CreateCampaign/223] [CreateCampaign/224] [CreateCampaign/225] [CreateCampaign/227] [CreateCampaign/252] [CreateCampaign/282] [CreateCampaign/290] [CreateCampaign/291] [CreateCampaign/299]

  test('what cp_type 6 cannot do without', async () => {
    expect(await refused({ cp_type: 6, ndigval: 4 })).toBe('252');
    expect(await refused({ cp_type: 6, compw: 'cod_cli' })).toBe('225');
  });

  test('[CreateCampaign/200] [CreateCampaign/250] a profile or group that is not there, not active or another’s', async () => {
    expect(await refused({ relftp: 99 })).toBe('200');
    expect(await refused({ relftp: await aProfile(on, false) })).toBe('200');
    expect(await refused({ group: 99 })).toBe('250');
    expect(await refused({ group: 'north' })).toBe('250');
    expect(await refused({ group: await aGroup(on, 'theirs', ground.stranger) })).toBe('250');
  });

  test('[4.3/cdlc_id] [CreateCampaign/251] a list that is missing, unknown, inactive or another’s', async () => {
    expect(await refused({ cdlc_id: '' })).toBe('251');
    expect(await refused({ cdlc_id: 99 })).toBe('251');
    expect(await refused({ cdlc_id: 'customers' })).toBe('251');
    expect(await refused({ cdlc_id: await aList(on, { active: false }) })).toBe('251');
    expect(await refused({ cdlc_id: await aList(on, { account: ground.stranger }) })).toBe('251');
  });

  test('[CreateCampaign/240] [CreateCampaign/241] [CreateCampaign/242] [CreateCampaign/243] [CreateCampaign/244] audio that is unknown, expired or another’s', async () => {
    const gone = await anAsset(on, { expiresAt: 1 });
    const theirs = await anAsset(on, { account: ground.stranger });
    for (const id of ['tf99', 'nonsense', gone, theirs, 'x'.repeat(200)]) {
      const codes: string[] = [];
      for (const name of ['content', 'amd', 'cont3', 'content8', 'contentno', 'contentfail'])
        codes.push(await refused({ [name]: id }));
      expect([id, codes]).toEqual([id, ['240', '241', '242', '242', '243', '244']]);
    }
    expect(await refused({ content: '' })).toBe('240');
  });

  test('[CreateCampaign/300] [CreateCampaign/301] [CreateCampaign/302] [CreateCampaign/304] [CreateCampaign/305] a follow-up SMS that cannot be', async () => {
    expect(await refused({ ...question, sms_action: 'ok', sms_text: 'x' })).toBe('300');
    expect(await refused({ ...question, sms_text: 'x' })).toBe('300');
    expect(await refused({ sms_text: 'x' })).toBe('301');
    expect(await refused({ sms_action: 'ok' })).toBe('302');
    expect(await refused({ sms_action: 'always', sms_text: 'x' })).toBe('304');
    expect(await refused({ sms_action: 'ok', sms_text: 'x'.repeat(161) })).toBe('305');
  });

  test('[CreateCampaign/230] an active campaign of the same name and first day exists', async () => {
    const name = 'the one';
    await created({ name });
    const active = await created({ name, cp_ativo: 1 });
    expect(await refused({ name, cp_ativo: 1 })).toBe('230');
    expect(await refused({ name })).toBe('230');
    await created({ name, date_start: addDays(today(), 1) });
    expect((await on.post('ChangeCampaign', { cp_id: active, active: 0 })).http).toBe(200);
    await created({ name, cp_ativo: 1 });
  });

  test.each(['completed', 'expired', 'limitReached', 'failed'])(
    '[CreateCampaign/230] one that is %s leaves its name free, though it is switched on',
    async (state) => {
      // It waits for its day, and writes nothing meanwhile. What brings such states about is the matter of `test/machines`.
      const asked = { name: `over, ${state}`, date_start: addDays(today(), 3), cp_ativo: 1 };
      const id = await created(asked);
      const row = async () => (await on.admin('GET', `/accounts/3/campaigns/${id}`)).body;
      await expect.poll(async () => (await row()).phase).toBe('waitingWindow');
      expect(await refused(asked)).toBe('230');
      await on.database.pool.query('UPDATE campaigns SET state = $2 WHERE id = $1', [id, state]);
      await created(asked);
      expect(await refused(asked)).toBe('230');
    },
  );

  test('[CreateCampaign/230] of many at once, one is made', async () => {
    // It waits for its day: one that calls at once may be over before the last request is read.
    const asked = { name: 'raced', date_start: addDays(today(), 3), cp_ativo: 1 };
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(asked)));
    const codes = answers.map(({ body }) => body.return.status_code);
    expect(codes.filter((code) => code === '0')).toHaveLength(1);
    expect(codes.filter((code) => code === '230')).toHaveLength(7);
  });

  test('[CreateCampaign/230] one that ends while the request is read holds its name, since it has called the same people', async () => {
    const asked = { name: 'over meanwhile', date_start: addDays(today(), 3), cp_ativo: 1 };
    const id = await created(asked);
    const blocker = await on.database.pool.connect();
    const isBlocked = async (): Promise<boolean> => {
      const waiting = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'lists'::regclass`;
      return (await on.database.pool.query(waiting)).rowCount! > 0;
    };
    try {
      await blocker.query('BEGIN; LOCK TABLE lists');
      const code = refused(asked);
      await expect.poll(isBlocked, { timeout: patienceMs }).toBe(true);
      const ended = `UPDATE campaigns SET state = 'completed', finished_at = $2 WHERE id = $1`;
      await on.database.pool.query(ended, [id, Date.now()]);
      await blocker.query('COMMIT');
      expect(await code).toBe('230');
    } finally {
      await blocker.query('ROLLBACK');
      blocker.release();
    }
  });
});

describe('bad days', () => {
  const during = async (broken: string, mended: string, use: () => Promise<void>): Promise<void> => {
    await on.database.pool.query(broken);
    try {
      await use();
    } finally {
      await on.database.pool.query(mended);
    }
  };

  test('[CreateCampaign/261] a campaign that the database does not take', async () => {
    const broken = `ALTER TABLE campaigns ADD CONSTRAINT cursed CHECK (name <> 'cursed')`;
    await during(broken, 'ALTER TABLE campaigns DROP CONSTRAINT cursed', async () => {
      expect(await refused({ name: 'cursed' })).toBe('261');
      await created({});
    });
  });

  test('[CreateCampaign/261] one that was to dial leaves its name free', async () => {
    const broken = `ALTER TABLE campaigns ADD CONSTRAINT cursed CHECK (name <> 'cursed')`;
    await during(broken, 'ALTER TABLE campaigns DROP CONSTRAINT cursed', async () => {
      expect(await refused({ name: 'cursed', cp_ativo: 1 })).toBe('261');
    });
    const held = await on.database.pool.query(`SELECT FROM claims WHERE key LIKE 'campaign:name:%'`);
    expect(held.rowCount).toBe(0);
  });

  test('[CreateCampaign/262] no id is left', async () => {
    const set = (next: string) => `UPDATE small_ids SET next = ${next} WHERE name = 'line'`;
    await during(set('2147483647'), set('1000000'), async () => {
      expect(await refused({})).toBe('262');
    });
  });
});
