import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, toLocal } from '../../src/lib/localTime.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { askedCalls, dest } from './askedCalls.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService();
});
afterAll(() => on.stop());

const { ask, born, refused, warned, withAccount } = askedCalls(() => on);

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

  test('[4.2/dest2] the prefix tells the leg', async () => {
    expect((await born({ dest2: '08007770000' })).transfer).toEqual({
      kind: 'number',
      number: '08007770000',
    });
    for (const special of ['103', '10315', '300123', '4001', '08001234'])
      expect((await born({ dest2: special })).transfer).toEqual({ kind: 'number', number: special });
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
    const before = Date.now();
    const past = (await born({ repeat: '3|20|18:00|2020-12-01 09:30' })).schedule;
    expect(past.until).toBeGreaterThanOrEqual(before);
    expect(past.until! - Date.now()).toBeLessThanOrEqual(86_400_000);
    expect(past.until! - (past.notBefore ?? past.until!)).toBeLessThanOrEqual(8.5 * 3_600_000);
    const blocked = { repeat: `3|20|18:00|${tomorrow} 09:30`, block: `${addDays(tomorrow, 4)} 10:00` };
    expect((await born(blocked)).schedule).toMatchObject({
      notBefore: Date.parse(`${addDays(tomorrow, 4)}T10:00:00-03:00`),
      until: Date.parse(`${addDays(tomorrow, 4)}T18:00:00-03:00`),
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
    expect(await warned({ rurl_events: 'all' })).toMatch(
      /^rurl_events does nothing: it acts if rurl is given/,
    );
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
      expect((await born({ tfix: 'r1|sandbox' })).fixedRoutes).toEqual(['sandbox']);
    });
    expect(await warned({ rurl: 'ftp://example.com' })).toContain('http');
    expect(await warned({ rurl: 'http%3A%2F%2F127.0.0.1%2Fx' })).toContain('private');
  });
});

describe('how the sandbox ends a call', () => {
  const ended = async (given: object) => {
    const answer = await on.post('MakeTTSCall', { text: 'Olá', httpdup: 0, ...given });
    const { cd_id } = answer.body.return;
    const record = await on.ended(cd_id);
    const { sentences } = (await on.admin('GET', `/machines/${cd_id}/explain`)).body;
    return { status: record['cd_status'], said: sentences.join(' ') };
  };
  const tomorrow = '3|1|23:59|2020-01-01 00:00';

  test('607 and 608 end it whatever repeat says, and its number rests for cpid', async () => {
    for (const [number, reason] of [
      ['11987699607', /calls are unwanted/],
      ['11987699608', /took the call for spam/],
    ] as const) {
      const given = { dest: number, cpid: 'autumn', repeat: tomorrow };
      const first = await ended(given);
      expect(first).toEqual({ status: 'BUSY', said: expect.stringContaining(`SIP ${number.slice(-3)}`) });
      expect(first.said).toMatch(reason);
      expect(await ended(given)).toEqual({
        status: 'CANCEL',
        said: expect.stringContaining('gets no more calls of this campaign'),
      });
    }
  });

  test('403 is congestion; 603 is not tried again when the account says so', async () => {
    expect(await ended({ dest: '11987699403' })).toMatchObject({ status: 'CONGESTION' });
    await withAccount({ retry_declined: false }, { retry_declined: true }, async () => {
      expect(await ended({ dest: '11987699603', repeat: tomorrow })).toMatchObject({ status: 'BUSY' });
    });
    expect((await born({ dest: '11987699603', repeat: tomorrow })).schedule).not.toHaveProperty(
      'retryDeclined',
    );
  });
});

describe('encodings', () => {
  let forms = 0;
  const form = async (bytes: string, encoding?: string, charset?: string): Promise<string> => {
    const tsid = `tsid=DEMO0token0DEMO0token0DEMO0tok&ctid=e${(forms += 1)}&httpdup=0&dest=${dest}`;
    const answer = await on.post(
      'MakeTTSCall',
      `${tsid}&text=${bytes}${encoding ? `&encoding=${encoding}` : ''}`,
      {
        'Content-Type': `application/x-www-form-urlencoded${charset ? `; charset=${charset}` : ''}`,
      },
    );
    const { prompts } = await on.inputOf(answer.body.return.cd_id);
    return (prompts.opening[0] as { text: string }).text;
  };

  test('[4.2/encoding] forms are ISO-8859-1 unless told otherwise', async () => {
    expect(await form('Ol%E1')).toBe('Olá');
    expect(await form('Ol%C3%A1', 'UTF-8')).toBe('Olá');
    expect(await form('Ol%C3%83%C2%A1', '2UTF-8')).toBe('Olá');
    expect(await form('Ol%E1', 'ASCII')).toBe('Ola');
    expect(await form('Ol%E1', 'iso-8859-1')).toBe('Olá');
  });

  test('a form is what its charset says, unless encoding says otherwise', async () => {
    expect(await form('Ol%C3%A1', undefined, 'UTF-8')).toBe('Olá');
    expect(await form('Ol%E1', undefined, 'iso-8859-1')).toBe('Olá');
    expect(await form('Ol%E1', 'iso-8859-1', 'UTF-8')).toBe('Olá');
  });

  test('a text that reads like UTF-8 taken for ISO-8859-1 is spoken as it is, with a warning', async () => {
    const sentence = (name: string) =>
      `${name} looks like UTF-8 that was read as ISO-8859-1; send encoding=UTF-8 with a form, 2UTF-8 with JSON`;
    expect(await form('Ol%C3%A1')).toBe('OlÃ¡');
    expect(await warned({ text: 'OlÃ¡' })).toBe(sentence('text'));
    expect(await warned({ text: '<NOME>', nome: 'JosÃ©' })).toBe(sentence('nome'));
    expect(await warned({ sms_action: 'ok', sms_text: 'AtÃ© logo' })).toBe(sentence('sms_text'));
    expect(await warned({ text: 'OlÃ¡', encoding: 'UTF-8' })).toBeUndefined();
    expect(await warned({ text: 'Olá, São João, € 5 – Ã' })).toBeUndefined();
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

describe('priority -20', () => {
  test('[4.2/priority] answers when the audio is made', async () => {
    const { body } = await ask({ priority: -20 });
    const ref = { shard: 'a', account: demoAccount, id: Number(body.return.cd_id.split('_')[1]) };
    expect((await on.service.engine.view(ref))!.milestones).toContain('prepared');
  });
});
