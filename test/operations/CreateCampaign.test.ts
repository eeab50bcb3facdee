import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays } from '../../src/lib/localTime.ts';
import { aGroup, anAsset, aProfile, campaignInput, played } from '../helpers/campaigns.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { type CampaignGround, askedCampaigns, campaignGround, question, today } from './askedCampaigns.ts';

let on: TestService;
let ground: CampaignGround;
let list: CampaignGround['list'];
let content: CampaignGround['content'];
beforeAll(async () => {
  on = await startTestService();
  ground = await campaignGround(on);
  ({ list, content } = ground);
});
afterAll(() => on.stop());

const { created, born, refused, warned } = askedCampaigns(() => ({ on, ...ground }));

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
    expect((await born({ queue_id: queue, ...question })).call).toMatchObject({
      transfer: { kind: 'queue', queue },
      waitInLine: true,
    });
    expect((await born({ queue_id: queue })).call).not.toHaveProperty('transfer');
    expect(await warned({ queue_id: queue })).toMatch(/^queue_id does nothing with cp_type 0/);
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
      expect((await born({ tfix: 'nowhere| sandbox' })).call.fixedRoutes).toEqual(['sandbox']);
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
