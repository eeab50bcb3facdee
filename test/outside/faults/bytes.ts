/** Requests that no client means: at every door, at the level of bytes. */
import type { Dice } from '../dice.ts';

const operations = ['MakeTTSCall', 'MakeSMS', 'MakeMsgapp', 'GetCallStatus', 'CreateCampaign', 'CreateAudioFile', 'CreateDestinationBase', 'GetAudiosList'] as const; // prettier-ignore
const doors = [
  ...[
    '/mcp',
    '/admin/api/accounts',
    '/admin/api/session',
    '/hooks/sms/1',
    '/hooks/graph',
    '/graph/v22.0/1/messages',
  ],
  ...[
    '/media/x',
    '/docs',
    '/openapi.json',
    '/metrics',
    '/healthz',
    '/readyz',
    '/',
    '/%00',
    '/api/v2/%ff.php',
  ],
];

interface Body {
  type: string;
  text: string;
  /** Headers beside the usual ones. */
  more?: string;
  /** The head says how long it is. Default true. */
  measured?: boolean;
}

type Make = (dice: Dice, token: string) => Body;

const multipart = (parts: string): Body => ({ type: 'multipart/form-data; boundary=b', text: parts });
const part = (head: string, value: string): string => `--b\r\n${head}\r\n\r\n${value}\r\n`;
const field = (name: string, value: string): string =>
  part(`Content-Disposition: form-data; name="${name}"`, value);
const json = (text: string): Body => ({ type: 'application/json', text });
const chunked = (text: string): Body => ({
  ...json(text),
  more: 'Transfer-Encoding: chunked\r\n',
  measured: false,
});

const bodies: Record<string, Make> = {
  strangeEncoding: (dice, token) => {
    const encoding = dice.pick(['8bit', '7bit', 'quoted-printable', 'nonsense', '']);
    const head = `Content-Disposition: form-data; name="dest"\r\nContent-Transfer-Encoding: ${encoding}`;
    return multipart(`${field('tsid', token)}${part(head, '1')}--b--\r\n`);
  },
  endlessHeader: (dice) =>
    multipart(`--b\r\nContent-Disposition: ${'x'.repeat(dice.between(1_000, 300_000))}`),
  manyParts: (dice) => multipart(`${field('a', '1').repeat(dice.between(100, 3_000))}--b--\r\n`),
  fileInName: (_, token) =>
    multipart(`${part('Content-Disposition: form-data; name="f"; filename="a; name=tsid"', token)}--b--\r\n`),
  noBoundary: () => ({ type: 'multipart/form-data', text: '--b\r\n\r\n--b--' }),
  neverEnds: (_, token) => multipart(`${field('tsid', token)}--b\r\nContent-Disp`),
  deep: (dice, token) => json(`{"tsid":"${token}","datajson":${'['.repeat(dice.between(1_000, 200_000))}`),
  deepAndWhole: (dice, token) => {
    const depth = dice.between(100, 50_000);
    return json(`{"tsid":"${token}","dest":${'['.repeat(depth)}${']'.repeat(depth)}}`);
  },
  manyKeys: (dice) =>
    json(`{${Array.from({ length: dice.between(1_000, 20_000) }, (_, nth) => `"k${nth}":1`).join()}}`),
  prototype: (_, token) => json(`{"__proto__":{"tsid":"x"},"constructor":{"prototype":1},"tsid":"${token}"}`),
  noJson: (dice) => json(dice.pick(['{', 'nul', '"', '[[[', '\u0000', '{"a":1}}', '1e999', '\ud800'])),
  wrongTypes: (dice, token) => {
    const value = dice.pick([
      '[]',
      '{}',
      'true',
      '-1e308',
      '"\\ud800"',
      '"\\u0000"',
      '"' + 'x'.repeat(5_000) + '"',
    ]);
    return json(`{"tsid":"${token}","dest":${value},"text":${value},"message":${value},"maxreg":${value}}`);
  },
  brokenChunks: (dice) =>
    chunked(
      dice.pick(['zz\r\nx\r\n', 'ffffffffffff\r\nx', '5\r\nab', '-1\r\n\r\n', '1;ext=\r\n{\r\n0\r\nX: \r\n']),
    ),
  shortBody: () => ({ ...json('{}'), more: 'Content-Length: 400\r\n', measured: false }),
  twoLengths: () => ({ ...json('{}'), more: 'Content-Length: 2\r\nContent-Length: 7\r\n', measured: false }),
  bothLengths: () => ({
    ...chunked('2\r\n{}\r\n0\r\n\r\n'),
    more: 'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n',
  }),
  compressed: () => ({ ...json('\u001f\u008b\u0008nonsense'), more: 'Content-Encoding: gzip\r\n' }),
  form: (dice, token) => ({
    type: 'application/x-www-form-urlencoded',
    text: dice.pick([`tsid=${token}&dest=%ff%00`, '%', `${'a[b]['.repeat(5_000)}=1`, '&'.repeat(50_000)]),
  }),
  manyHeaders: (dice) => ({ ...json('{}'), more: 'X-A: b\r\n'.repeat(dice.between(100, 1_000)) }),
  expects: () => ({ ...json('{}'), more: 'Expect: 200-maybe\r\n' }),
  rpc: (dice, token) => ({
    ...json(dice.pick(['[]', '{"jsonrpc":"2.0","id":{},"method":[]}', `[${'{},'.repeat(2_000)}{}]`, '{"method":"tools/call","jsonrpc":"2.0","id":1,"params":{"name":"send_sms","arguments":[]}}'])), // prettier-ignore
    more: `Authorization: Bearer ${token}\r\n`,
  }),
};

const names = Object.keys(bodies);

/** The bytes of one, and what it is called in the evidence. `token`: a good one, that some of them show. */
export const hostileBytes = (dice: Dice, token: string): { door: string; bytes: Buffer } => {
  const path = dice.chance(0.6) ? `/api/v2/${dice.pick(operations)}.php` : dice.pick(doors);
  if (dice.chance(0.05)) return { door: 'raw bytes', bytes: rawBytes(dice) };
  const name = dice.pick(names);
  const {
    type,
    text,
    more = '',
    measured = true,
  } = bodies[name]!(dice, dice.chance(0.7) ? token : 'x'.repeat(30));
  const method = dice.pick(['POST', 'POST', 'POST', 'POST', 'PUT', 'GET', 'DELETE', 'OPTIONS', 'BREW']);
  const body = Buffer.from(text, 'latin1');
  const length = measured ? `Content-Length: ${body.length}\r\n` : '';
  // They come from elsewhere, each from an address of its own: this machine's own programs are counted together.
  const head = `${method} ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-Proto: https\r\nConnection: close\r\nContent-Type: ${type}\r\n${length}${more}\r\n`;
  return { door: `${method} ${path} ${name}`, bytes: Buffer.concat([Buffer.from(head, 'latin1'), body]) };
};

const rawBytes = (dice: Dice): Buffer =>
  dice.pick([
    () => Buffer.from(Array.from({ length: dice.between(1, 2_000) }, () => dice.between(0, 255))),
    () => Buffer.from('GET / HTTP/9.9\r\n\r\n'),
    () => Buffer.from(`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`),
    () => Buffer.from('\u0016\u0003\u0001\u0002\u0000\u0001\u0000', 'latin1'),
    () => Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  ])();
