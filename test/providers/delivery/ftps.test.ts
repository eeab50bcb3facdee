import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ftpsDeliveryTarget, type FtpsOptions } from '../../../src/providers/delivery/fileTargets/ftps.ts';
import { type Ftpsd, lackingFtpsd, startFtpsd } from '../../helpers/ftpsd.ts';
import { aFile, text } from './files.ts';
import { lookup } from '../../helpers/names.ts';

const lacking = lackingFtpsd();
if (lacking) console.warn(lacking);

describe.skipIf(lacking)('an FTPS target, on a real server', () => {
  let server: Ftpsd;
  beforeAll(async () => {
    server = await startFtpsd();
  });
  afterAll(() => server.stop());

  const target = (changes: Partial<FtpsOptions> = {}) =>
    ftpsDeliveryTarget({
      lookup,
      ...{ host: '127.0.0.1', port: server.port, user: server.user, password: server.password },
      ...{ implicit: false, folder: '', certificate: server.certificate, allowed: ['127.0.0.0/8'] },
      ...changes,
    });
  const listed = (folder: string): string[] => readdirSync(join(server.folder, folder)).toSorted();
  const content = (folder: string): string =>
    readFileSync(join(server.folder, folder, 'campaign-17.csv'), 'utf8');

  it('takes a file, says which certificate the server has, and makes the folders above it', async () => {
    expect(await target({ folder: 'a/b' }).put(aFile())).toEqual({ certificate: server.certificate });
    expect(listed('a/b')).toEqual(['campaign-17.csv']);
    expect(content('a/b')).toBe('a;b\r\nJoão;1\r\n');
  });

  it('replaces a file of the same name, and removes what an earlier performance left of it', async () => {
    await target({ folder: 'again' }).put(aFile());
    for (const left of ['.campaign-17.csv.77-00000000.part', '.campaign-17.csv.78-00000000.part'])
      writeFileSync(join(server.folder, 'again', left), 'half');
    await target({ folder: 'again' }).put(aFile({ content: text('new') }));
    expect(content('again')).toBe('new');
    // The draft of another delivery is none of ours.
    expect(listed('again')).toEqual(['.campaign-17.csv.78-00000000.part', 'campaign-17.csv']);
  });

  it('leaves the old file as it was when the content breaks, and passes the fault on as it is', async () => {
    await target({ folder: 'broken' }).put(aFile({ content: text('old') }));
    const bug = new TypeError('a mistake of ours');
    async function* breaking(): AsyncGenerator<string> {
      yield 'x'.repeat(100_000);
      throw bug;
    }
    await expect(target({ folder: 'broken' }).put(aFile({ content: breaking() }))).rejects.toBe(bug);
    expect(content('broken')).toBe('old');
  });

  it('may be tried again when it is broken off', async () => {
    const giveUp = new AbortController();
    async function* endless(): AsyncGenerator<string> {
      for (let part = 0; ; part += 1) {
        if (part === 3) giveUp.abort(new Error('over'));
        yield 'x'.repeat(100_000);
      }
    }
    const put = target({ folder: 'aborted' }).put(aFile({ content: endless(), signal: giveUp.signal }));
    await expect(put).rejects.toMatchObject({ name: 'Retryable' });
    await target({ folder: 'aborted' }).put(aFile({ draft: '77-22222222' }));
    expect(listed('aborted')).toEqual(['campaign-17.csv']);
  });

  it('says no for good to a certificate that is not believed, and to another than the named one', async () => {
    for (const certificate of [undefined, 'AB'.repeat(32)]) {
      const put = ftpsDeliveryTarget({
        lookup,
        ...{ host: '127.0.0.1', port: server.port, user: server.user, password: server.password },
        ...{ implicit: false, folder: '', allowed: ['127.0.0.0/8'] },
        ...(certificate && { certificate }),
      }).put(aFile());
      await expect(put).rejects.toMatchObject({ name: 'NotRetryable', reason: 'certificateRefused' });
    }
  });

  it('says no for good to wrong credentials, and to a folder that it may not make', async () => {
    await expect(target({ password: 'guess' }).put(aFile())).rejects.toMatchObject({
      name: 'NotRetryable',
      reason: 'credentialsRefused',
    });
    await expect(target({ user: 'eva', folder: 'new' }).put(aFile())).rejects.toMatchObject({
      name: 'NotRetryable',
      reason: 'folderRefused',
    });
  });
});

it('does not go to private networks that nobody opened', async () => {
  const target = ftpsDeliveryTarget({
    lookup,
    ...{ host: '127.0.0.1', port: 21, user: 'ana', password: 'x', implicit: false, folder: '', allowed: [] },
  });
  await expect(target.put(aFile())).rejects.toMatchObject({ name: 'NotRetryable', reason: 'addressRefused' });
});

it('tells nothing to a server that does not speak TLS', async () => {
  let heard = '';
  const server = createServer((socket) => {
    socket.write('220 welcome\r\n');
    socket.on('error', () => {});
    socket.on('data', (data) => {
      heard += String(data);
      socket.write('502 not here\r\n');
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const target = ftpsDeliveryTarget({
    lookup,
    ...{ host: '127.0.0.1', port, user: 'ana', password: 'open sesame', implicit: false, folder: '' },
    allowed: ['127.0.0.0/8'],
  });
  await expect(target.put(aFile())).rejects.toMatchObject({ name: 'Retryable' });
  expect(heard).toBe('AUTH TLS\r\n');
  server.close();
});
