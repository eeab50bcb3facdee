import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { folderMediaStore } from '../../../src/providers/media/folder.ts';
import { createSignedMediaLinks } from '../../../src/providers/media/links.ts';
import { serveMedia } from '../../../src/providers/media/serve.ts';
import type { MediaFileRequest } from '../../../src/providers/media/serve.ts';

const DAY = 86_400_000;
const NOON = Date.UTC(2026, 10, 20, 12);
const BASE = 'http://127.0.0.1:8080';

const linksAt = (time: number, secret = 'secret') =>
  createSignedMediaLinks({ baseUrl: BASE, secret, now: () => time });
const pathOf = (url: string) => url.slice(BASE.length);

describe('a link to a file', () => {
  const url = linksAt(NOON).urlOf(7, 'tts-abc_1');

  it('names account and file, has no comma, and is read back', () => {
    expect(url.startsWith(`${BASE}/media/7/tts-abc_1.wav?`)).toBe(true);
    expect(url).not.toContain(',');
    expect(linksAt(NOON).read(pathOf(url))).toMatchObject({ account: 7, id: 'tts-abc_1' });
  });

  it('is the same all day, so that it may be cached', () => {
    expect(linksAt(NOON + 6 * 3_600_000).urlOf(7, 'tts-abc_1')).toBe(url);
    expect(linksAt(NOON + DAY).urlOf(7, 'tts-abc_1')).not.toBe(url);
  });

  it('is good for a day at least, and expires', () => {
    expect(linksAt(NOON + DAY).read(pathOf(url))).toBeDefined();
    expect(linksAt(NOON + 2 * DAY).read(pathOf(url))).toBeUndefined();
    const long = linksAt(NOON).urlOf(7, 'a', 365 * DAY);
    expect(linksAt(NOON + 365 * DAY).read(pathOf(long))).toBeDefined();
  });

  it.each([
    ['another account', (path: string) => path.replace('/7/', '/8/')],
    ['another file', (path: string) => path.replace('abc_1', 'abc_2')],
    ['more time', (path: string) => path.replace(/e=\d/, 'e=9')],
    ['another signature', (path: string) => path.replace(/s=./, (s) => (s === 's=A' ? 's=B' : 's=A'))],
    ['no signature', (path: string) => path.replace(/\?.*/, '')],
    ['a way out', (path: string) => path.replace('/7/', '/7/../8/')],
  ])('is not good for %s', (_, forge) => {
    expect(linksAt(NOON).read(forge(pathOf(url)))).toBeUndefined();
  });

  it('is not good under another secret', () => {
    expect(linksAt(NOON, 'other').read(pathOf(url))).toBeUndefined();
  });
});

describe('serving a file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ramal-serve-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const aServer = async () => {
    const media = folderMediaStore(folder);
    await media.put(7, 'a', Buffer.from('0123456789'));
    const links = linksAt(NOON);
    const serve = serveMedia({ media, links, now: () => NOON });
    return (request: Partial<MediaFileRequest> = {}) =>
      serve({ method: 'GET', pathAndQuery: pathOf(links.urlOf(7, 'a')), ...request });
  };

  it('answers with the whole file, its type, its length and how long it may be kept', async () => {
    const reply = await (await aServer())();
    expect(reply).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'audio/wav',
        'content-length': '10',
        'cache-control': `private, max-age=${(1.5 * DAY) / 1000}`,
      },
    });
    expect(await text(reply.stream!)).toBe('0123456789');
  });

  it.each([
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=5-99', '56789', 'bytes 5-9/10'],
  ])('answers %s with that part', async (range, content, contentRange) => {
    const reply = await (await aServer())({ range });
    expect(reply).toMatchObject({ status: 206, headers: { 'content-range': contentRange } });
    expect(reply.headers['content-length']).toBe(String(content.length));
    expect(await text(reply.stream!)).toBe(content);
  });

  it('refuses a part that is not there, and ignores what it does not understand', async () => {
    const serve = await aServer();
    expect(await serve({ range: 'bytes=10-12' })).toMatchObject({
      status: 416,
      headers: { 'content-range': 'bytes */10' },
    });
    const whole = await serve({ range: 'bytes=0-1,4-5' });
    expect(whole.status).toBe(200);
    expect(await text(whole.stream!)).toBe('0123456789');
  });

  it('sends nothing to who has it, or only wants to know', async () => {
    const serve = await aServer();
    const known = await serve({ method: 'HEAD' });
    expect(known).toMatchObject({ status: 200, headers: { 'content-length': '10' } });
    expect(known.stream).toBeUndefined();
    const again = await serve({ ifNoneMatch: known.headers['etag'] });
    expect(again.status).toBe(304);
    expect(again.stream).toBeUndefined();
  });

  it('knows no file without a good link, and takes no other method', async () => {
    const serve = await aServer();
    expect(await serve({ pathAndQuery: '/media/7/a.wav' })).toEqual({ status: 404, headers: {} });
    expect(await serve({ pathAndQuery: pathOf(linksAt(NOON).urlOf(7, 'gone')) })).toMatchObject({
      status: 404,
    });
    expect(await serve({ method: 'DELETE' })).toMatchObject({ status: 405 });
  });
});
