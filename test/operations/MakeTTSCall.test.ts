import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CallInput } from '../../machines/call/input.ts';
import { firstIdAt } from '../../src/engine/ids.ts';
import { type Engine, Unavailable } from '../../src/engine/verbs.ts';
import type { Params } from '../../src/operations/declare.ts';
import { MakeTTSCall } from '../../src/operations/MakeTTSCall.ts';
import { runOperation } from '../../src/operations/run.ts';
import type { Services } from '../../src/operations/services.ts';
import { toLocal } from '../../src/rules/localTime.ts';
import { Control } from '../../src/store/control.ts';
import {
  demoAccount,
  demoToken,
  type RestAnswer,
  startTestService,
  type TestService,
} from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const dest = '11987650000';
let calls = 0;

/** A request that is unlike any other, so that no duplicate window sees it. */
const ask = (given: object): Promise<RestAnswer> =>
  on.post('MakeTTSCall', { dest, text: `call ${(calls += 1)}`, ...given });

/** What a call asked for like this is born with. */
const born = async (given: object): Promise<CallInput> => {
  const answer = await ask(given);
  expect(answer.body.return).toMatchObject({ status: 'OK' });
  return on.inputOf(answer.body.return.cd_id);
};

const refused = async (given: object): Promise<[number, string, string]> => {
  const { http, body } = await ask(given);
  expect(body.return.cd_id).toBe('0');
  return [http, body.return.status_code, body.return.status];
};

const warned = async (given: object): Promise<string> => (await ask(given)).body.return.warning;

/** Gives the account other settings for the length of a test. */
const withAccount = async (settings: object, back: object, use: () => Promise<void>): Promise<void> => {
  const path = `/accounts/${demoAccount}`;
  expect((await on.admin('PATCH', path, settings)).http).toBe(200);
  try {
    await use();
  } finally {
    await on.admin('PATCH', path, back);
  }
};

const anAudio = async (id: string, expiresAt: number | null = null): Promise<string> => {
  await on.database.pool.query(
    `INSERT INTO media (account_id, id, kind, created_at, expires_at) VALUES ($1, $2, 'upload', 0, $3)
      ON CONFLICT DO NOTHING`,
    [demoAccount, id, expiresAt],
  );
  return id;
};

