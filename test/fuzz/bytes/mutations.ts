/** From a seed to the bytes of a request, damaged in a few ways. */
import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Dice } from './dice.ts';
import { hostileHeaders, hostileJson, hostileWords } from './hostile.ts';
import { multipartOf, type Seed } from './seeds.ts';

/** One request as it is sent. */
export interface Shot {
  door: Seed['door'];
  /** Of the seed: `POST /api/v2/MakeSMS.php`. */
  about: string;
  bytes: Buffer;
  /** What comes after it on the same connection is understood. */
  isFramed: boolean;
  /** Its answer has no body. */
  isHead: boolean;
  /** What is done when the bytes are sent and they are not framed. */
  ending: 'wait' | 'halfClose' | 'reset';
}

interface Draft {
  method: string;
  path: string;
  headers: [name: string, value: string][];
  body: Buffer | undefined;
  signWith: string | undefined;
  isFramed: boolean;
}

export const shotOf = (seeds: readonly Seed[], dice: Dice): Shot => {
  const seed = lotOf(seeds, dice);
  const { door, method, path, body, signWith } = seed;
  const draft: Draft = {
    ...{ method, path, body, signWith, isFramed: true },
    headers: seed.headers.map(([name, value]) => [name, value]),
  };
  const times = dice.pick([0, 1, 1, 1, 1, 2, 2, 3]);
  for (let n = 0; n < times; n += 1) dice.pick(damages)(draft, dice, seeds);
  const bytes = written(draft, dice);
  const isBroken = dice.once(14);
  return {
    ...{ door, about: `${method} ${path.split('?')[0]}` },
    bytes: isBroken ? brokenBytes(bytes, dice) : bytes,
    isFramed: draft.isFramed && !isBroken,
    isHead: draft.method === 'HEAD',
    ending: dice.pick(['wait', 'halfClose', 'halfClose', 'reset'] as const),
  };
};

const weights = new WeakMap<readonly Seed[], Seed[]>();
const lotOf = (seeds: readonly Seed[], dice: Dice): Seed => {
  const lots = weights.get(seeds) ?? seeds.flatMap((seed) => Array.from({ length: seed.weight }, () => seed));
  weights.set(seeds, lots);
  return dice.pick(lots);
};

type Damage = (draft: Draft, dice: Dice, seeds: readonly Seed[]) => void;

const inBody =
  (change: (body: Buffer, dice: Dice, seeds: readonly Seed[]) => Buffer): Damage =>
  (draft, dice, seeds) => {
    draft.body &&= change(draft.body, dice, seeds);
  };

