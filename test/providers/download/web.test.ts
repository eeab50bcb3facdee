import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FileDownloader } from '../../../src/providers/contracts/download.ts';
import { openFileDownloader } from '../../../src/providers/download/web.ts';
import { type Receiver, startReceiver } from '../../helpers/receiver.ts';
import { names } from '../../helpers/names.ts';

const maxBytes = 100_000;
let folder: string;
let web: Receiver;
let port: string;
let downloads: FileDownloader;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ramal-download-'));
  web = await startReceiver();
  ({ port } = new URL(web.url));
  downloads = openFileDownloader({
    names,
    folder,
    allowed: ['127.0.0.0/8', '::1'],
    maxBytes,
    timeoutMs: 1_500,
  });
});
afterEach(async () => {
  await downloads.stop();
  web.close();
  rmSync(folder, { recursive: true });
});

/** The sentence of a refusal, which leaves nothing behind. */
const refused = async (url: string, by = downloads): Promise<string> => {
  const got = await by.fetch(3, url);
  expect(got.outcome).toBe('refused');
  expect(readdirSync(folder)).toEqual([]);
  return got.outcome === 'refused' ? got.why : '';
};

test('a file is fetched as it is, and goes when it is discarded', async () => {
  web.answer = (_, response) => response.end(Buffer.alloc(70_000, 7));
  const got = await downloads.fetch(3, `http://localhost:${port}/a.mp3?x=1`);
  if (got.outcome !== 'fetched') throw new Error(got.why);
  expect([got.file.bytes, readFileSync(got.file.path).length]).toEqual([70_000, 70_000]);
  await got.file.discard();
  expect(readdirSync(folder)).toEqual([]);
});

describe('refusals', () => {
  test('what is no http address', async () => {
    for (const url of ['', 'nonsense', 'ftp://example.com/a', 'file:///etc/passwd', '//example.com'])
      expect(await refused(url)).toBe('is not an http or https address');
  });

  test('private addresses, however they are written', async () => {
    web.answer = (_, response) => response.end('secret');
    const strict = openFileDownloader({ names, folder, allowed: [], maxBytes });
    for (const host of [
      '127.0.0.1',
      'localhost',
      '0x7f.1',
      '2130706433',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '169.254.169.254',
      '10.0.0.1',
      '100.64.0.1',
      '0.0.0.0',
      '[64:ff9b::7f00:1]',
    ])
      expect([host, await refused(`http://${host}:${port}/`, strict)]).toEqual([
        host,
        'points into a private network',
      ]);
    await strict.stop();
  });

  test('redirects, errors, and nobody there', async () => {
    web.answer = (_, response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end();
    expect(await refused(`http://127.0.0.1:${port}/`)).toBe('redirects, which is not followed');
    web.answer = (_, response) => response.writeHead(404).end('no');
    expect(await refused(`http://127.0.0.1:${port}/`)).toBe('answers with HTTP 404');
    web.answer = (request) => request.socket.destroy();
    expect(await refused(`http://127.0.0.1:${port}/`)).toContain('cannot be fetched');
  });

  test('an address that never answers, and one that never ends', async () => {
    web.answer = () => {};
    expect(await refused(`http://127.0.0.1:${port}/`)).toBe('does not answer in time');
    web.answer = (_, response) => {
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    };
    expect(await refused(`http://127.0.0.1:${port}/`)).toBe('does not answer in time');
  });

  test('more bytes than allowed, announced or not', async () => {
    web.answer = (_, response) => response.end(Buffer.alloc(maxBytes + 1));
    expect(await refused(`http://127.0.0.1:${port}/`)).toBe('gives more than 100000 bytes');
    web.answer = (_, response) => {
      const more = (): boolean => response.destroyed || !response.write(Buffer.alloc(50_000)) || more();
      response.on('drain', more);
      more();
    };
    expect(await refused(`http://127.0.0.1:${port}/`)).toBe('gives more than 100000 bytes');
  });
});
