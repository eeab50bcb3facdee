/** What is read and parsed of a body before a good token is known. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { demoToken, startTestService, type TestService } from '../helpers/service.ts';

let on: TestService;
beforeAll(async () => {
  on = await startTestService({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => on.stop());
afterEach(() => vi.restoreAllMocks());

let addresses = 0;
/** An address that nobody has used yet. */
const someone = (): string => `198.51.100.${(addresses += 1)}`;
const wrong = 'w'.repeat(30);
/** About 1.7 MB of JSON, without its end. */
const manyKeys = `{${Array.from({ length: 150_000 }, (_, n) => `"k${n}":1`).join(',')}`;
/** More than a stranger may send, and no more than anyone may. */
const someKeys = `{${Array.from({ length: 9_000 }, (_, n) => `"k${n}":1`).join(',')}`;
const json = { 'Content-Type': 'application/json' };

const fail = async (from: string, times: number): Promise<void> => {
  for (let time = 0; time < times; time += 1)
    await on.post('GetTTSVoices', { tsid: wrong }, { 'X-Forwarded-For': from });
};
const ask = async (
  operation: string,
  body: string,
  headers: Record<string, string> = {},
  query = '',
): Promise<[number, string]> => {
  const response = await fetch(`${on.url}/api/v2/${operation}.php${query}`, {
    method: 'POST',
    headers: { ...json, 'X-Forwarded-For': someone(), ...headers },
    body,
  });
  const answer = (await response.json()) as { return: { status_code: string | number } };
  return [response.status, String(answer.return.status_code)];
};