/** The value after a colon, or some other token, becomes one that is hard to read. */
const hostileValue = inBody((body, dice) => {
  const text = body.toString('latin1');
  const values = [...text.matchAll(/:("(?:[^"\\]|\\.)*"|-?\d+|true|false|null)/g)];
  if (values.length === 0) return body;
  const { index, 1: value } = dice.pick(values);
  return Buffer.from(
    text.slice(0, index + 1) + dice.pick(hostileJson) + text.slice(index + 1 + value!.length),
    'latin1',
  );
});

const hostileFormValue = inBody((body, dice) => {
  const text = body.toString('latin1');
  const values = [...text.matchAll(/=([^&\r\n"]*)/g)];
  if (values.length === 0) return body;
  const { index, 1: value } = dice.pick(values);
  return Buffer.from(
    text.slice(0, index + 1) + dice.pick(hostileWords) + text.slice(index + 1 + value!.length),
    'latin1',
  );
});

const flip = (bytes: Buffer, dice: Dice): Buffer => {
  const copy = Buffer.from(bytes);
  for (let n = dice.roll(3); n >= 0 && copy.length > 0; n -= 1) copy[dice.roll(copy.length)] = dice.roll(256);
  return copy;
};

const rangeOf = (bytes: Buffer, dice: Dice): [number, number] => {
  const from = dice.roll(bytes.length + 1);
  return [from, Math.min(bytes.length, from + dice.roll(dice.pick([4, 40, 400])))];
};

const cutOut = (bytes: Buffer, dice: Dice): Buffer => {
  const [from, to] = rangeOf(bytes, dice);
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
};

const doubled = (bytes: Buffer, dice: Dice): Buffer => {
  const [from, to] = rangeOf(bytes, dice);
  const piece = bytes.subarray(from, to);
  return Buffer.concat([
    bytes.subarray(0, to),
    ...Array.from({ length: dice.pick([1, 1, 3, 50]) }, () => piece),
    bytes.subarray(to),
  ]);
};

const spliced = (bytes: Buffer, dice: Dice, seeds: readonly Seed[]): Buffer => {
  const other = dice.pick(seeds).body ?? Buffer.from('x');
  return Buffer.concat([
    bytes.subarray(0, dice.roll(bytes.length + 1)),
    other.subarray(dice.roll(other.length + 1)),
  ]);
};

/** The parts of a form, each head damaged as no client would. */
const asMultipart: Damage = (draft, dice) => {
  if (!draft.body || !draft.path.startsWith('/api/')) return;
  const given = objectIn(draft.body);
  if (!given) return;
  const boundary = dice.pick([
    'fuzz',
    'fuzz',
    'fuzz',
    '"fuzz"',
    'fuzz; charset=x',
    '',
    'f'.repeat(300),
    'fu\xffzz',
  ]);
  const type = dice.pick([
    'multipart/form-data',
    'multipart/form-data',
    'multipart/mixed',
    'Multipart/Form-Data',
    'multipart/',
  ]);
  setHeader(draft, 'Content-Type', dice.once(12) ? type : `${type}; boundary=${boundary}`);
  const text = multipartOf(given, dice.once(2)).toString('latin1');
  const heads = [...text.matchAll(/\r\n\r\n/g)].map(({ index }) => index);
  const at = heads.length > 0 ? dice.pick(heads) : 0;
  const extra = dice.pick([
    'Content-Transfer-Encoding: 8bit', 'Content-Transfer-Encoding: 7bit', 'Content-Transfer-Encoding: base64', 'Content-Transfer-Encoding: quoted-printable',
    'Content-Transfer-Encoding: x\xff', 'Content-Type: multipart/mixed; boundary=inner', 'Content-Type: text/plain; charset=klingon', 'Content-Disposition: form-data; name="x"; filename="a; name=tsid"',
    'Content-Disposition: form-data; name', "Content-Disposition: form-data; name*=utf-8''%ff; filename*=x", 'Content-Disposition: attachment', ': ', 'X', `X: ${'y'.repeat(20_000)}`, 'X: y\r\n'.repeat(200), 'A\0: b',
  ]); // prettier-ignore
  const damaged = `${text.slice(0, at)}\r\n${extra}${text.slice(at)}`;
  const ended = dice.pick([
    damaged,
    damaged,
    damaged.replace('--fuzz--', '--fuzz'),
    damaged.replaceAll('\r\n', '\n'),
    damaged.slice(0, -9),
    `preamble\r\n${damaged}`,
  ]);
  draft.body = Buffer.from(ended, 'latin1');
};

/** Undefined: no object, or one that is nested too deep to be written. */
const objectIn = (body: Buffer): Record<string, unknown> | undefined => {
  try {
    const read = JSON.parse(body.toString()) as Record<string, unknown>;
    JSON.stringify(read);
    return read;
  } catch {
    return undefined;
  }
};

const wrapped = inBody((body, dice) => {
  const depth = dice.pick([1, 10, 65, 5_000]);
  const [open, close] = dice.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[[', ']]'],
  ] as const);
  return Buffer.concat([Buffer.from(open.repeat(depth)), body, Buffer.from(close.repeat(depth))]);
});

const encodings = inBody((body, dice) =>
  dice.pick([
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
    () => Buffer.from(body.toString(), 'utf16le'),
    () => Buffer.from(body.toString(), 'latin1'),
    () => gzipSync(body),
    () => Buffer.concat([body, Buffer.from(' \r\n')]),
    () => Buffer.alloc(0),
  ])(),
);

const setHeader = (draft: Draft, name: string, value: string): void => {
  draft.headers = draft.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
  draft.headers.push([name, value]);
};

const someHeader: Damage = (draft, dice) => {
  const [name, values] = dice.pick(hostileHeaders);
  if (dice.once(3)) draft.headers.push([name, dice.pick(values)]);
  else setHeader(draft, name, dice.pick(values));
};

const inQuery: Damage = (draft, dice) => {
  const sign = draft.path.includes('?') ? '&' : '?';
  const name = dice.pick([
    'tsid',
    'limit',
    'after',
    'cursor',
    'state',
    'encoding',
    'maxreg',
    'x',
    'a[b]',
    '__proto__',
    '',
    '%00',
    'hub.mode',
    'token',
  ]);
  draft.path += `${sign}${name}=${dice.pick(hostileWords).slice(0, 3_000)}`;
};

const inPath: Damage = (draft, dice) => {
  const [path, query] = draft.path.split('?') as [string, string | undefined];
  const pieces = path.split('/');
  pieces[1 + dice.roll(pieces.length - 1)] = dice.pick([
    '%00',
    '%ff',
    '%',
    '..',
    '%2e%2e',
    '',
    '9'.repeat(1_000),
    '-1',
    '2147483648',
    '9007199254740993',
    '*',
    'a_0',
    "'",
    '%F0%9F%98%80',
  ]);
  draft.path = pieces.join('/') + (query === undefined ? '' : `?${query}`);
};

/** In the admin API a read of what stands must not become its end. */
const otherMethod: Damage = (draft, dice) => {
  const harmless = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PROPFIND'];
  draft.method = dice.pick(
    draft.path.startsWith('/admin') ? harmless : [...harmless, 'PUT', 'DELETE', 'PATCH'],
  );
};

const damages: readonly Damage[] = [
  hostileValue, hostileValue, hostileValue, hostileValue, hostileFormValue, hostileFormValue, asMultipart, asMultipart, asMultipart, inBody(flip), inBody(cutOut), inBody(doubled),
  inBody(spliced), wrapped, encodings, someHeader, someHeader, inQuery, inQuery, inPath, otherMethod,
]; // prettier-ignore

const written = (draft: Draft, dice: Dice): Buffer => {
  const { method, path, body, signWith } = draft;
  const headers = [['Host', 'localhost'], ...draft.headers] as [string, string][];
  if (signWith !== undefined && body)
    headers.push([
      'X-Hub-Signature-256',
      `sha256=${createHmac('sha256', signWith).update(body).digest('hex')}`,
    ]);
  const isChunked = body !== undefined && dice.once(8);
  if (isChunked) headers.push(['Transfer-Encoding', 'chunked']);
  else if (body) headers.push(['Content-Length', String(body.length)]);
  draft.isFramed &&= !headers.some(([name, value]) => endsTalk(name, value));
  const head = `${method} ${path.replaceAll(/[\0- \x7f-\xff]/g, '_')} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return Buffer.concat([
    Buffer.from(head, 'latin1'),
    ...(body ? [isChunked ? chunked(body, dice) : body] : []),
  ]);
};

/** Node ends the connection, or waits for something else, after such a header. */
const endsTalk = (name: string, value: string): boolean => {
  if (!/^[\w-]+$/.test(name) || value.length > 12_000) return true;
  if (/^(connection|upgrade|expect)$/i.test(name)) return true;
  if (/^transfer-encoding$/i.test(name)) return value !== 'chunked';
  if (/^content-length$/i.test(name)) return !/^\d{2,}$/.test(value);
  return /^host$/i.test(name) && value !== 'localhost';
};

const chunked = (body: Buffer, dice: Dice): Buffer => {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const size = 1 + dice.roll(dice.pick([3, 100, 100_000]));
    const piece = body.subarray(at, at + size);
    pieces.push(
      Buffer.from(`${piece.length.toString(16)}${dice.pick(['', '', ';x=y', ';'.padEnd(50, 'z')])}\r\n`),
      piece,
      Buffer.from('\r\n'),
    );
    at += size;
  }
  return Buffer.concat([
    ...pieces,
    Buffer.from(`0\r\n${dice.pick(['', '', 'X-Trailer: y\r\n', '__proto__: x\r\n'])}\r\n`),
  ]);
};

/** Of the whole request, its framing too. */
const brokenBytes = (bytes: Buffer, dice: Dice): Buffer =>
  dice.pick([
    flip,
    cutOut,
    doubled,
    (all: Buffer) => all.subarray(0, dice.roll(all.length)),
    (all: Buffer) => Buffer.from(all.toString('latin1').replace(/Content-Length: \d+/, `Content-Length: ${dice.pick(['0', '1', '99999', '-1', '0x10', '1e3', '5, 5', '99999999999999999999'])}`), 'latin1'),
    (all: Buffer) => Buffer.from(all.toString('latin1').replace(/\r\n/, `\r\nContent-Length: 3\r\n`), 'latin1'),
    (all: Buffer) => Buffer.from(all.toString('latin1').replace('HTTP/1.1', dice.pick(['HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'XTTP/1.1'])), 'latin1'),
    (all: Buffer) => Buffer.from(all.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
    (all: Buffer) => Buffer.from(all.toString('latin1').replace(/[0-9a-f]+\r\n/, dice.pick(['fffffffffffffffff\r\n', '-1\r\n', '\r\n', 'g\r\n'])), 'latin1'),
  ])(bytes, dice); // prettier-ignore
