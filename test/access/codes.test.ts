import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyOperation } from '../../src/operations/declare.ts';
import { operations } from '../../src/operations/index.ts';
import { demoToken, startTestService, type TestService } from '../helpers/service.ts';
import { aWav } from '../helpers/wav.ts';

const lines: string[] = [];
let on: TestService;
beforeAll(async () => {
  on = await startTestService({ TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' }, (line) => lines.push(line));
});
afterAll(() => on.stop());

let addresses = 0;
/** An address that nobody has used yet. */
const someone = (): string => `100.64.${(addresses += 1) >> 8}.${addresses & 255}`;
const every = { telephony: true, sms: true, msgapp: true, pagechat: true, photodm: true };
const aToken = async (given: object, account?: number): Promise<string> => {
  const id = account ?? (await on.admin('POST', '/accounts', { name: 'Codes' })).body.cdcs_id;
  return (await on.admin('POST', `/accounts/${id}/tokens`, given)).body.token;
};
const ask = (op: string, tsid: string, from = someone()) =>
  on.post(op, { tsid }, { 'X-Forwarded-For': from });

/** So many at once that one of them is too many. */
const tooMany = async (op: string, tsid: string) => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => ask(op, tsid)));
  return answers.find(({ http }) => http === 429) ?? answers[0]!;
};