/** Sends a request's headers, and of its body what is given; answers all it is told until it is cut off. */
const headOnly = async (path: string, from: string, headers: string, body = ''): Promise<string> => {
  const socket = connect(Number(new URL(on.url).port), '127.0.0.1');
  let told = '';
  socket.on('data', (part) => (told += part.toString()));
  socket.on('error', () => {});
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${from}\r\n${headers}\r\n\r\n${body}`);
  await once(socket, 'close');
  return told;
};

describe('an address that is shut out', () => {
  let blocked = '';
  beforeAll(async () => {
    blocked = someone();
    await fail(blocked, 100);
  });

  test.each([
    ['/api/v2/GetTTSVoices.php', 'Content-Type: application/json\r\nContent-Length: 1700000'],
    ['/api/v2/GetTTSVoices.php', 'Content-Type: multipart/form-data; boundary=B\r\nContent-Length: 10'],
    ['/api/v2/CreateDestinationBase.php', 'Content-Type: application/json\r\nTransfer-Encoding: chunked'],
    ['/api/v2/CreateAudioFile.php', 'Content-Type: audio/wav\r\nContent-Length: 1700000'],
    ['/mcp', `Authorization: Bearer ${demoToken}\r\nContent-Length: 1700000`],
  ])('is refused at %s before a byte of its body has come, and cut off: %s', async (path, headers) => {
    const told = await headOnly(path, blocked, headers);
    expect(told).toMatch(/^HTTP\/1\.1 401 /);
    expect(told).toContain('199');
  });

  test('is told so when it has sent all of it, too', async () => {
    const [http, code] = await ask('GetTTSVoices', `${manyKeys}}`, { 'X-Forwarded-For': blocked });
    expect([http, code]).toEqual([401, '199']);
  });

  test('throttled: long bodies are not read, short ones are, so that it is blocked in the end', async () => {
    const from = someone();
    await fail(from, 20);
    const told = await headOnly('/api/v2/GetTTSVoices.php', from, 'Content-Length: 1700000');
    expect(told).toContain('131');
    await fail(from, 79);
    expect((await ask('GetTTSVoices', '{}', { 'X-Forwarded-For': from }))[1]).toBe('131');
    await fail(from, 1);
    expect((await ask('GetTTSVoices', '{}', { 'X-Forwarded-For': from }))[1]).toBe('199');
  });

  test('throttled: wrong tokens of the query string are counted with a body that is not read', async () => {
    const from = someone();
    await fail(from, 20);
    const path = `/api/v2/GetTTSVoices.php?tsid=${wrong}`;
    const unread = Array.from({ length: 80 }, () => headOnly(path, from, 'Content-Length: 1700000'));
    for (const told of await Promise.all(unread)) expect(told).toContain('131');
    expect((await ask('GetTTSVoices', '{}', { 'X-Forwarded-For': from }))[1]).toBe('199');
  });
});

describe('JSON of more names than a request needs', () => {
  /** How many texts of more than 100 kB are parsed meanwhile. */
  const parsing = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
    const parse = vi.spyOn(JSON, 'parse');
    const answer = await work();
    return [answer, parse.mock.calls.filter(([text]) => text.length > 100_000).length];
  };
  const ops = ['GetTTSVoices', 'MakeTTSCall', 'CreateDestinationBase', 'CreateAudioFile'];

  test.each(ops)('%s: without a token it is not parsed', async (op) => {
    const [[http], parsed] = await parsing(() => ask(op, `${manyKeys}}`));
    expect([http, parsed]).toEqual([401, 0]);
  });

  test.each(ops)(
    '%s: with a wrong token, first or last, it is not parsed, and the token counts',
    async (op) => {
      const from = someone();
      for (const body of [`{"tsid":"${wrong}",${manyKeys.slice(1)}}`, `${manyKeys},"tsid":"${wrong}"}`]) {
        const [[http], parsed] = await parsing(() => ask(op, body, { 'X-Forwarded-For': from }));
        expect([http, parsed]).toEqual([401, 0]);
      }
      await fail(from, 18);
      expect((await ask('GetTTSVoices', `{"tsid":"${demoToken}"}`, { 'X-Forwarded-For': from }))[1]).toBe(
        '131',
      );
    },
  );

  test.each([
    ['first', `{"tsid":"${demoToken}",${someKeys.slice(1)}}`, {}, ''],
    ['last', `${someKeys},"tsid":"${demoToken}"}`, {}, ''],
    ['as sid', `${someKeys},"sid" : "${demoToken}"}`, {}, ''],
    ['behind an empty one', `{"tsid":"",${someKeys.slice(1)},"sid":"${demoToken}"}`, {}, ''],
    [
      'behind a wrong one of the same name',
      `{"tsid":"x",${someKeys.slice(1)},"tsid":"${demoToken}"}`,
      {},
      '',
    ],
    ['in the header', `${someKeys}}`, { Authorization: `Bearer ${demoToken}` }, ''],
    ['in the query string', `${someKeys},"tsid":"x"}`, {}, `?tsid=${demoToken}`],
  ])('a good token %s: it is read as ever', async (_, body, headers, query) => {
    expect(await ask('GetTTSVoices', body, headers, query)).toEqual([200, '0']);
  });

  test.each([
    ['white space of 2 kB', ' '.repeat(2_000)],
    ['white space of 20 kB', '\n\t '.repeat(7_000)],
    ['a byte order mark and white space', `\ufeff${' '.repeat(2_000)}`],
  ])('%s before its brace hides nothing of it', async (_, blank) => {
    for (const op of ops) {
      const [[http], parsed] = await parsing(() => ask(op, `${blank}${manyKeys}}`));
      expect([op, http < 500, parsed]).toEqual([op, true, 0]);
    }
    const known = `${blank}${someKeys},"tsid":"${demoToken}"}`;
    expect(await ask('GetTTSVoices', known)).toEqual([200, '0']);
  });

  test.each(ops)('%s: of a known caller 150,000 names are not parsed either', async (op) => {
    for (const body of [
      `{"tsid":"${demoToken}",${manyKeys.slice(1)}}`,
      `{"tsid":"${demoToken}","inner":${manyKeys}}}`,
    ]) {
      const [[http, code], parsed] = await parsing(() => ask(op, body));
      expect([http >= 400 && http < 500, parsed]).toEqual([true, 0]);
      expect(code).not.toBe('0');
    }
    const [[http]] = await parsing(() => ask(op, `${manyKeys}}`, { Authorization: `Bearer ${demoToken}` }));
    expect([400, 413]).toContain(http);
  });

  test('it is a token of the outermost object only', async () => {
    const body = `${manyKeys},"inner":{"tsid":"${demoToken}"},"text":"\\"tsid\\":\\"${demoToken}\\""}`;
    expect(await ask('GetTTSVoices', body)).toEqual([401, '100']);
  });

  test('multipart and forms of many fields end at their bounds', async () => {
    const form = Array.from({ length: 150_000 }, (_, n) => `k${n}=1`).join('&');
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await ask('GetTTSVoices', form, headers))[0]).toBe(401);
    expect((await ask('CreateDestinationBase', form, headers))[0]).toBe(401);
  });
});

describe('odd JSON of a known caller', () => {
  const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  const shapes: [string, string][] = [
    [
      'a prototype',
      `"__proto__":{"maxreg":"1"},"constructor":{"prototype":1},"hasOwnProperty":1,"toString":""`,
    ],
    ['depth', `"text":${deep(900_000)}`],
    ['depth of a little', `"dest":${deep(60)}`],
    ['depth under an escaped name', `"data\\u006ason":${deep(300_000)},"text":${deep(3000)}`],
    ['a number of a megabyte', `"maxreg":${'1'.repeat(1_000_000)},"dest":1e${'9'.repeat(1000)}`],
    ['the same name often', Array.from({ length: 50_000 }, () => '"dest":"1"').join(',')],
    ['the same long parameter often', Array.from({ length: 5_000 }, () => '"datajson":[]').join(',')],
    ['a name of a megabyte', `"${'n'.repeat(1_000_000)}":1`],
    ['lone halves', `"text":"\\ud800\\u0000","name":"\\udfff"`],
  ];
  const operations = [
    'GetTTSVoices',
    'MakeTTSCall',
    'CreateDestinationBase',
    'CreateAudioFile',
    'CreateCampaign',
  ];

  test.each(shapes)('%s ends in an answer, and no incident', async (_, inside) => {
    for (const op of operations) {
      const [http] = await ask(op, `{"tsid":"${demoToken}",${inside}}`);
      expect([op, http < 500]).toEqual([op, true]);
    }
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"make_call","arguments":{${inside}}}}`;
    const response = await fetch(`${on.url}/mcp`, {
      method: 'POST',
      headers: { ...json, Authorization: `Bearer ${demoToken}` },
      body: message,
    });
    expect(response.status).toBeLessThan(500);
    const admin = await fetch(`${on.url}/admin/api/accounts`, {
      method: 'POST',
      headers: { ...json, Authorization: 'Bearer admin-for-tests' },
      body: `{${inside}}`,
    });
    expect(admin.status).toBeLessThan(500);
  });
});
