import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CampaignInput } from '../../machines/campaign/input.ts';
import { addDays, toLocal } from '../../src/rules/localTime.ts';
import { aGroup, aList, anAsset, anId, aProfile, campaignInput, played } from '../helpers/campaigns.ts';
import { demoAccount, type RestAnswer, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
let list: number;
let content: string;
let stranger: number;
beforeAll(async () => {
  on = await startTestService();
  stranger = (await on.admin('POST', '/accounts', { name: 'Stranger' })).body.cdcs_id;
  list = await aList(on, { name: 'customers' });
  content = await anAsset(on);
});
afterAll(() => on.stop());

const today = (): string => toLocal(Date.now(), 'America/Sao_Paulo').date;

/** A request that is unlike any other; it is complete but for what is asked. */
const ask = (given: object): Promise<RestAnswer> =>
  on.post('CreateCampaign', { name: `campaign ${anId()}`, cdlc_id: list, content, ...given });

/** The id of the campaign that is made. */
const created = async (given: object): Promise<string> => {
  const { body } = await ask(given);
  expect(body.return).toMatchObject({ status: 'OK', status_code: '0' });
  return body.return.cp_id;
};

/** What a campaign asked for like this is born with. */
const born = async (given: object): Promise<CampaignInput> => campaignInput(on, await created(given));

/** The code that such a request is refused with. */
const refused = async (given: object): Promise<string> => {
  const { http, body } = await ask(given);
  expect([http, body.return.cp_id]).toEqual([400, '0']);
  return body.return.status_code;
};

const warned = async (given: object): Promise<string> => (await ask(given)).body.return.warning;

const question = { cp_type: 4 };
const validation = { cp_type: 6, compw: 'cod_cli', ndigval: 4 };

describe('what a campaign is born with', () => {
  test('[4.3/success] the smallest request is a campaign with every default', async () => {
    const { http, body } = await on.post('CreateCampaign', { cdlc_id: list, content });
    expect(http).toBe(200);
    expect(body).toEqual({
      return: { status: 'OK', status_code: '0', cp_id: expect.stringMatching(/^\d+$/) },
    });
    expect(await campaignInput(on, body.return.cp_id)).toEqual({
      name: 'customers',
      description: '',
      correlation: '',
      group: null,
      list,
      active: false,
      hours: { dateStart: today(), dateEnd: today(), timeStart: '00:00:00', timeEnd: '23:59:59' },
      pace: { callsPerMinute: null, maxTransfers: null },
      maxAnswered: null,
      selection: { mobile: true, skipBlocklist: false, recordsPerName: 1, severalNumbers: false },
      call: {
        mode: 'play',
        callerId: '',
        prompts: { opening: [played(content)], slots: {} },
        keys: {},
        digits: { count: 1, waitSeconds: 7 },
        waitInLine: false,
        lineSeconds: 300,
        ringSeconds: 45,
        limitSeconds: 3600,
        answerSeconds: 0,
        music: 'music',
        schedule: { tries: 1, intervalMs: 1_800_000 },
        priority: 0,
        policy: { skipBlocklist: false, audioKey: expect.any(String), waitForWindow: false },
        customerCampaign: '',
        correlation: '',
        origin: 'api',
        fixedRoutes: [],
      },
      resultsProfile: null,
      audio: [content],
    });
  });

  test('[4.3/name] [4.3/detail] [4.3/cp_ctid] it is named, described, and known by the customer’s own id', async () => {
    expect(await born({ name: ' Páscoa ', detail: 'eggs', cp_ctid: 'spring-7' })).toMatchObject({
      name: 'Páscoa',
      description: 'eggs',
      correlation: 'spring-7',
      call: { customerCampaign: 'spring-7' },
    });
    expect(await refused({ name: 'x'.repeat(201) })).toBe('299');
  });

  test('[4.3/date_start] [4.3/date_end] the last day is the first unless told', async () => {
    const tomorrow = addDays(today(), 1);
    const later = addDays(today(), 9);
    expect((await born({ date_start: tomorrow })).hours).toMatchObject({
      dateStart: tomorrow,
      dateEnd: tomorrow,
    });
    expect((await born({ date_start: tomorrow, date_end: later })).hours).toMatchObject({ dateEnd: later });
    expect(await warned({ date_start: '2020-01-01' })).toContain('2020-01-01 is over');
  });

  test('[4.3/time_start] [4.3/time_end] the daily window; HH:MM is taken too', async () => {
    const { hours } = await born({ time_start: '09:30', time_end: '18:00:59' });
    expect(hours).toMatchObject({ timeStart: '09:30:00', timeEnd: '18:00:59' });
  });

  test('[4.3/vel] calls a minute, or max', async () => {
    expect((await born({ vel: '60' })).pace.callsPerMinute).toBe(60);
    expect((await born({ vel: 1 })).pace.callsPerMinute).toBe(1);
    expect((await born({ vel: 'MAX' })).pace.callsPerMinute).toBeNull();
  });

  test('[4.3/resends] [4.3/time_resends] attempts are resends and one', async () => {
    const { call } = await born({ resends: 3, time_resends: '5' });
    expect(call.schedule).toEqual({ tries: 4, intervalMs: 300_000 });
  });

  test('[4.3/mobile] [4.3/no_block] [4.3/limit_name] [4.3/xnum] [4.3/fdtmf] which records are dialled', async () => {
    const { selection, call } = await born({
      mobile: 0,
      no_block: 1,
      limit_name: 2,
      xnum: 1,
      fdtmf: 'NOME| Ana|Maria ',
    });
    expect(selection).toEqual({
      mobile: false,
      skipBlocklist: true,
      recordsPerName: 2,
      severalNumbers: true,
      filter: { column: 'name', value: 'Ana|Maria' },
    });
    expect(call.policy.skipBlocklist).toBe(true);
  });

  test('[4.3/max_answered] [4.3/group] [4.3/relftp] a limit, a group, a profile for the results', async () => {
    const group = await aGroup(on, 'north');
    const profile = await aProfile(on);
    expect(await born({ max_answered: 50, group, relftp: profile })).toMatchObject({
      maxAnswered: 50,
      group,
      resultsProfile: profile,
    });
  });

  test('[4.3/queue_id] transfers go to a queue of the account', async () => {
    const queue = (await on.admin('POST', `/accounts/${demoAccount}/queues`, { name: 'sales' })).body
      .queue_id;
    expect((await born({ queue_id: queue })).call).toMatchObject({
      transfer: { kind: 'queue', queue },
      waitInLine: true,
    });
    await on.admin('PATCH', `/accounts/${demoAccount}/queues/${queue}`, { active: false });
    expect(await refused({ queue_id: queue })).toBe('299');
    expect(await refused({ queue_id: 123_456 })).toBe('299');
  });

  test('[4.3/rurl] [CreateCampaign/226] a callback address is kept; a wrong one is refused', async () => {
    const rurl = 'https://example.com/hook';
    expect((await born({ rurl })).call.callback).toEqual({ url: rurl, events: [] });
    expect((await born({})).call).not.toHaveProperty('callback');
    for (const rurl of ['nonsense', 'ftp://example.com/', 'http://127.0.0.1/'])
      expect(await refused({ rurl })).toBe('226');
  });

  test('[4.3/rurl_events] events are kept, with the address or the account’s own; a clone has them too', async () => {
    const rurl = 'https://example.com/hook';
    const source = await created({ rurl, rurl_events: 'answered, dtmf' });
    const callback = { url: rurl, events: ['answered', 'dtmf'] };
    expect((await campaignInput(on, source)).call.callback).toEqual(callback);
    const clone = (await on.post('CreateCampaign', { cp_id: source })).body.return.cp_id;
    expect((await campaignInput(on, clone)).call.callback).toEqual(callback);
    expect(await refused({ rurl, rurl_events: 'x' })).toBe('299');
    const path = `/accounts/${demoAccount}`;
    await on.admin('PATCH', path, { callback_url: rurl });
    try {
      expect((await born({ rurl_events: 'all' })).call.callback).toEqual({ url: '', events: ['all'] });
    } finally {
      await on.admin('PATCH', path, { callback_url: '' });
    }
  });

  test('[4.3/tfix] routes are forced for authorized accounts, else ignored with a warning', async () => {
    expect(await warned({ tfix: 'a|b' })).toContain('tfix');
    await on.admin('PATCH', `/accounts/${demoAccount}`, { fixed_routes: true });
    try {
      expect((await born({ tfix: 'a| b' })).call.fixedRoutes).toEqual(['a', 'b']);
    } finally {
      await on.admin('PATCH', `/accounts/${demoAccount}`, { fixed_routes: false });
    }
  });

  test('[4.3/sms_action] [4.3/sms_text] a follow-up SMS, without accents', async () => {
    expect((await born({ sms_action: 'dtmf1', sms_text: 'Olá!' })).call.sms).toEqual({
      when: 'dtmf1',
      text: 'Ola!',
      digit: '1',
    });
  });

  test('[4.3/cp_ativo] it starts at once, or stays paused', async () => {
    expect((await born({ cp_ativo: 1 })).active).toBe(true);
    expect((await born({ cp_ativo: 0 })).active).toBe(false);
  });
});

describe('what is heard', () => {
  test('[4.3/content] an audio by its id, with or without tf; a text with placeholders stays one', async () => {
    const opening = async (given: object) => (await born(given)).call.prompts.opening;
    expect(await opening({ content: content.slice(2) })).toEqual([played(content)]);
    const template = await anAsset(on, { text: 'Olá <NOME>' });
    expect(await opening({ content: template })).toEqual([{ text: 'Olá <NOME>', voice: 'Espeak|pt-br' }]);
  });

  test('[4.3/text] [4.3/voice] a text replaces the content', async () => {
    const { call } = await born({ text: 'Olá <NOME>', voice: 'Espeak|en-us' });
    expect(call.prompts.opening).toEqual([{ text: 'Olá <NOME>', voice: 'Espeak|en-us' }]);
    expect(await refused({ text: 'x', voice: 'Acme|Nobody' })).toBe('299');
  });

  test('[4.3/amd] audio for machines turns detection on', async () => {
    const machine = await anAsset(on);
    expect((await born({ amd: machine })).call.prompts.machine).toEqual(played(machine));
  });

  test('[4.3/cp_type] three types', async () => {
    expect((await born({ cp_type: '' })).call.mode).toBe('play');
    expect((await born({ cp_type: 0 })).call.mode).toBe('play');
    expect((await born(question)).call.mode).toBe('question');
    expect((await born(validation)).call.mode).toBe('validate');
  });

  test('[4.3/cont0..9] [4.3/contentno] [4.3/dtmfini] [4.3/nans] [4.3/nans2] [4.3/dtime] question and answer', async () => {
    const audio = await anAsset(on);
    const media = audio.replace('tf', 'wav-');
    const { call } = await born({
      ...question,
      cont0: audio,
      cont9: audio,
      contentno: audio,
      dtmfini: '*',
      nans: 2,
      nans2: 3,
      dtime: 15,
    });
    expect(call).toMatchObject({
      prompts: { slots: { 0: { media }, 9: { media } }, noDigit: { media } },
      digits: { count: 2, waitSeconds: 15, replay: '*' },
      secondAnswer: 3,
    });
    expect((await born(question)).call.digits).toEqual({ count: 1, waitSeconds: 7 });
    expect(await refused({ ...question, dtmfini: '12' })).toBe('299');
  });

  test('[4.3/content2..8] [4.3/contentfail] [4.3/ndigval] [4.3/dtmf2] [4.3/compw] confirmation and validation', async () => {
    const named = [
      'content2',
      'content3',
      'content4',
      'content5',
      'content6',
      'content7',
      'content8',
      'contentfail',
    ];
    const audio = Object.fromEntries(await Promise.all(named.map(async (name) => [name, await anAsset(on)])));
    const media = (name: string) => played(audio[name]);
    const { call } = await born({ ...validation, ...audio, dtmf2: 5, ndigval: '6', compw: 'extra3' });
    expect(call.prompts).toMatchObject({
      validate: {
        ask: media('content2'),
        match: media('content3'),
        notConfirmed: media('content4'),
        noDigit: media('content5'),
      },
      beforeTransfer: media('content6'),
      nobodyFree: media('content7'),
      ending: media('content8'),
      wrong: media('contentfail'),
    });
    expect(call.compare).toEqual({ column: 'extra3', confirm: '5', digits: 6 });
    expect((await born(validation)).call.compare).toEqual({ column: 'cod_cli', confirm: '1', digits: 4 });
  });
});

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
    expect(await refused({ group: await aGroup(on, 'theirs', stranger) })).toBe('250');
  });

  test('[4.3/cdlc_id] [CreateCampaign/251] a list that is missing, unknown, inactive or another’s', async () => {
    expect(await refused({ cdlc_id: '' })).toBe('251');
    expect(await refused({ cdlc_id: 99 })).toBe('251');
    expect(await refused({ cdlc_id: 'customers' })).toBe('251');
    expect(await refused({ cdlc_id: await aList(on, { active: false }) })).toBe('251');
    expect(await refused({ cdlc_id: await aList(on, { account: stranger }) })).toBe('251');
  });

  test('[CreateCampaign/240] [CreateCampaign/241] [CreateCampaign/242] [CreateCampaign/243] [CreateCampaign/244] audio that is unknown, expired or another’s', async () => {
    const gone = await anAsset(on, { expiresAt: 1 });
    const theirs = await anAsset(on, { account: stranger });
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

  test('[CreateCampaign/230] of many at once, one is made', async () => {
    const name = 'raced';
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask({ name, cp_ativo: 1 })));
    const codes = answers.map(({ body }) => body.return.status_code);
    expect(codes.filter((code) => code === '0')).toHaveLength(1);
    expect(codes.filter((code) => code === '230')).toHaveLength(7);
  });
});