describe('what a call is born with', () => {
  test('[4.2/success] the smallest request is a call with every default', async () => {
    const { http, body } = await on.post('MakeTTSCall', { dest, text: 'Hello' });
    expect(http).toBe(200);
    expect(body).toEqual({
      return: { status: 'OK', status_code: '0', cd_id: expect.stringMatching(/^a_\d+$/) },
    });
    expect(await on.inputOf(body.return.cd_id)).toEqual({
      mode: 'play',
      requestedAt: expect.any(Number),
      destination: '5511987650000',
      callerId: '',
      prompts: { opening: [{ text: 'Hello', voice: 'Espeak|pt-br' }], slots: {} },
      keys: {},
      digits: { count: 1, waitSeconds: 7 },
      waitInLine: false,
      lineSeconds: 300,
      music: 'music',
      schedule: { tries: 1, intervalMs: 0 },
      priority: 0,
      ringSeconds: 45,
      limitSeconds: 3600,
      answerSeconds: 0,
      policy: { skipBlocklist: false, audioKey: expect.any(String), waitForWindow: false },
      customerCampaign: '',
      correlation: '',
      origin: 'api',
      fixedRoutes: [],
      placeholders: {},
    });
  });

  test('[4.2/dest] [4.2/setbrasil] national formats are normalized unless setbrasil is 0', async () => {
    expect((await born({ dest: '011 98765-0000' })).destination).toBe('5511987650000');
    expect((await born({ dest: '1187650000' })).destination).toBe('5511987650000');
    expect((await born({ dest: 11987650000 })).destination).toBe('5511987650000');
    expect((await born({ dest: '08001234567' })).destination).toBe('08001234567');
    expect((await born({ dest: '14155552671', setbrasil: 0 })).destination).toBe('14155552671');
  });

  test('[4.2/text] [4.2/content] the opening is audio, then text, placeholders filled in', async () => {
    await anAudio('welcome');
    const { prompts } = await born({ content: 'welcome', text: 'Bom dia <NOME>', nome: 'Ana' });
    expect(prompts.opening).toEqual([{ media: 'welcome' }, { text: 'Bom dia Ana', voice: 'Espeak|pt-br' }]);
    expect((await born({ content: 'tfwelcome', text: '' })).prompts.opening).toEqual([{ media: 'welcome' }]);
  });

  test('[4.2/text1..11] [4.2/content1..15] slots that keys refer to; audio wins over text', async () => {
    await anAudio('menu3');
    await anAudio('menu15');
    const { prompts, keys } = await born({
      text1: 'one',
      text2: 'never referred to',
      text3: 'three',
      content3: 'menu3',
      content15: 'menu15',
      text11: 'eleven',
      dtmf: 'text1',
      dtmf3: 'text3',
      dtmf4: 'content15',
      dtmf5: 'text11',
    });
    expect(prompts.slots).toEqual({
      1: { text: 'one', voice: 'Espeak|pt-br' },
      3: { media: 'menu3' },
      11: { text: 'eleven', voice: 'Espeak|pt-br' },
      15: { media: 'menu15' },
    });
    expect(keys['4']).toEqual({ do: 'play', slot: 15 });
  });

  test('[4.2/contentno] [4.2/contentend] [4.2/contentfail] [4.2/contentdtmf] [4.2/amd] each audio has its moment', async () => {
    for (const id of ['no', 'end', 'fail', 'ask', 'machine']) await anAudio(id);
    const { prompts } = await born({
      contentno: 'no',
      contentend: 'end',
      contentfail: 'fail',
      contentdtmf: 'ask',
      amd: 'machine',
    });
    expect(prompts).toMatchObject({
      noDigit: { media: 'no' },
      ending: { media: 'end' },
      wrong: { media: 'fail' },
      ask: { media: 'ask' },
      machine: { media: 'machine' },
    });
  });

  test('[4.2/voice] one voice for all texts; fad is the usual one', async () => {
    const { prompts } = await born({ text: 'x', text1: 'y', dtmf: 'text1', voice: 'Espeak|en-us' });
    expect(prompts).toMatchObject({
      opening: [{ voice: 'Espeak|en-us' }],
      slots: { 1: { voice: 'Espeak|en-us' } },
    });
    expect((await born({ voice: 'fad' })).prompts.opening).toMatchObject([{ voice: 'Espeak|pt-br' }]);
    expect(await refused({ voice: 'Espeak|Nobody' })).toEqual([400, '299', expect.any(String)]);
  });

  test('[7/210] a third party’s voice is refused, whether it exists or not', async () => {
    for (const voice of ['Google|pt-BR-Wavenet-A', 'Acme|Nobody'])
      expect(await refused({ voice })).toEqual([400, '210', expect.any(String)]);
  });

  test('[4.2/placeholders] each value fills its words and is handed on', async () => {
    const values = { nome: 'Ana', extra1: 'a', extra2: 'b', extra3: 'c', extra4: 'd', cod_cli: '77' };
    const text = '<NOME> <name> <EXTRA1><EXTRA2><EXTRA3><EXTRA4> <COD_CLI> <CODCLI> <OTHER>';
    const { prompts, placeholders } = await born({ text, ...values });
    expect(prompts.opening).toMatchObject([{ text: 'Ana Ana abcd 77 77 <OTHER>' }]);
    expect(placeholders).toEqual(values);
  });

  test('[4.2/callerid] an allowed caller id is used; another is replaced, with a warning', async () => {
    const settings = { caller_id: '551140000000', caller_ids: ['551140000001'] };
    await withAccount(settings, { caller_id: '', caller_ids: [] }, async () => {
      expect((await born({})).callerId).toBe('551140000000');
      expect((await born({ callerid: '551140000001' })).callerId).toBe('551140000001');
      expect((await born({ callerid: '1140000001' })).callerId).toBe('551140000001');
      const answer = await ask({ callerid: '551149999999' });
      expect(answer.body.return.warning).toContain('551149999999 is not allowed');
      expect((await on.inputOf(answer.body.return.cd_id)).callerId).toBe('551140000000');
    });
  });

  test('[4.2/ctid] [4.2/cpid] the customer’s own names are kept', async () => {
    expect(await born({ ctid: 'order-9', cpid: 'spring' })).toMatchObject({
      correlation: 'order-9',
      customerCampaign: 'spring',
    });
  });

  test('[4.2/type] each type is a mode', async () => {
    expect((await born({ type: 2 })).mode).toBe('confirm');
    expect((await born({ type: '3' })).mode).toBe('menu');
    expect(await born({ type: 22 })).toMatchObject({
      mode: 'recordAnswer',
      recording: { maxSeconds: 60, from: 'ini' },
    });
    expect(await refused({ type: 5 })).toEqual([400, '299', 'type must be one of 0, 2, 3, 22, 100']);
  });

  test('[4.2/ndig] [4.2/dtime] [4.2/dtmfconf] [4.2/dtmfini] what is asked for and what replays', async () => {
    const { digits } = await born({ type: 2, ndig: 3, dtime: '12', dtmfconf: 9, dtmfini: '*' });
    expect(digits).toEqual({ count: 3, waitSeconds: 12, confirm: '9', replay: '*' });
    expect((await born({ type: 2 })).digits).toEqual({ count: 1, waitSeconds: 7, confirm: '1' });
    expect(await refused({ dtmfini: '77' })).toEqual([400, '299', expect.any(String)]);
    expect(await refused({ dtmfconf: '#' })).toEqual([400, '299', expect.any(String)]);
  });

  test('[4.2/dtmf..dtmf11] the slot decides the key unless the value names its own', async () => {
    const { keys } = await born({
      dtmf: 'replay',
      dtmf2: '11987650001',
      dtmf3: 'RT12',
      dtmf4: 'WA5511987650002',
      dtmf5: 'FI7',
      dtmf6: 'optout',
      dtmf9: 'hangup',
      dtmf10: '78|hangup',
      dtmf11: 'replay',
    });
    expect(keys).toEqual({
      1: { do: 'replay' },
      2: { do: 'transfer', to: { kind: 'number', number: '5511987650001' } },
      3: { do: 'transfer', to: { kind: 'agent', agent: 12 } },
      4: { do: 'transfer', to: { kind: 'chat', number: '5511987650002' } },
      5: { do: 'transfer', to: { kind: 'queue', queue: 7 } },
      6: { do: 'optOut' },
      7: { do: 'hangUp' },
      8: { do: 'hangUp' },
      9: { do: 'hangUp' },
      '*': { do: 'replay' },
    });
    expect((await born({ dtmf10: 'hangup' })).keys).toEqual({ 0: { do: 'hangUp' } });
    expect(await refused({ dtmf2: 'nonsense' })).toMatchObject([
      400,
      '299',
      expect.stringContaining('dtmf2'),
    ]);
    expect(await refused({ dtmf: '2|hangup', dtmf2: 'replay' })).toEqual([400, '299', expect.any(String)]);
    expect(await refused({ dtmf: 'text4' })).toMatchObject([400, '299', expect.stringContaining('slot 4')]);
  });

  test('[4.2/dest2] the prefix tells the leg', async () => {
    expect((await born({ dest2: '08007770000' })).transfer).toEqual({
      kind: 'number',
      number: '08007770000',
    });
    expect((await born({ dest2: 'RT5' })).transfer).toEqual({ kind: 'agent', agent: 5 });
    expect((await born({ dest2: 'WA11987650003' })).transfer).toEqual({
      kind: 'chat',
      number: '5511987650003',
    });
    expect((await born({ dest2: 'FI6' })).transfer).toEqual({ kind: 'queue', queue: 6 });
    expect(await refused({ dest2: 'XX6' })).toMatchObject([400, '299', expect.stringContaining('dest2')]);
  });

  test('[4.2/fifo] [4.2/fifolim] [4.2/senddtmf] [4.2/senddtmftime] [4.2/moh] around the second leg', async () => {
    const given = { fifo: 1, fifolim: 90, senddtmf: '12#', senddtmftime: 4, moh: 1 };
    expect(await born(given)).toMatchObject({
      waitInLine: true,
      lineSeconds: 90,
      sendDigits: { digits: '12#', afterSeconds: 4 },
      music: 'ringing',
    });
    expect((await born({ senddtmf: '5' })).sendDigits).toEqual({ digits: '5', afterSeconds: 1 });
    expect((await born({ moh: 3 })).music).toBe('silence');
  });

  test('[4.2/rec] [4.2/startrec] how long and from when', async () => {
    expect((await born({ rec: 30 })).recording).toEqual({ maxSeconds: 30, from: 'ini' });
    expect((await born({ rec: 30, startrec: 'pa' })).recording).toEqual({ maxSeconds: 30, from: 'pa' });
    expect((await born({ rec: 30, startrec: 'conf' })).recording).toEqual({ maxSeconds: 30, from: 'conf' });
    expect(await warned({ startrec: 'pa' })).toContain('rec');
  });

  test('[4.2/repeat] tries, interval, until and the first call', async () => {
    const tomorrow = toLocal(Date.now() + 86_400_000, 'America/Sao_Paulo').date;
    const { schedule } = await born({ repeat: `3|20|18:00|${tomorrow} 09:30` });
    expect(schedule).toEqual({
      tries: 3,
      intervalMs: 20 * 60_000,
      notBefore: Date.parse(`${tomorrow}T09:30:00-03:00`),
      until: Date.parse(`${tomorrow}T18:00:00-03:00`),
    });
    expect(await refused({ repeat: '0|20|18:00|' })).toMatchObject([
      400,
      '299',
      expect.stringContaining('repeat'),
    ]);
    expect(await refused({ repeat: `3|20|25:00|${tomorrow} 09:30` })).toEqual([
      400,
      '299',
      expect.any(String),
    ]);
  });

  test('[4.2/block] not before a moment on the account’s wall clock, at most 60 days ahead', async () => {
    const tomorrow = toLocal(Date.now() + 86_400_000, 'America/Sao_Paulo').date;
    const blocked = async (block: string) => (await born({ block })).schedule.notBefore;
    expect(await blocked(`${tomorrow} 10:00`)).toBe(Date.parse(`${tomorrow}T10:00:00-03:00`));
    expect(await blocked(`${tomorrow} 10:00:30`)).toBe(Date.parse(`${tomorrow}T10:00:30-03:00`));
    expect(await blocked(`${tomorrow}T10:00:00Z`)).toBe(Date.parse(`${tomorrow}T10:00:00Z`));
    expect(await blocked('2020-01-01 10:00')).toBeUndefined();
    const far = toLocal(Date.now() + 62 * 86_400_000, 'UTC').date;
    expect(await refused({ block: `${far} 10:00` })).toMatchObject([
      400,
      '299',
      expect.stringContaining('60 days'),
    ]);
    expect(await refused({ block: 'soon' })).toMatchObject([400, '299', expect.stringContaining('block')]);
    expect(await refused({ block: '2026-02-30 10:00' })).toEqual([400, '299', expect.any(String)]);
  });

  test('[4.2/ringtime] [4.2/timelimit] [4.2/answer] [4.2/priority] times and order', async () => {
    expect(await born({ ringtime: 20, timelimit: 120, answer: 9, priority: 50 })).toMatchObject({
      ringSeconds: 20,
      limitSeconds: 120,
      answerSeconds: 9,
      priority: 50,
    });
    expect((await born({ priority: -1 })).priority).toBe(-1);
    expect(await refused({ priority: -2 })).toEqual([
      400,
      '299',
      'priority must be a whole number, -20, -1 or 0 to 100',
    ]);
  });

  test('[4.2/sms_action] [4.2/sms_text] [4.2/sms_dtmf] the follow-up, without accents', async () => {
    const given = { sms_action: 'dtmf1', sms_text: 'Olá, não é ç', sms_dtmf: '5' };
    expect((await born(given)).sms).toEqual({ when: 'dtmf1', text: 'Ola, nao e c', digit: '5' });
    for (const when of ['ok', 'nae', 'oknae']) {
      expect((await born({ sms_action: when, sms_text: 'x' })).sms).toEqual({ when, text: 'x', digit: '1' });
    }
    expect((await born({ sms_action: 'ok', sms_text: 'x'.repeat(160) })).sms?.text).toHaveLength(160);
  });

  test('[4.2/free] [4.2/bkddd] the request decides, else the account', async () => {
    expect((await born({ free: 1 })).policy.skipBlocklist).toBe(true);
    expect((await born({ bkddd: 2 })).policy.waitForWindow).toBe(true);
    await withAccount(
      { skip_blocklist: true, regional_window: 2 },
      { skip_blocklist: false, regional_window: 0 },
      async () => {
        expect((await born({})).policy).toMatchObject({ skipBlocklist: true, waitForWindow: true });
        expect((await born({ free: 0, bkddd: 0 })).policy).toMatchObject({
          skipBlocklist: false,
          waitForWindow: false,
        });
      },
    );
  });

  test('[4.2/numlim] [4.2/audiolim] limits count over cpid', async () => {
    expect((await born({ cpid: 'c', numlim: 3, audiolim: 2 })).policy).toMatchObject({
      numberLimit: 3,
      audioLimit: 2,
    });
    expect(await warned({ numlim: 3 })).toContain('cpid');
  });

  test('[4.2/rurl] [4.2/rurl_events] whoever is named is told, with the events asked for', async () => {
    const rurl = 'https://example.com/hook?token=x';
    const { callback } = await born({ rurl });
    expect(callback).toEqual({ url: rurl, events: [], delivery: expect.any(Number) });
    expect((await born({ rurl, rurl_events: 'ALL' })).callback).toMatchObject({ events: ['all'] });
    expect((await born({ rurl, rurl_events: ' ringing, dtmf,ringing' })).callback).toMatchObject({
      events: ['ringing', 'dtmf'],
    });
    expect((await born({ rurl: encodeURIComponent(rurl) })).callback).toMatchObject({ url: rurl });
    expect(await refused({ rurl, rurl_events: 'ringing,picked_up' })).toEqual([
      400,
      '299',
      expect.stringMatching(/rurl_events must be all, or a comma list of queued, .*picked_up is none/),
    ]);
    const answer = await ask({ rurl });
    expect(answer.body.return).not.toHaveProperty('warning');
  });

  test('[4.2/rurl] without one the account’s own address is told, if it has any', async () => {
    expect(await born({})).not.toHaveProperty('callback');
    expect(await warned({ rurl_events: 'all' })).toContain('rurl_events without rurl');
    const callback_url = 'https://account.example/hook';
    await on.database.pool.query('UPDATE accounts SET callback_events = $1', ['ringing,read']);
    await withAccount({ callback_url }, { callback_url: '' }, async () => {
      expect((await born({})).callback).toMatchObject({ url: '', events: ['ringing', 'read'] });
      expect((await born({ rurl_events: 'sms' })).callback).toMatchObject({ url: '', events: ['sms'] });
      const rurl = 'https://example.com/';
      expect((await born({ rurl })).callback).toMatchObject({ url: rurl, events: ['ringing', 'read'] });
      expect(await born({ rurl: 'ftp://example.com' })).not.toHaveProperty('callback');
    });
    await on.database.pool.query("UPDATE accounts SET callback_events = ''");
  });

  test('[4.2/tfix] [4.2/rurl] what is not granted is said', async () => {
    expect(await warned({ tfix: 'r1' })).toContain('tfix');
    await withAccount({ fixed_routes: true }, { fixed_routes: false }, async () => {
      expect((await born({ tfix: 'r1|r2' })).fixedRoutes).toEqual(['r1', 'r2']);
    });
    expect(await warned({ rurl: 'ftp://example.com' })).toContain('http');
    expect(await warned({ rurl: 'http%3A%2F%2F127.0.0.1%2Fx' })).toContain('private');
  });

  test('[4.2/expiry] audio that goes within a day is named with its date', async () => {
    const at = Date.now() + 3_600_000;
    await anAudio('short', at);
    const date = toLocal(at, 'America/Sao_Paulo').date;
    expect(await warned({ content: 'short' })).toBe(`content short expires on ${date}`);
  });
});

