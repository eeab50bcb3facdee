import { createServer, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clamdScanner } from '../../../src/providers/scanner/clamd.ts';
import { clamdLacking, eicar, type RunningClamd, startClamd } from '../../helpers/clamd.ts';
import { demoToken, startTestService, type TestService } from '../../helpers/service.ts';
import { aWav } from '../../helpers/wav.ts';

const absent = clamdLacking();
const streamOf = (...parts: (string | Buffer)[]): Readable =>
  Readable.from(parts.map((part) => Buffer.from(part)));

describe.skipIf(absent !== undefined)(`a real clamd${absent ? ` (${absent})` : ''}`, () => {
  let clamd: RunningClamd;
  let service: TestService;
  beforeAll(async () => {
    clamd = await startClamd(33_101);
    service = await startTestService({ CLAMD_URL: clamd.url });
  });
  afterAll(async () => {
    await service?.stop();
    await clamd?.stop();
  });

  const upload = async (file: Buffer) => {
    const form = new FormData();
    form.set('tsid', demoToken);
    form.set('audio', new Blob([new Uint8Array(file)]), 'tone.wav');
    return (await service.post('CreateAudioFile', form)).body.return;
  };

  it('names what it finds, over either socket, and lets the rest through', async () => {
    for (const url of [clamd.url, clamd.tcpUrl]) {
      const scanner = clamdScanner({ url });
      expect(await scanner.scan(streamOf(eicar))).toBe('Ramal.Test.Eicar.UNOFFICIAL');
      expect(await scanner.scan(streamOf('a'.repeat(70_000), eicar.slice(0, 30), eicar.slice(30)))).toMatch(
        /Eicar/,
      );
      expect(await scanner.scan(streamOf(aWav(2)))).toBeUndefined();
      expect(await scanner.scan(streamOf())).toBeUndefined();
      expect(await scanner.health()).toEqual({ ok: true, detail: 'clamd answers' });
    }
  });

  it('does not call clean what is too large for it', async () => {
    const tooLarge = Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(64 * 1024)));
    await expect(clamdScanner({ url: clamd.url }).scan(tooLarge)).rejects.toThrow(/virus scanner/);
  });

  it('[7/CreateAudioFile/205] has an infected upload refused by the signature’s name, and a clean one taken', async () => {
    const infected = Buffer.concat([aWav(1), Buffer.from(eicar)]);
    const answer = await upload(infected);
    expect(answer).toMatchObject({ status_code: '205', cdw_file: '0' });
    expect(answer.status).toContain('Ramal.Test.Eicar');
    expect((await upload(Buffer.concat([Buffer.from(eicar), Buffer.alloc(100, ' ')]))).status_code).toBe(
      '205',
    );
    expect(await upload(aWav(1))).toMatchObject({ status_code: '0' });
  });

  it('is shown by the health page', async () => {
    const { body } = await service.admin('GET', '/health');
    expect(body.checks.scanner).toEqual({ ok: true, detail: 'clamd answers' });
  });
});

describe('a scanner that does not work', () => {
  const servers: Server[] = [];
  /** Something that listens where clamd should. */
  const listening = async (behave: (socket: Socket) => void): Promise<string> => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      behave(socket);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    return `tcp://127.0.0.1:${typeof address === 'object' ? address!.port : 0}`;
  };
  afterAll(() => servers.forEach((server) => server.close()));

  it.each([
    ['is not there', () => Promise.resolve('tcp://127.0.0.1:9')],
    ['has no socket', () => Promise.resolve('unix:///nowhere/clamd.sock')],
    ['breaks off', () => listening((socket) => socket.destroy())],
    ['breaks off in its answer', () => listening((socket) => socket.end('stream: O'))],
    [
      'says something else',
      () => listening((socket) => void socket.resume().end('HTTP/1.1 400 Bad Request\0')),
    ],
    ['talks too much', () => listening((socket) => void socket.resume().write('x'.repeat(100_000)))],
    ['says nothing', () => listening((socket) => void socket.resume())],
    ['takes nothing', () => listening((socket) => void socket.pause())],
  ])('and %s is no reason to call anything clean', async (_, urlOf) => {
    const scanner = clamdScanner({ url: await urlOf(), timeoutMs: 300 });
    const content = Readable.from(Array.from({ length: 100 }, () => Buffer.alloc(64 * 1024)));
    await expect(scanner.scan(content)).rejects.toMatchObject({ name: 'Retryable' });
  });

  it('[7/CreateAudioFile/221] has uploads refused, not taken unscanned, and texts go on', async () => {
    const service = await startTestService({ CLAMD_URL: 'tcp://127.0.0.1:9' });
    try {
      const audio64 = aWav(1).toString('base64');
      const { body } = await service.post('CreateAudioFile', { audio64 });
      expect(body.return).toMatchObject({ status_code: '221', cdw_file: '0' });
      expect(body.return.status).toMatch(/upload error 8: the virus scanner cannot be reached/);
      expect((await service.post('CreateAudioFile', { text: 'Olá' })).body.return.status_code).toBe('0');
      expect((await service.admin('GET', '/health')).body.checks.scanner.ok).toBe(false);
      expect((await service.post('GetAudiosList', {})).body.audios).toHaveLength(1);
    } finally {
      await service.stop();
    }
  });
});

it('without a scanner says so on the health page', async () => {
  const service = await startTestService({ FFMPEG: 'none' });
  try {
    const { body } = await service.admin('GET', '/health');
    expect(body.checks.scanner.detail).toMatch(/none is configured/);
    expect(body.checks.decoder.detail).toBe('WebAssembly');
  } finally {
    await service.stop();
  }
});
