import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import ssh2, { type Attributes } from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sftpDeliveryTarget, type SftpOptions } from '../../../src/providers/delivery/fileTargets/sftp.ts';
import { openCutter } from '../../helpers/cutter.ts';
import { lackingSshd, sshKeyPair, startSshd, type Sshd } from '../../helpers/sshd.ts';
import { aFile, text } from './files.ts';
import { lookup } from '../../helpers/names.ts';

const lacking = lackingSshd();
if (lacking) console.warn(lacking);

describe.skipIf(lacking)('an SFTP target, on a real OpenSSH server', () => {
  let server: Sshd;
  beforeAll(async () => {
    server = await startSshd();
  });
  afterAll(() => server.stop());

  const target = (changes: Partial<SftpOptions> = {}) =>
    sftpDeliveryTarget({
      lookup,
      host: '127.0.0.1',
      port: server.port,
      user: server.user,
      secret: { private_key: server.privateKey },
      folder: server.folder,
      allowed: ['127.0.0.0/8'],
      ...changes,
    });

  it('takes a file, says which key the server has, and makes the folders above it', async () => {
    const folder = join(server.folder, 'a', 'b');
    expect(await target({ folder }).put(aFile())).toEqual({ hostKey: server.hostKey });
    expect(readdirSync(folder)).toEqual(['campaign-17.csv']);
    expect(readFileSync(join(folder, 'campaign-17.csv'), 'utf8')).toBe('a;b\r\nJoão;1\r\n');
  });

  it('replaces a file of the same name, and removes what an earlier performance left of it', async () => {
    const folder = join(server.folder, 'again');
    await target({ folder }).put(aFile());
    for (const left of ['.campaign-17.csv.77-00000000.part', '.campaign-17.csv.78-00000000.part'])
      writeFileSync(join(folder, left), 'half');
    await target({ folder }).put(aFile({ content: text('new') }));
    expect(readFileSync(join(folder, 'campaign-17.csv'), 'utf8')).toBe('new');
    // The draft of another delivery is none of ours.
    expect(readdirSync(folder).toSorted()).toEqual(['.campaign-17.csv.78-00000000.part', 'campaign-17.csv']);
  });

  it('leaves the old file as it was when the content breaks, and passes the fault on as it is', async () => {
    const folder = join(server.folder, 'broken');
    await target({ folder }).put(aFile({ content: text('old') }));
    const bug = new TypeError('a mistake of ours');
    async function* breaking(): AsyncGenerator<string> {
      yield 'x'.repeat(100_000);
      throw bug;
    }
    await expect(target({ folder }).put(aFile({ content: breaking() }))).rejects.toBe(bug);
    expect(readdirSync(folder)).toEqual(['campaign-17.csv']);
    expect(readFileSync(join(folder, 'campaign-17.csv'), 'utf8')).toBe('old');
  });

  it('leaves nothing behind when it is broken off, and may be tried again', async () => {
    const folder = join(server.folder, 'aborted');
    const giveUp = new AbortController();
    async function* endless(): AsyncGenerator<string> {
      for (let part = 0; ; part += 1) {
        if (part === 3) giveUp.abort(new Error('over'));
        yield 'x'.repeat(100_000);
      }
    }
    const put = target({ folder }).put(aFile({ content: endless(), signal: giveUp.signal }));
    await expect(put).rejects.toMatchObject({ name: 'Retryable' });
    expect(readdirSync(folder).filter((entry) => !entry.endsWith('.part'))).toEqual([]);
    await target({ folder }).put(aFile({ draft: '77-22222222' }));
    expect(readdirSync(folder)).toEqual(['campaign-17.csv']);
  });

  it('may be tried again when the connection breaks in the middle, and the file is not there', async () => {
    const folder = join(server.folder, 'cut');
    const wire = await openCutter(server.port);
    async function* cut(): AsyncGenerator<string> {
      yield 'x'.repeat(100_000);
      await wire.cut();
      yield 'y'.repeat(100_000);
    }
    const through = target({ folder, port: Number(new URL(wire.url).port) });
    await expect(through.put(aFile({ content: cut() }))).rejects.toMatchObject({ name: 'Retryable' });
    expect(readdirSync(folder)).not.toContain('campaign-17.csv');
    await wire.mend();
    await through.put(aFile({ draft: '77-33333333' }));
    expect(readdirSync(folder)).toEqual(['campaign-17.csv']);
    await wire.close();
  });

  it('takes a pinned key, and says no for good to another', async () => {
    await target({ host_key: server.hostKey }).put(aFile({ name: 'pinned.csv' }));
    const other = `SHA256:${'A'.repeat(43)}`;
    await expect(target({ host_key: other }).put(aFile())).rejects.toMatchObject({
      name: 'NotRetryable',
      reason: 'hostKeyChanged',
    });
  });

  it('says no for good when the credentials are refused or cannot be read', async () => {
    const { private: stranger } = sshKeyPair();
    for (const secret of [{ private_key: stranger }, { password: 'wrong' }, { private_key: 'not a key' }])
      await expect(target({ secret }).put(aFile())).rejects.toMatchObject({
        name: 'NotRetryable',
        reason: 'credentialsRefused',
      });
  });

  it('opens a private key with its passphrase', async () => {
    const secret = { private_key: sshKeyPair('open').private };
    const reason = { name: 'NotRetryable', reason: 'credentialsRefused' };
    await expect(target({ secret }).put(aFile())).rejects.toMatchObject({
      ...reason,
      message: 'the private key cannot be read, or wants a passphrase',
    });
    // It is read, and the server does not know it.
    await expect(target({ secret: { ...secret, passphrase: 'open' } }).put(aFile())).rejects.toMatchObject({
      ...reason,
      message: `the server refuses the credentials of ${server.user}`,
    });
  });

  it('says no for good when the place is no folder', async () => {
    mkdirSync(join(server.folder, 'odd'));
    writeFileSync(join(server.folder, 'odd', 'file'), '');
    symlinkSync('/nowhere/at/all', join(server.folder, 'odd', 'link'));
    for (const folder of ['file/below', 'link/below'])
      await expect(target({ folder: join(server.folder, 'odd', folder) }).put(aFile())).rejects.toMatchObject(
        {
          name: 'NotRetryable',
          reason: 'folderRefused',
        },
      );
  });
});