describe('encodings', () => {
  const form = async (bytes: string, encoding?: string): Promise<string> => {
    calls += 1;
    const tsid = `tsid=DEMO0token0DEMO0token0DEMO0tok&ctid=e${calls}&httpdup=0&dest=${dest}`;
    const answer = await on.post(
      'MakeTTSCall',
      `${tsid}&text=${bytes}${encoding ? `&encoding=${encoding}` : ''}`,
      {
        'Content-Type': 'application/x-www-form-urlencoded',
      },
    );
    const { prompts } = await on.inputOf(answer.body.return.cd_id);
    return (prompts.opening[0] as { text: string }).text;
  };

  test('[4.2/encoding] forms are ISO-8859-1 unless told otherwise', async () => {
    expect(await form('Ol%E1')).toBe('Olá');
    expect(await form('Ol%C3%A1', 'UTF-8')).toBe('Olá');
    expect(await form('Ol%C3%83%C2%A1', '2UTF-8')).toBe('Olá');
    expect(await form('Ol%E1', 'ASCII')).toBe('Ol?');
    expect(await form('Ol%E1', 'iso-8859-1')).toBe('Olá');
  });

  test('[4.2/encoding] JSON is UTF-8, and can be repaired', async () => {
    expect((await born({ text: 'Olá' })).prompts.opening).toMatchObject([{ text: 'Olá' }]);
    expect((await born({ text: 'OlÃ¡', encoding: '2UTF-8', httpdup: 0 })).prompts.opening).toMatchObject([
      { text: 'Olá' },
    ]);
    expect(await refused({ encoding: 'EBCDIC' })).toMatchObject([
      400,
      '299',
      expect.stringContaining('encoding'),
    ]);
  });
});

