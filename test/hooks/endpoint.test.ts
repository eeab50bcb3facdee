import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appSecret, type HookBed, signed, startHookBed, verifyToken } from './bed.ts';
import { aboutMessages } from './bodies.ts';
import { demoAccount } from '../helpers/service.ts';

let bed: HookBed;
let line: number;
beforeAll(async () => {
  bed = await startHookBed();
  line = await bed.line({ v8l_class: 'msgapp' });
});
afterAll(() => bed.stop());

const at = (path: string) => fetch(`${bed.on.url}/hooks/${path}`);
const handshake = (token: string, mode = 'subscribe') =>
  `?hub.mode=${mode}&hub.verify_token=${token}&hub.challenge=1158201444`;

const incoming = (id: string) =>
  aboutMessages({
    messages: [{ id, from: '5511987650000', timestamp: '1795188600', type: 'text', text: { body: 'Olá' } }],
  });
const kept = async (id: string) =>
  (await bed.database.pool.query('SELECT 1 FROM inbound_messages WHERE upstream_id = $1', [id])).rows.length;

describe('the handshake', () => {
  test('answers the bare challenge to whoever knows the verify token', async () => {
    const answer = await at(`msgapp/${line}${handshake(verifyToken)}`);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/plain; charset=utf-8',
      '1158201444',
    ]);
  });

  test('counts wrong tokens of a line, however its number is written, and of no other', async () => {
    const guessed = await bed.line({ v8l_class: 'msgapp' });
    const statusOf = async (written: string, token = 'wrong') =>
      (await at(`msgapp/${written}${handshake(token)}`)).status;
    const spellings = ['', '0', '00', '000'].map((zeros) => `${zeros}${guessed}`);
    for (let guess = 0; guess < 20; guess += 1) expect(await statusOf(spellings[guess % 4]!)).toBe(403);
    expect(await Promise.all(spellings.map((written) => statusOf(written)))).toEqual([429, 429, 429, 429]);
    expect(await statusOf(String(line), verifyToken)).toBe(200);
  });

  test('refuses another token, another mode, and a line that has none', async () => {
    const silent = await bed.line({ v8l_class: 'msgapp', verify_token: '' });
    const asked = [
      `msgapp/${line}${handshake('wrong')}`,
      `msgapp/${line}${handshake(verifyToken, 'unsubscribe')}`,
      `msgapp/${line}`,
      `msgapp/${silent}${handshake('')}`,
    ];
    for (const path of asked) {
      const answer = await at(path);
      expect([path, answer.status, await answer.text()]).toEqual([
        path,
        403,
        'the verify token does not fit',
      ]);
    }
  });

  test('knows no line of another channel, and none that does not exist', async () => {
    for (const path of [`pagechat/${line}`, 'msgapp/99999999', 'msgapp/x', 'sms/1', 'msgapp/1/2'])
      expect([path, (await at(`${path}${handshake(verifyToken)}`)).status]).toEqual([path, 404]);
  });
});