const at = (port: number, changes: Partial<SftpOptions> = {}) =>
  sftpDeliveryTarget({
    lookup,
    host: '127.0.0.1',
    port,
    user: 'ana',
    secret: { password: 'open' },
    folder: '',
    allowed: ['127.0.0.0/8'],
    ...changes,
  });

describe('an SFTP target', () => {
  it('is not tried again in a private network that the operator has not opened, by address or by name', async () => {
    const refused = { name: 'NotRetryable', reason: 'addressRefused' };
    for (const host of ['127.0.0.1', 'localhost', '10.1.2.3', '169.254.169.254', '::1', '::ffff:127.0.0.1'])
      await expect(at(22, { host, allowed: [] }).put(aFile())).rejects.toMatchObject(refused);
  });

  it('may be tried again when nobody answers, when the name is unknown and when the server is none', async () => {
    const later = { name: 'Retryable' };
    const closed = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => closed.once('listening', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    await expect(at(port).put(aFile())).rejects.toMatchObject(later);
    await expect(at(port, { host: 'nobody.invalid' }).put(aFile())).rejects.toMatchObject(later);

    const web = createServer((socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
      0,
      '127.0.0.1',
    );
    await new Promise((resolve) => web.once('listening', resolve));
    await expect(at((web.address() as AddressInfo).port).put(aFile())).rejects.toMatchObject(later);
    await new Promise((resolve) => web.close(resolve));
  });

  it('logs in with a password, also where it is asked for as a question', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const hostKey = privateKey.export({ type: 'pkcs1', format: 'pem' });
    for (const way of ['password', 'keyboard-interactive'] as const) {
      const used: string[] = [];
      const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
        client.on('error', () => {});
        client.on('authentication', (asked) => {
          if (asked.method !== way) return asked.reject([way]);
          const take = (password?: string): void => {
            used.push(`${asked.username}:${password}`);
            asked.accept();
          };
          if (asked.method === 'password') take(asked.password);
          else if (asked.method === 'keyboard-interactive')
            asked.prompt([{ prompt: 'Password: ', echo: false }], (answers) => take(answers[0]));
        });
        client.on('session', (_accept, reject) => reject());
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      // This server has no files: it is enough that it lets us in.
      await expect(at(port).put(aFile())).rejects.toMatchObject({ name: 'Retryable' });
      expect(used).toEqual(['ana:open']);
      await new Promise<void>((resolve) => server.close(() => resolve()));
    }
  });

  it('looks at a bounded part of a folder that has no end, and brings its file', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const hostKey = privateKey.export({ type: 'pkcs1', format: 'pem' });
    const page = Array.from({ length: 500 }, (_, nth) => ({
      filename: `file-${nth}`,
      longname: `file-${nth}`,
      attrs: {} as Attributes,
    }));
    const pages = { shown: 0, written: '' };
    const server = new ssh2.Server({ hostKeys: [hostKey] }, (client) => {
      client.on('error', () => {});
      client.on('authentication', (asked) => asked.accept());
      client.on('session', (accept) =>
        accept().on('sftp', (open) => {
          const sftp = open();
          const fine = (id: number): void => sftp.status(id, 0);
          sftp.on('OPENDIR', (id) => sftp.handle(id, Buffer.from('folder')));
          sftp.on('READDIR', (id) => {
            pages.shown += 1;
            // More than this would be all of the memory that a test wants to spend.
            if (pages.shown > 200) sftp.status(id, 1);
            else sftp.name(id, page);
          });
          sftp.on('OPEN', (id) => sftp.handle(id, Buffer.from('file')));
          sftp.on('WRITE', (id, _handle, _offset, data) => {
            pages.written += String(data);
            fine(id);
          });
          for (const one of ['CLOSE', 'FSETSTAT', 'REMOVE', 'RENAME'] as const)
            sftp.on(one, (id: number) => fine(id));
          sftp.on('EXTENDED', (id) => sftp.status(id, 8));
        }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await at((server.address() as AddressInfo).port).put(aFile());
    expect(pages).toEqual({ shown: 20, written: 'a;b\r\nJoão;1\r\n' });
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
});