describe('every operation says who may not come in, in its own envelope', () => {
  /** Tokens, and addresses, that are refused under a code. */
  const refused: Record<string, { http: number; ask(op: string): ReturnType<typeof ask> }> = {};
  beforeAll(async () => {
    const closed = (await on.admin('POST', '/accounts', { name: 'Closed' })).body.cdcs_id;
    const inactive = await aToken({}, closed);
    await on.admin('PATCH', `/accounts/${closed}`, { active: false });
    const [notRest, elsewhere] = [
      await aToken({ rest: false }),
      await aToken({ allowed_ips: ['192.0.2.1'] }),
    ];
    const none = Object.fromEntries(Object.keys(every).map((name) => [name, false]));
    const denied = await aToken({ permissions: { enabled: true, apis: none } });
    const [throttled, blocked] = [someone(), someone()];
    for (let time = 0; time < 20; time += 1) await ask('GetTTSVoices', 'wrong', throttled);
    for (let time = 0; time < 100; time += 1) await ask('GetTTSVoices', 'wrong', blocked);
    const busy = await aToken({ requests_per_second: 1 });
    Object.assign(refused, {
      100: { http: 401, ask: (op: string) => ask(op, 'malformed') },
      102: { http: 401, ask: (op: string) => ask(op, 'u'.repeat(30)) },
      110: { http: 401, ask: (op: string) => ask(op, inactive) },
      114: { http: 401, ask: (op: string) => ask(op, notRest) },
      123: { http: 403, ask: (op: string) => ask(op, denied) },
      131: { http: 401, ask: (op: string) => ask(op, demoToken, throttled) },
      142: { http: 403, ask: (op: string) => ask(op, elsewhere) },
      199: { http: 401, ask: (op: string) => ask(op, demoToken, blocked) },
      429: { http: 429, ask: (op: string) => tooMany(op, busy) },
    });
  });

  /** As the envelope of an operation writes a code: a number for PageChat and PhotoDm, one of its own for lists. */
  const written = (op: AnyOperation, code: string): string | number => {
    if (op.numericCodes) return Number(code);
    return op.name === 'CreateDestinationBase' && code !== '429' ? '210' : code;
  };

  test.each(operations.map((op) => [op.name, op] as const))('%s', async (name, op) => {
    for (const [code, { http, ask: knock }] of Object.entries(refused)) {
      const answer = await knock(name);
      const { status, status_code, ...fields } = answer.body.return;
      expect([name, code, answer.http, status_code]).toEqual([name, code, http, written(op, code)]);
      if (name === 'CreateDestinationBase' && code !== '429')
        expect(status).toMatch(new RegExp(`^${code}: `));
      expect(fields).toEqual(op.failure.fields);
      const { return: _, ...beside } = answer.body;
      expect(beside).toEqual(op.failure.beside);
      if (code === '429') expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });

  test('and takes its token as a bearer', async () => {
    const token = await aToken({ permissions: { enabled: true, apis: every } });
    for (const { name } of operations) {
      const headers = { authorization: `Bearer ${token}`, 'X-Forwarded-For': someone() };
      const { http, body } = await on.post(name, { tsid: '' }, headers);
      expect([name, [401, 403, 429].includes(http), body.return.status_code]).not.toEqual([
        name,
        true,
        expect.anything(),
      ]);
    }
  });
});

describe('a token in every kind of body', () => {
  const upload = async (path: string, init: RequestInit): Promise<string> => {
    const headers = { ...(init.headers as object), 'X-Forwarded-For': someone() };
    const response = await fetch(`${on.url}/api/v2/${path}`, { method: 'POST', ...init, headers });
    return ((await response.json()) as { return: { status_code: string } }).return.status_code;
  };
  const wav = aWav(0.5);
  const raw = (query: string, headers: Record<string, string> = {}) =>
    upload(`CreateAudioFile.php?${query}`, {
      headers: { 'Content-Type': 'audio/wav', ...headers },
      body: wav,
    });

  test('raw sound: in the query string, or as a bearer', async () => {
    expect(await raw(`tsid=${demoToken}&name=raw`)).toBe('0');
    expect(await raw('name=raw', { authorization: `Bearer ${demoToken}` })).toBe('0');
    expect(await raw(`sid=${demoToken}&name=raw`)).toBe('0');
    expect(await raw('name=raw')).toBe('100');
    expect(await raw(`tsid=${'x'.repeat(30)}&name=raw`)).toBe('102');
  });

  test('multipart: as a field before or after the file, in the query, or as a bearer', async () => {
    const form = (...parts: [string, string | Blob][]): FormData => {
      const made = new FormData();
      for (const [name, value] of parts) {
        if (typeof value === 'string') made.append(name, value);
        else made.append(name, value, 'list.csv');
      }
      return made;
    };
    const file: [string, Blob] = ['file', new Blob(['phone\n11987650000\n'])];
    const path = 'CreateDestinationBase.php';
    expect(await upload(path, { body: form(['tsid', demoToken], file) })).toBe('0');
    expect(await upload(path, { body: form(file, ['tsid', demoToken]) })).toBe('0');
    expect(await upload(`${path}?tsid=${demoToken}`, { body: form(file) })).toBe('0');
    const headers = { authorization: `Bearer ${demoToken}` };
    expect(await upload(path, { headers, body: form(file) })).toBe('0');
    expect(await upload(path, { body: form(file) })).toBe('210');
  });

  test('JSON that nests too deep for a text is no token', async () => {
    const tsid = '['.repeat(20_000) + ']'.repeat(20_000);
    const { http, body } = await on.post('GetTTSVoices', `{"tsid":${tsid}}`, {
      'X-Forwarded-For': someone(),
    });
    expect([http, body.return.status_code]).toEqual([401, '100']);
  });

  test('no token stands in the log, wherever it was shown and whatever went wrong', async () => {
    const secret = await aToken({});
    const query = `tsid=${secret}`;
    await raw(`${query}&name=x`);
    await fetch(`${on.url}/api/v2/Nothing.php?${query}`, { method: 'POST' });
    await fetch(`${on.url}/hooks/msgapp/1?${query}`, { method: 'POST', body: 'x' });
    const broken = await on.without('calls', () =>
      fetch(`${on.url}/api/v2/GetCallStatus.php?${query}`, { method: 'POST', body: '{}' }),
    );
    expect(broken.status).toBe(500);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
  });
});

describe('the address of a client', () => {
  test.each([
    ['203.0.113.0/24', '203.0.113.9', true],
    ['203.0.113.9', '::ffff:203.0.113.9', true],
    ['::ffff:203.0.113.9', '203.0.113.9', true],
    ['2001:db8::/32', '2001:db8:1::1', true],
    ['2001:db8::1', '2001:0DB8:0:0::1', true],
    ['2001:db8::/32', '[2001:db8::7]:4711', true],
    ['203.0.113.9', '203.0.113.9:4711', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['127.0.0.1', 'rubbish', true],
    ['203.0.113.9', '203.0.113.9, rubbish', false],
    ['203.0.113.9', '203.0.113.9, 198.51.100.1', false],
    ['203.0.113.9', '198.51.100.1, 203.0.113.9, 10.1.2.3', true],
    ['127.0.0.1', '203.0.113.9, 0x7f.1', true],
    ['203.0.113.9', `${'9'.repeat(5_000)}, 203.0.113.9`, true],
  ])('of the list %s, asked as %s: %s', async (allowed, forwarded, isLetIn) => {
    const token = await aToken({ allowed_ips: [allowed] });
    const { http } = await ask('GetTTSVoices', token, forwarded);
    expect(http).toBe(isLetIn ? 200 : 403);
  });

  test('counts with its network, where one customer has all of it', async () => {
    for (let n = 0; n < 20; n += 1) await ask('GetTTSVoices', 'wrong', `2001:db8:5:5::${n}`);
    const code = async (from: string) => (await ask('GetTTSVoices', demoToken, from)).body.return.status_code;
    expect([await code('2001:db8:5:ff:ffff::1'), await code('2001:db8:5:100::1')]).toEqual(['131', '0']);
  });
});

test('a header is no address where no proxy is trusted', async () => {
  const alone = await startTestService();
  try {
    const { cdcs_id: id } = (await alone.admin('POST', '/accounts', { name: 'x' })).body;
    const made = await alone.admin('POST', `/accounts/${id}/tokens`, { allowed_ips: ['203.0.113.9'] });
    const asked = { tsid: made.body.token };
    const answer = await alone.post('GetTTSVoices', asked, { 'X-Forwarded-For': '203.0.113.9' });
    expect(answer.body.return.status_code).toBe('142');
  } finally {
    await alone.stop();
  }
});

describe('answers', () => {
  test('are not guessed at, framed, or kept by browsers, nor read by other sites', async () => {
    const foreign = { Origin: 'https://evil.example' };
    for (const [path, method] of [
      ['/api/v2/GetTTSVoices.php', 'POST'],
      ['/admin/api/accounts', 'GET'],
      ['/hooks/msgapp/1', 'POST'],
      ['/docs', 'GET'],
      ['/nothing', 'GET'],
      ['/api/v2/GetTTSVoices.php', 'OPTIONS'],
      ['/admin/api/accounts', 'OPTIONS'],
    ] as const) {
      const { headers } = await fetch(on.url + path, { method, headers: foreign });
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
      if (!path.startsWith('/api/'))
        expect([path, headers.get('content-security-policy')]).toEqual([
          path,
          expect.stringContaining("frame-ancestors 'none'"),
        ]);
      expect([path, headers.get('access-control-allow-origin')]).toEqual([path, null]);
      if (path !== '/docs') expect([path, headers.get('cache-control')]).toEqual([path, 'no-store']);
    }
  });

  test('are short for headers without end', async () => {
    const client = connect(Number(new URL(on.url).port), '127.0.0.1');
    let answer = '';
    client.on('data', (part) => (answer += part.toString()));
    client.on('error', () => {});
    const closed = new Promise((done) => client.once('close', done));
    client.write(`GET /healthz HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(10_000)}\r\n`);
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });
});