describe('a clone', () => {
  test('[4.3/cp_id] copies what it is not told', async () => {
    const group = await aGroup(on, 'cloned');
    const given = {
      detail: 'first',
      cp_ctid: 'mine',
      vel: 30,
      resends: 2,
      time_resends: 7,
      mobile: 0,
      limit_name: 0,
      max_answered: 9,
      time_start: '08:00',
      group,
      sms_action: 'nae',
      sms_text: 'we called',
      cp_ativo: 1,
    };
    const source = await created(given);
    const { body } = await on.post('CreateCampaign', { cp_id: source, vel: 40 });
    const first = await campaignInput(on, source);
    expect(await campaignInput(on, body.return.cp_id)).toEqual({
      ...first,
      name: 'customers',
      correlation: '',
      active: false,
      pace: { callsPerMinute: 40, maxTransfers: null },
      call: { ...first.call, customerCampaign: '' },
    });
  });

  test('[4.3/cp_id] copies what was changed since, but days that are over', async () => {
    const source = await created({ date_start: addDays(today(), 2) });
    const changes = { cp_id: source, lig_min: 200, pas: 3, time_end: '17:00' };
    expect((await on.post('ChangeCampaign', changes)).http).toBe(200);
    expect(await born({ cp_id: source })).toMatchObject({
      hours: { dateStart: addDays(today(), 2), timeEnd: '17:00:00' },
      pace: { callsPerMinute: 200, maxTransfers: 3 },
    });
    const later = addDays(today(), 9);
    expect((await born({ cp_id: source, date_start: later })).hours).toMatchObject({
      dateStart: later,
      dateEnd: later,
    });
    expect((await born({ cp_id: source, date_end: later })).hours).toMatchObject({
      dateStart: addDays(today(), 2),
      dateEnd: later,
    });
    const grouped = await created({ group: await aGroup(on, 'left') });
    const left = { group_id: null };
    expect((await on.admin('PATCH', `/accounts/${demoAccount}/campaigns/${grouped}`, left)).http).toBe(200);
    expect(await born({ cp_id: grouped })).toMatchObject({ group: null });
    const over = await created({ date_start: '2020-01-01' });
    expect((await born({ cp_id: over })).hours).toMatchObject({ dateStart: today(), dateEnd: today() });
  });

  test('[4.3/cp_id] another main message, or another type, leaves out what belongs to the source’s', async () => {
    const source = await created({ content: '', text: 'Olá <NOME>', sms_action: 'ok', sms_text: 'x' });
    const other = { name: 'other', cp_id: source };
    expect((await campaignInput(on, await madeBy(other))).call.prompts.opening).toMatchObject([
      { text: 'Olá <NOME>' },
    ]);
    expect((await campaignInput(on, await madeBy({ ...other, content }))).call.prompts.opening).toEqual([
      played(content),
    ]);
    const asked = (await campaignInput(on, await madeBy({ ...other, ...question }))).call;
    expect([asked.mode, asked.sms]).toEqual(['question', undefined]);
  });

  /** With nothing but what is given. */
  const madeBy = async (given: object): Promise<string> => {
    const { body } = await on.post('CreateCampaign', given);
    expect(body.return.status).toBe('OK');
    return body.return.cp_id;
  };

  test('[CreateCampaign/282] [CreateCampaign/260] the source must be the account’s, and say what it was made of', async () => {
    const source = await created({});
    await on.database.pool.query('UPDATE campaigns SET account_id = $1 WHERE id = $2', [stranger, source]);
    expect(await refused({ cp_id: source })).toBe('282');
    const older = await created({});
    await on.database.pool.query(
      `UPDATE campaigns SET definition = (definition::jsonb - 'parameters')::json WHERE id = $1`,
      [older],
    );
    expect(await refused({ cp_id: older })).toBe('260');
  });
});

