/** A real FTPS server (ProFTPD) on loopback for one test file, with a certificate of its own; ended with the file. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../service/service.ts';
import { until } from './patience.ts';

const program = '/usr/sbin/proftpd';
const openssl = '/usr/bin/openssl';
const needed = [program, '/usr/lib/proftpd/mod_tls.so', openssl];

/** What this machine lacks for it, as a sentence; undefined when nothing. In CI nothing may be lacking: throws. */
export const lackingFtpsd = (): string | undefined => {
  if (needed.every((path) => existsSync(path))) return undefined;
  const sentence = 'no real FTPS server here: apt-get install proftpd-core proftpd-mod-crypto openssl';
  if (process.env['CI']) throw new Error(sentence);
  return sentence;
};

export interface Ftpsd {
  port: number;
  user: string;
  password: string;
  /** SHA-256 fingerprint of its certificate, hex digits without colons. */
  certificate: string;
  /** Where what was put lies on disk. */
  folder: string;
  stop(): Promise<void>;
}

const password = 'open sesame';

/** `eva` may read and not write. It wants TLS on both connections, and one session for both. */
const configOf = (folder: string, port: number): string => `
ModulePath /usr/lib/proftpd
LoadModule mod_tls.c
ServerType standalone
Port ${port}
DefaultAddress 127.0.0.1
SocketBindTight on
UseIPv6 off
${process.getuid?.() === 0 ? 'User root\nGroup root' : ''}
PidFile ${folder}/pid
ScoreboardFile ${folder}/scoreboard
SystemLog ${folder}/log
TransferLog none
WtmpLog off
UseReverseDNS off
RequireValidShell off
RootLogin on
AuthOrder mod_auth_file.c
AuthUserFile ${folder}/people
DelayEngine off
AllowOverwrite on
TLSEngine on
TLSRequired on
TLSECCertificateFile ${folder}/certificate.pem
TLSECCertificateKeyFile ${folder}/key.pem
<Limit WRITE>
  DenyUser eva
</Limit>
`;

export const startFtpsd = async (): Promise<Ftpsd> => {
  const folder = mkdtempSync(join(tmpdir(), 'ramal-ftpsd-'));
  const files = join(folder, 'files');
  mkdirSync(files);
  const certificate = makeCertificate(folder);
  const hash = execFileSync(openssl, ['passwd', '-5', password]).toString().trim();
  const people = ['ana', 'eva'].map(
    (name) => `${name}:${hash}:${process.getuid?.()}:${process.getgid?.()}::${files}:/bin/sh\n`,
  );
  writeSecret(join(folder, 'people'), people.join(''));
  const port = await freePort();
  writeFileSync(join(folder, 'config'), configOf(folder, port));
  const server = spawn(program, ['-n', '-c', join(folder, 'config')], { stdio: 'ignore' });
  await until(async () => {
    if (server.exitCode !== null) throw new Error(readFileSync(join(folder, 'log'), 'utf8'));
    return greets(port);
  });
  return {
    ...{ port, user: 'ana', password, certificate, folder: files },
    stop: async () => {
      const gone = new Promise((resolve) => server.once('exit', resolve));
      server.kill();
      await gone;
      rmSync(folder, { recursive: true });
    },
  };
};

const greets = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('data', () => {
      socket.destroy();
      resolve(true);
    });
  });

const writeSecret = (path: string, text: string): void => {
  writeFileSync(path, text);
  chmodSync(path, 0o600);
};

const makeCertificate = (folder: string): string => {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  execFileSync(
    openssl,
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:prime256v1',
        '-nodes',
        '-days',
        '2',
      ],
      ...['-subj', '/CN=localhost', '-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  );
  chmodSync(key, 0o600);
  return createHash('sha256')
    .update(new X509Certificate(readFileSync(certificate)).raw)
    .digest('hex')
    .toUpperCase();
};