describe('refusals', () => {
  test('[4.2/rule] [7/201] something must be said', async () => {
    const asked = async (given: object) =>
      (await on.post('MakeTTSCall', { dest, ...given })).body.return.status_code;
    expect(await asked({})).toBe('201');
    expect(await asked({ content1: 'x' })).toBe('201');
    expect(await asked({ text11: 'x' })).toBe('0');
    expect(await asked({ nome: 'Ana' })).toBe('0');
    expect(await asked({ extra4: 'x' })).toBe('0');
    expect(await asked({ cod_cli: 'x' })).toBe('0');
  });

  test('[4.2/failure] [7/203] a destination that is none', async () => {
    expect(await refused({ dest: 'letters' })).toEqual([400, '203', expect.any(String)]);
    expect(await refused({ dest: '' })).toEqual([400, '203', 'dest is missing']);
    expect(await refused({ dest: '1012345678' })).toEqual([400, '203', expect.any(String)]);
    expect(await refused({ dest: 'letters'.repeat(10) })).toEqual([400, '203', expect.any(String)]);
    expect(await refused({ dest: [dest] })).toEqual([400, '203', 'dest must be text']);
    expect(await refused({ dest: 1.5 })).toEqual([400, '203', 'dest must be text']);
  });

  test('[7/204] audio that is not the account’s', async () => {
    expect(await refused({ content: 'nobody' })).toMatchObject([
      400,
      '204',
      expect.stringContaining('content'),
    ]);
    expect(await refused({ amd: 'nobody' })).toMatchObject([400, '204', expect.stringContaining('amd')]);
    expect(await refused({ content: 'x'.repeat(500) })).toEqual([400, '204', expect.any(String)]);
    expect(await refused({ content15: {} })).toEqual([400, '204', expect.any(String)]);
    await anAudio('gone', Date.now() - 1000);
    expect(await refused({ contentend: 'gone' })).toEqual([400, '204', expect.any(String)]);
  });

  test('[7/220] a ctid is used once where the account wants it', async () => {
    expect((await ask({ ctid: 'old' })).body.return.status).toBe('OK');
    await withAccount({ cdcs_uni_ctid: 1 }, { cdcs_uni_ctid: 0 }, async () => {
      expect((await ask({ ctid: 'once' })).body.return.status).toBe('OK');
      expect(await refused({ ctid: 'once' })).toEqual([400, '220', expect.any(String)]);
      expect(await refused({ ctid: 'old' })).toEqual([400, '220', expect.any(String)]);
      const many = await Promise.all(Array.from({ length: 8 }, () => ask({ ctid: 'race' })));
      expect(many.filter(({ body }) => body.return.status === 'OK')).toHaveLength(1);
    });
    expect((await ask({ ctid: 'once' })).body.return.status).toBe('OK');
  });

  test('[7/230] outside the regional window bkddd=1 refuses, and says until when', async () => {
    const hour = (Number(toLocal(Date.now(), 'America/Sao_Paulo').time.slice(0, 2)) + 12) % 24;
    const range = [`${String(hour).padStart(2, '0')}:00-${String(hour).padStart(2, '0')}:30`];
    const windows = { weekdays: range, saturdays: range, sundays: range, holidays: range };
    await withAccount({ calling_windows: windows }, { calling_windows: null }, async () => {
      expect(await refused({ bkddd: 1 })).toMatchObject([400, '230', expect.stringContaining('opens')]);
      expect((await ask({ bkddd: 0 })).body.return.status).toBe('OK');
      expect((await ask({ bkddd: 1, dest: '08001234567' })).body.return.status).toBe('OK');
    });
  });

  test('[4.2/httpdup] [7/244] the same call within the window', async () => {
    const same = { dest: '11987650010', text: 'the same' };
    expect((await ask(same)).body.return.status).toBe('OK');
    expect(await refused(same)).toEqual([400, '244', expect.any(String)]);
    expect(await refused({ ...same, dest: '+55 (11) 98765-0010' })).toEqual([400, '244', expect.any(String)]);
    expect((await ask({ ...same, nome: 'Ana' })).body.return.status).toBe('OK');
    expect((await ask({ ...same, httpdup: 0 })).body.return.status).toBe('OK');
    expect(await refused({ ...same, httpdup: 601 })).toMatchObject([
      400,
      '299',
      expect.stringContaining('httpdup'),
    ]);
    expect(await refused({ ...same, httpdup: -1 })).toEqual([400, '299', expect.any(String)]);
    expect((await ask({ text: 'short window', httpdup: 1 })).body.return.status).toBe('OK');
    const until = await on.database.pool.query<{ until: number }>(
      `SELECT until FROM claims WHERE key LIKE 'duplicate:%' ORDER BY until`,
    );
    expect(Math.max(...until.rows.map((row) => row.until))).toBeLessThanOrEqual(Date.now() + 10_500);
  });

  test('[7/290] type 100 needs an active agent', async () => {
    expect(await refused({ type: 100 })).toEqual([400, '290', expect.any(String)]);
    expect(await refused({ type: 100, dtmfini: '99999' })).toEqual([400, '290', expect.any(String)]);
    expect(await refused({ type: 100, dtmfini: 'ana' })).toEqual([400, '290', expect.any(String)]);
    expect(await refused({ type: 100, dtmfini: '9'.repeat(30) })).toEqual([400, '290', expect.any(String)]);
    const path = `/accounts/${demoAccount}/agents`;
    const agent = (await on.admin('POST', path, { kind: 'sip', target: 'sip:ana@example.com' })).body;
    expect(await born({ type: 100, dtmfini: agent.ccba_id })).toMatchObject({
      mode: 'agent',
      transfer: { kind: 'agent', agent: agent.ccba_id },
    });
    await on.admin('PATCH', `${path}/${agent.ccba_id}`, { active: false });
    expect(await refused({ type: 100, dtmfini: agent.ccba_id })).toEqual([400, '290', expect.any(String)]);
  });

  test('[7/301] [7/302] [7/304] [7/305] a follow-up that is not whole', async () => {
    expect(await refused({ sms_text: 'x' })).toEqual([400, '301', expect.any(String)]);
    expect(await refused({ sms_dtmf: '1' })).toEqual([400, '301', expect.any(String)]);
    expect(await refused({ sms_action: 'ok' })).toEqual([400, '302', expect.any(String)]);
    expect(await refused({ sms_action: 'never', sms_text: 'x' })).toEqual([400, '304', expect.any(String)]);
    expect(await refused({ sms_action: 'ok', sms_text: 'x'.repeat(161) })).toEqual([
      400,
      '305',
      expect.any(String),
    ]);
    expect(await refused({ sms_action: 'ok', sms_text: 'x'.repeat(100_000) })).toEqual([
      400,
      '305',
      expect.any(String),
    ]);
    expect(await refused({ sms_action: 'x'.repeat(500), sms_text: 'x' })).toEqual([
      400,
      '304',
      expect.any(String),
    ]);
    expect(await refused({ sms_action: {}, sms_text: 'x' })).toEqual([400, '304', expect.any(String)]);
  });

  test('a parameter with a code of its own names one that is declared', () => {
    const named = Object.values(MakeTTSCall.params as Params).flatMap(({ refusedAs }) => refusedAs ?? []);
    expect(named.length).toBeGreaterThan(0);
    for (const word of named) expect(Object.keys(MakeTTSCall.errors)).toContain(word);
  });

  test.each([
    ['ndig', 0],
    ['ndig', 21],
    ['dtime', 0],
    ['dtime', 61],
    ['fifo', 2],
    ['fifolim', 0],
    ['fifolim', 3601],
    ['senddtmf', 'x'],
    ['senddtmftime', 61],
    ['rec', -1],
    ['rec', 7201],
    ['startrec', 'later'],
    ['ringtime', 0],
    ['ringtime', 181],
    ['timelimit', 0],
    ['timelimit', 14_401],
    ['answer', -1],
    ['answer', 121],
    ['free', 3],
    ['moh', 0],
    ['moh', 4],
    ['numlim', 1001],
    ['audiolim', -1],
    ['bkddd', 3],
    ['setbrasil', 2],
    ['text', 'x'.repeat(5001)],
    ['ctid', 'x'.repeat(65)],
    ['cpid', 'x'.repeat(65)],
    ['sms_dtmf', '12'],
    ['dtmfini', 'x'],
    ['dtmfini', '12'],
    ['priority', 101],
    ['text', { a: 1 }],
    ['ringtime', '12.5'],
    ['ringtime', true],
    ['text', 'a\u0000b'],
    ['nome', '\ud800'],
  ])('[7/299] %s of the wrong sort is refused by name', async (parameter, value) => {
    expect(await refused({ [parameter]: value })).toMatchObject([
      400,
      '299',
      expect.stringContaining(parameter),
    ]);
  });

  test('nothing is written for a refusal', async () => {
    const count = async () =>
      (
        await on.database.pool.query<{ n: number }>(
          'SELECT (SELECT count(*) FROM machines)::int + (SELECT count(*) FROM claims)::int AS n',
        )
      ).rows[0]!.n;
    const before = await count();
    for (const given of [
      { dest: 'x' },
      { text: '' },
      { sms_text: 'x' },
      { ringtime: 999 },
      { content: 'nobody' },
    ])
      await refused(given);
    expect(await count()).toBe(before);
  });
});

