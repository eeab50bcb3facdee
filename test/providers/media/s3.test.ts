import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { s3Media, type S3MediaOptions } from '../../../src/providers/media/s3.ts';
import { demoAccount, startTestService } from '../../helpers/service.ts';
import { mediaContract, twoSeconds } from '../media.contract.ts';
import { login, type S3Server, startS3Server } from './s3Server.ts';

const folder = mkdtempSync(join(tmpdir(), 'ramal-s3-'));
const opened: S3Server[] = [];
afterAll(() => {
  for (const server of opened) server.close();
  rmSync(folder, { recursive: true, force: true });
});

const aBucket = async (): Promise<S3MediaOptions> => {
  const server = await startS3Server();
  opened.push(server);
  return { ...login, endpoint: server.endpoint, folder: join(folder, 'tmp') };
};

mediaContract('a bucket', async () => s3Media(await aBucket()));

describe('a bucket', () => {
  it.each([
    ['a wrong secret', { secretKey: 'wrong' }],
    ['a wrong key', { accessKey: 'AKWRONG' }],
    ['a wrong region', { region: 'us-east-1' }],
  ])('is not opened with %s, and says what the server complained of', async (_, wrong) => {
    const media = s3Media({ ...(await aBucket()), ...wrong });
    await expect(media.put(7, 'a', twoSeconds)).rejects.toThrow(/403 SignatureDoesNotMatch/);
    await expect(media.stat(7, 'a')).rejects.toThrow(/403/);
  });

  it('that does not exist is an error', async () => {
    const media = s3Media({ ...(await aBucket()), bucket: 'nowhere' });
    await expect(media.put(7, 'a', twoSeconds)).rejects.toThrow(/404 NoSuchBucket/);
    await expect(media.list('')).rejects.toThrow(/404/);
  });

  it('is listed page by page', async () => {
    const media = s3Media(await aBucket());
    const ids = Array.from({ length: 250 }, (_, n) => `tts-${n}`);
    await Promise.all(ids.map((id) => media.put(7, id, new Uint8Array([1]))));
    expect((await media.list('tts-')).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });

  it('leaves nothing on this machine', async () => {
    const media = s3Media(await aBucket());
    const parts = async function* () {
      yield await Promise.resolve(twoSeconds);
    };
    await media.put(7, 'a', parts());
    expect(readdirSync(join(folder, 'tmp'))).toEqual([]);
  });
});

describe('a server of buckets that does not work', () => {
  const servers: Server[] = [];
  afterAll(() => {
    for (const one of servers) {
      one.closeAllConnections();
      one.close();
    }
  });

  it.each([
    ['fails', 500],
    ['is busy', 503],
    ['says nothing', undefined],
  ])('and %s makes the request fail', async (_, status) => {
    const sick = createServer((_request, response) => {
      if (status !== undefined) response.writeHead(status).end('<Error><Code>Sick</Code></Error>');
    });
    servers.push(sick);
    await new Promise<void>((resolve) => sick.listen(0, '127.0.0.1', resolve));
    const { port } = sick.address() as { port: number };
    const endpoint = `http://127.0.0.1:${port}`;
    const media = s3Media({ ...login, endpoint, folder: join(folder, 'tmp'), timeoutMs: 1000 });
    await expect(media.stat(7, 'a')).rejects.toThrow(status === undefined ? /Timeout/i : `${status} Sick`);
    await expect(media.put(7, 'a', twoSeconds)).rejects.toThrow(status === undefined ? /Timeout/i : /Sick/);
  });
});

describe('a service with a bucket', () => {
  it('keeps its sound there, serves it from there, and forgets it there', async () => {
    const options = await aBucket();
    const media = s3Media(options);
    const service = await startTestService({
      S3_ENDPOINT: options.endpoint,
      S3_BUCKET: options.bucket,
      S3_REGION: options.region,
      S3_ACCESS_KEY: options.accessKey,
      S3_SECRET_KEY: options.secretKey,
    });
    try {
      const made = await service.post('CreateAudioFile', { text: 'Olá do balde' });
      const id = Number(made.body.return.cdw_file.slice(2));
      const { audios } = (await service.admin('GET', `/accounts/${demoAccount}/audios`)).body;
      const { pathname, search } = new URL(audios[0].mp3_url);
      const part = await fetch(service.url + pathname + search, { headers: { range: 'bytes=0-99' } });
      expect([part.status, part.headers.get('content-type')]).toEqual([206, 'audio/mpeg']);
      expect(await part.arrayBuffer()).toHaveProperty('byteLength', 100);
      expect((await media.list('audio-')).map((file) => file.id).toSorted()).toEqual([
        `audio-${id}`,
        `audio-${id}.mp3`,
      ]);
      const call = await service.post('MakeTTSCall', { dest: '11987650000', content: `tf${id}` });
      expect((await service.ended(call.body.return.cd_id)).cd_status).toBe('OK');
      expect((await service.admin('GET', '/health')).body.checks.media).toEqual({
        ok: true,
        detail: 'bucket sounds',
      });
      expect((await service.admin('DELETE', `/accounts/${demoAccount}/audios/${id}`)).http).toBe(204);
      expect((await service.admin('DELETE', `/accounts/${demoAccount}/audios/${id}`)).http).toBe(404);
      expect(await media.list('audio-')).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