describe('the signature', () => {
  test('is looked for over the body as it came, byte by byte', async () => {
    const raw = ` {"entry": [],\n "a": "caf\\u00e9 é" }\n`;
    expect(await bed.hook('msgapp', line, raw)).toMatchObject({ http: 200, text: 'EVENT_RECEIVED' });
    const same = JSON.stringify(JSON.parse(raw));
    expect(await bed.hook('msgapp', line, same, signed(raw))).toMatchObject({ http: 403 });
  });

  test('refuses whoever has not the app secret, and does nothing', async () => {
    const body = incoming('wamid.forged');
    const raw = JSON.stringify(body);
    const forged = [
      null,
      '',
      'sha256=',
      'sha256=00',
      signed(raw, 'another secret'),
      signed(raw).replace('sha256=', ''),
      signed(raw).replace('sha256=', 'sha1='),
      signed(`${raw} `),
    ];
    for (const signature of forged)
      expect([signature, await bed.hook('msgapp', line, raw, signature)]).toMatchObject([
        signature,
        { http: 403, text: 'the signature does not fit' },
      ]);
    expect(await kept('wamid.forged')).toBe(0);
    expect((await bed.hook('msgapp', line, raw)).http).toBe(200);
    expect(await kept('wamid.forged')).toBe(1);
  });

  test('is asked for of every line: one without an app secret takes no hooks', async () => {
    const open = await bed.line({ v8l_class: 'msgapp', app_secret: '' });
    const raw = JSON.stringify(incoming('wamid.unsigned'));
    for (const signature of [null, signed(raw, ''), signed(raw)])
      expect((await bed.hook('msgapp', open, raw, signature)).http).toBe(403);
    expect(await kept('wamid.unsigned')).toBe(0);
  });

  test('of one line opens no other, and none of another channel', async () => {
    const other = await bed.line({ v8l_class: 'pagechat', app_secret: 'another' });
    const raw = JSON.stringify(incoming('wamid.misled'));
    expect((await bed.hook('pagechat', other, raw)).http).toBe(403);
    expect((await bed.hook('pagechat', line, raw)).http).toBe(404);
    expect((await bed.hook('msgapp', 99_999_999, raw)).http).toBe(404);
  });

  test('that cannot be looked for, because SECRET_KEY has changed, is our fault', async () => {
    const broken = await bed.line({ v8l_class: 'msgapp' });
    await bed.database.pool.query('UPDATE chat_lines SET app_secret = $3 WHERE account_id = $1 AND id = $2', [
      demoAccount,
      broken,
      'v1.AAAA',
    ]);
    const { http, text } = await bed.on.broken(() => bed.hook('msgapp', broken, incoming('wamid.broken')));
    expect([http, text]).toEqual([500, expect.stringMatching(/^internal error, incident [0-9a-f]{12}$/)]);
    expect(text).not.toContain(appSecret);
  });
});

describe('bodies', () => {
  test('that are no JSON objects are refused in a sentence', async () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    for (const raw of ['', 'x', '[]', '{', '"text"', '7', 'null', `{"a":${deep}}`])
      expect([raw.slice(0, 9), await bed.hook('msgapp', line, raw)]).toMatchObject([
        raw.slice(0, 9),
        { http: 400, text: 'the body is no JSON object' },
      ]);
  });

  test('of unknown shapes are acknowledged: bringing them again would not help', async () => {
    const odd: object[] = [
      { entry: 'x' },
      { entry: [null, 7, { changes: 'x' }, { changes: [null, {}, { field: 'calls', value: 3 }] }] },
      aboutMessages({ messages: [null, {}, { id: 7 }, { id: 'm', from: [] }], statuses: [{}, { id: 'm' }] }),
      aboutMessages({ statuses: [{ id: 'wamid.1', status: 'teleported', timestamp: 'soon' }] }),
      aboutMessages({ messages: [{ id: 'x'.repeat(600), from: '5511987650000', type: 'text' }] }),
      { __proto__: null, constructor: 1, entry: [{ changes: [{ field: 'messages', value: [] }] }] },
    ];
    for (const body of odd) expect((await bed.hook('msgapp', line, body)).http).toBe(200);
  });

  test('larger than a megabyte are refused, announced or not', async () => {
    const large = JSON.stringify({ entry: [], filler: 'x'.repeat(1_100_000) });
    expect(await bed.hook('msgapp', line, large)).toMatchObject({
      http: 413,
      text: 'the body is larger than 1048576 bytes',
    });
    const answer = await fetch(`${bed.on.url}/hooks/msgapp/${line}`, {
      method: 'POST',
      headers: { 'x-hub-signature-256': signed(large) },
      body: new Blob([large]).stream(),
      duplex: 'half',
    });
    expect(answer.status).toBe(413);
  });

  test('of more than ten thousand events are refused', async () => {
    const statuses = Array.from({ length: 10_001 }, (_, n) => ({ id: `w${n}`, status: 'sent' }));
    expect(await bed.hook('msgapp', line, aboutMessages({ statuses }))).toMatchObject({ http: 413 });
  });

  test('with characters that no database takes lose them', async () => {
    const odd = incoming('wamid.odd');
    const raw = JSON.stringify(odd).replace('Olá', 'a\\u0000b\\ud83d');
    expect((await bed.hook('msgapp', line, raw)).http).toBe(200);
    const { rows } = await bed.database.pool.query(
      "SELECT body FROM inbound_messages WHERE upstream_id = 'wamid.odd'",
    );
    expect(rows).toEqual([{ body: 'a\uFFFDb\uFFFD' }]);
  });

  test('come by POST', async () => {
    const answer = await fetch(`${bed.on.url}/hooks/msgapp/${line}`, { method: 'PUT', body: '{}' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });
});