describe('once', () => {
  test('[4.3/request_id] a repeated request is answered as before, and says so', async () => {
    const given = { name: 'once', request_id: 'order:2026.11-20' };
    const first = await ask(given);
    const again = await ask(given);
    expect(first.body.return.duplicate_request).toBeUndefined();
    expect(again.body.return).toEqual({ ...first.body.return, duplicate_request: '1' });
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    const other = await ask({ ...given, vel: 9 });
    expect([other.http, other.body.return]).toMatchObject([409, { status_code: '409', cp_id: '0' }]);
  });

  test('Idempotency-Key does the same, without the word', async () => {
    const given = { name: 'keyed', cdlc_id: list, content, cp_ativo: 1 };
    const headers = { 'Idempotency-Key': 'one' };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => on.post('CreateCampaign', given, headers)),
    );
    expect(new Set(answers.map(({ body }) => body.return.cp_id)).size).toBe(1);
    expect(answers[0]!.body.return.duplicate_request).toBeUndefined();
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

  test('[CreateCampaign/262] no id is left', async () => {
    const set = (next: string) => `UPDATE small_ids SET next = ${next} WHERE name = 'line'`;
    await during(set('2147483647'), set('1000000'), async () => {
      expect(await refused({})).toBe('262');
    });
  });
});
