import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  s3DeliveryTarget,
  type S3DeliveryTargetOptions,
} from '../../../src/providers/delivery/fileTargets/s3.ts';
import { s3Client } from '../../../src/providers/media/s3Client.ts';
import { login, type S3Server, startS3Server } from '../media/s3Server.ts';
import { aFile, text } from './files.ts';
import { lookup } from '../../helpers/names.ts';

let server: S3Server;
let temporary: string;
beforeAll(async () => {
  server = await startS3Server();
  temporary = mkdtempSync(join(tmpdir(), 'ramal-s3-'));
});
afterAll(() => {
  server.close();
  rmSync(temporary, { recursive: true });
});

const target = (changes: Partial<S3DeliveryTargetOptions> = {}) =>
  s3DeliveryTarget({
    lookup,
    ...{ endpoint: server.endpoint, region: login.region, bucket: login.bucket, folder: 'in/2026' },
    secret: { access_key: login.accessKey, secret_key: login.secretKey },
    ...{ allowed: ['127.0.0.0/8'], temporary },
    ...changes,
  });

const stored = async (key: string): Promise<string | undefined> => {
  const answer = await s3Client({ ...login, endpoint: server.endpoint })('GET', key);
  const body = (await answer.body.toArray()).join('');
  return answer.status === 200 ? body : undefined;
};

it('puts a file into the bucket, replaces one of the same name, and leaves nothing here', async () => {
  await target().put(aFile());
  expect(await stored('in/2026/campaign-17.csv')).toBe('a;b\r\nJoão;1\r\n');
  await target().put(aFile({ content: text('new') }));
  expect(await stored('in/2026/campaign-17.csv')).toBe('new');
  expect(readdirSync(temporary)).toEqual([]);
});

it('sends nothing of content that breaks, and passes the fault on as it is', async () => {
  const bug = new TypeError('a mistake of ours');
  async function* breaking(): AsyncGenerator<string> {
    yield 'half';
    throw bug;
  }
  await expect(target({ folder: 'broken' }).put(aFile({ content: breaking() }))).rejects.toBe(bug);
  expect(await stored('broken/campaign-17.csv')).toBeUndefined();
  expect(readdirSync(temporary)).toEqual([]);
});

it('says no for good to wrong credentials and to a bucket that is not there', async () => {
  const secret = { access_key: login.accessKey, secret_key: 'guess' };
  const refusals = [
    [target({ secret }), 'credentialsRefused'],
    [target({ bucket: 'nowhere' }), 'noBucket'],
    [target({ allowed: [] }), 'addressRefused'],
    [target({ endpoint: 'http://localhost:9', allowed: [] }), 'addressRefused'],
  ] as const;
  for (const [to, reason] of refusals)
    await expect(to.put(aFile())).rejects.toMatchObject({ name: 'NotRetryable', reason });
});

it('reads no more of an endless complaint than a complaint has', async () => {
  let cut = false;
  const endless = createServer((request, response) => {
    request.resume();
    response.writeHead(500);
    const more = (): void => {
      while (!response.destroyed && response.write('<x>'.repeat(10_000)));
    };
    response.on('drain', more).on('close', () => (cut = true));
    more();
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(endless.address() as AddressInfo).port}`;
  await expect(target({ endpoint }).put(aFile())).rejects.toThrow('the bucket answered 500');
  await expect.poll(() => cut).toBe(true);
  endless.close();
});

it('may be tried again when nobody is there', async () => {
  await expect(target({ endpoint: 'http://127.0.0.1:9' }).put(aFile())).rejects.toMatchObject({
    name: 'Retryable',
  });
});
