/** From a plan to the bytes of a request. */
import { gzipSync } from 'node:zlib';
import { demoToken } from '../helpers/service.ts';
import type { Plan } from './plan.ts';
import { jsonText, RawJson } from './values.ts';

export interface FuzzRequest {
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

/** `from`: the address that the request claims to come from. */
export const requestOf = (plan: Plan, sound: Buffer, from: string): FuzzRequest => {
  const { type, body } = bodyOf(plan, sound);
  const headers: Record<string, string> = {
    ...(type !== undefined && { 'Content-Type': type }),
    ...(plan.token === 'bearer' && { Authorization: `Bearer ${demoToken}` }),
    ...(plan.key !== undefined && { 'Idempotency-Key': plan.key }),
    'X-Forwarded-For': from,
  };
  const damaged = damage(plan, { path: pathOf(plan), headers, body });
  return { ...damaged, headers: { ...damaged.headers, 'Content-Length': String(damaged.body.length) } };
};

const pathOf = ({ operation, query, token, format, pairs }: Plan): string => {
  const all = [
    ...query,
    ...(token === 'query' || (format === 'raw' && token === 'body') ? [['tsid', demoToken]] : []),
    ...(format === 'raw' ? pairs.map(([name, value]) => [name, formText(value).slice(0, 200)]) : []),
  ] as [string, string][];
  const written = all.map(([name, value]) => `${escapeBytes(name)}=${escapeBytes(value)}`).join('&');
  return `/api/v2/${operation}.php${written === '' ? '' : `?${written}`}`;
};

const tokenPairs = ({ token, format }: Plan): [string, unknown][] => {
  switch (token) {
    case 'body':
      return format === 'raw' ? [] : [['tsid', demoToken]];
    case 'sid':
      return [['sid', demoToken]];
    case 'unknown':
      return [['tsid', 'x'.repeat(30)]];
    case 'malformed':
      return [['tsid', `${demoToken}\0`]];
    case 'object':
      return [['tsid', { $ne: null }]];
    default:
      return [];
  }
};

const bodyOf = (plan: Plan, sound: Buffer): { type: string | undefined; body: Buffer } => {
  const pairs = [...tokenPairs(plan), ...plan.pairs];
  switch (plan.format) {
    case 'json':
      return { type: 'application/json', body: Buffer.from(jsonOf(pairs)) };
    case 'odd':
      return { type: 'text/x-anything; charset=klingon', body: Buffer.from(jsonOf(pairs)) };
    case 'form':
      return {
        type: 'application/x-www-form-urlencoded',
        body: Buffer.from(
          pairs.map(([name, value]) => `${escapeBytes(name)}=${escapeBytes(formText(value))}`).join('&'),
        ),
      };
    case 'multipart':
      return {
        type: `multipart/form-data; boundary=${boundary}`,
        body: multipart(pairs, fileOf(plan, sound)),
      };
    case 'raw':
      return { type: 'audio/wav', body: fileOf({ ...plan, file: 'wav' }, sound)!.content };
  }
};

const jsonOf = (pairs: readonly (readonly [string, unknown])[]): string =>
  `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${jsonText(value)}`).join(',')}}`;

const formText = (value: unknown): string =>
  typeof value === 'string' ? value : value instanceof RawJson ? value.text : jsonText(value);

const escapeBytes = (text: string): string =>
  [...Buffer.from(text)]
    .map((byte) => {
      const sign = String.fromCharCode(byte);
      return /[A-Za-z0-9._-]/.test(sign) ? sign : `%${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');

const boundary = 'fuzzBoundary';

interface Attached {
  name: string | undefined;
  type: string;
  content: Buffer;
}

const fileOf = ({ file }: Plan, sound: Buffer): Attached | undefined => {
  switch (file) {
    case 'none':
      return undefined;
    case 'csv':
      return {
        name: 'people.csv',
        type: 'text/csv',
        content: Buffer.from('phone;name\r\n11987650000;Ana\r\nx;y\r\n'),
      };
    case 'json':
      return {
        name: 'people.json',
        type: 'application/json',
        content: Buffer.from('[{"phone":"11987650000"},{}]'),
      };
    case 'wav':
      return { name: 'sound.wav', type: 'audio/wav', content: sound };
    case 'program':
      return {
        name: 'sound.wav',
        type: 'audio/wav',
        content: Buffer.from(`MZ${'\0'.repeat(300)}`, 'latin1'),
      };
    case 'empty':
      return { name: 'empty.csv', type: 'text/csv', content: Buffer.alloc(0) };
    case 'rubbish':
      return {
        name: '../../\0x.exe',
        type: 'x',
        content: Buffer.from(Array.from({ length: 400 }, (_, n) => (n * 131) % 256)),
      };
    case 'nameless':
      return { name: undefined, type: 'application/octet-stream', content: sound };
  }
};

const multipart = (pairs: readonly (readonly [string, unknown])[], file: Attached | undefined): Buffer => {
  const part = (head: string, content: Buffer) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ];
  return Buffer.concat([
    ...pairs.flatMap(([name, value]) => part(`name="${oneLine(name)}"`, Buffer.from(formText(value)))),
    ...(file
      ? part(
          `name="file"${file.name === undefined ? '' : `; filename="${file.name}"`}\r\nContent-Type: ${file.type}`,
          file.content,
        )
      : []),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
};

const oneLine = (name: string): string => name.replaceAll(/["\r\n]/g, '_');

const damage = (plan: Plan, request: FuzzRequest): FuzzRequest => {
  const { headers, body } = request;
  const at = Math.floor(plan.place * body.length);
  const withType = (type: string): FuzzRequest => ({
    ...request,
    headers: { ...headers, 'Content-Type': type },
  });
  switch (plan.damage) {
    case 'none':
      return request;
    case 'cut':
      return { ...request, body: body.subarray(0, at) };
    case 'flip':
      return {
        ...request,
        body: Buffer.concat([body.subarray(0, at), Buffer.of(0xff, 0xfe), body.subarray(at + 1)]),
      };
    case 'latin1':
      return { ...request, body: Buffer.from(body.toString('utf8'), 'latin1') };
    case 'bom':
      return { ...request, body: Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), body]) };
    case 'gzip':
      return { ...request, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: gzipSync(body) };
    case 'wrongType':
      return withType(
        plan.place < 0.3 ? 'application/json' : plan.place < 0.6 ? 'multipart/form-data' : 'text/xml',
      );
    case 'noType': {
      const { 'Content-Type': _, ...others } = headers;
      return { ...request, headers: others };
    }
    case 'twice':
      return { ...request, body: Buffer.concat([body, body]) };
    case 'list':
      return { ...request, body: Buffer.concat([Buffer.from('['), body, Buffer.from(']')]) };
    case 'text':
      return { ...request, body: Buffer.from(JSON.stringify(body.toString('utf8'))) };
    case 'badEscapes':
      return { ...request, body: Buffer.concat([body, Buffer.from('&text=%zz%e9%&%=%00&=')]) };
    case 'badBoundary':
      return withType('multipart/form-data; boundary="nobody knows it');
    case 'empty':
      return { ...request, body: Buffer.alloc(0) };
    case 'huge':
      return { ...request, body: padded(plan, body) };
  }
};

/** Larger than any body or file may be here. */
const padded = ({ format }: Plan, body: Buffer): Buffer => {
  const padding = 'x'.repeat(600_000);
  switch (format) {
    case 'json':
    case 'odd':
      return Buffer.from(body.toString('utf8').replace('{', `{"padding":"${padding}",`));
    case 'form':
      return Buffer.concat([Buffer.from(`padding=${padding}&`), body]);
    case 'multipart':
      return Buffer.concat([
        multipart([['padding', padding]], undefined).subarray(0, -`--${boundary}--\r\n`.length),
        body,
      ]);
    case 'raw':
      return Buffer.concat([body, Buffer.from(padding)]);
  }
};