describe('Idempotency-Key', () => {
  const keyed = (key: string, given: object) =>
    on.post('MakeTTSCall', { dest, httpdup: 0, ...given }, { 'Idempotency-Key': key });

  test('[idempotency/replay] the same request again is the same call, inside the duplicate window too', async () => {
    const given = { text: 'only once', httpdup: 10, callerid: '551130000000' };
    const first = await keyed('k1', given);
    const again = await keyed('k1', given);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(again.body.return.warning).toContain('551130000000');
  });

  test('[idempotency/other] other parameters under the same key are refused', async () => {
    await keyed('k2', { text: 'one' });
    const { http, body } = await keyed('k2', { text: 'two' });
    expect([http, body.return.status_code, body.return.cd_id]).toEqual([409, '409', '0']);
  });

  test('[idempotency/race] ten at once are one call', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => keyed('k3', { text: 'race' })));
    expect(new Set(answers.map(({ body }) => body.return.cd_id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotency-replayed') === null)).toHaveLength(1);
  });

  test('[idempotency/replay] a refused request leaves the key free', async () => {
    expect((await keyed('k4', { text: '' })).body.return.status_code).toBe('201');
    expect((await keyed('k4', { text: 'now' })).body.return.status).toBe('OK');
  });
});

describe('bad days', () => {
  /** The operation itself, with an engine that differs in one verb. */
  const withEngine = async (verbs: Partial<Engine>, given: object) => {
    const { engine } = on.service;
    const at: Engine = {
      accepting: true,
      start: (request) => engine.start(request),
      send: (ref, event) => engine.send(ref, event),
      waitFor: (ref, milestone, ms) => engine.waitFor(ref, milestone, ms),
      mintId: (shard) => engine.mintId(shard),
      now: (shard) => engine.now(shard),
      view: (ref) => engine.view(ref),
      history: (ref, after, limit) => engine.history(ref, after, limit),
      retryEffect: (ref, effect) => engine.retryEffect(ref, effect),
      operatorEvents: (kind) => engine.operatorEvents(kind),
      stop: () => engine.stop(),
      ...verbs,
    };
    const control = new Control(on.database.prisma, () => Date.now());
    const owner = (await control.tokenOwner(demoToken))!;
    const services: Services = {
      engine: at,
      database: () => on.database.pool,
      payersOf: (account) => Promise.resolve([account]),
      chat: {
        line: () => Promise.resolve(undefined),
        graph: { ask: () => Promise.resolve({ outcome: 'unreachable', text: 'no upstream here' }) },
      },
      isBlocked: () => Promise.resolve(false),
      firstIdAt,
      voicesOf: () => Promise.resolve([]),
      voiceNamed: () => Promise.resolve('Espeak|pt-br'),
      speak: () => Promise.resolve({ outcome: 'away', why: 'nobody speaks here' }),
      audio: {
        newId: () => Promise.resolve(1),
        make: () => Promise.resolve({ outcome: 'away', text: 'nobody makes sound here' }),
        forget: () => Promise.resolve(),
      },
      lists: {
        maxRecords: 1,
        newId: () => Promise.resolve(1),
        load: () => Promise.reject(new Error('no lists here')),
      },
      download: () => Promise.resolve({ outcome: 'refused', why: 'is not fetched here' }),
      newMachineId: () => Promise.resolve(1),
      agentIsActive: () => Promise.resolve(true),
      mediaUrl: (account, media) => `/media/${account}/${media}`,
      callbacks: { sealLogin: () => '' },
      openTargets: [],
      log: { error: () => {} },
    };
    return runOperation(
      MakeTTSCall,
      { ...owner, given: { dest, text: `call ${(calls += 1)}`, ...given } },
      services,
    );
  };

  test('[7/250] a call that cannot be started says why', async () => {
    const answer = await withEngine({ start: () => Promise.reject(new Error('the chart threw')) }, {});
    expect(answer).toEqual({
      http: 400,
      body: {
        return: {
          status: 'call placement failed',
          status_code: '250',
          cd_id: '0',
          errodet: 'the chart threw',
        },
      },
    });
  });

  test('[7/260] audio that cannot be made', async () => {
    const answer = await withEngine({ waitFor: () => Promise.resolve('ended') }, { priority: -20 });
    expect(answer).toMatchObject({ http: 400, body: { return: { status_code: '260', cd_id: '0' } } });
  });

  test('a long queue is no refusal: come back later', async () => {
    const busy = withEngine({ start: () => Promise.reject(new Unavailable('too many starts', 3)) }, {});
    await expect(busy).rejects.toMatchObject({ retryAfterSeconds: 3 });
  });
});

describe('priority -20', () => {
  test('[4.2/priority] answers when the audio is made', async () => {
    const { body } = await ask({ priority: -20 });
    const ref = { shard: 'a', account: demoAccount, id: Number(body.return.cd_id.split('_')[1]) };
    expect((await on.service.engine.view(ref))!.milestones).toContain('prepared');
  });
});
