/** A start that cannot succeed ends with one sentence and exit code 1. */
import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withDatabase } from '../helpers/database.ts';
import { aDataDir, builtMain, freePort } from './service.ts';
import { until } from '../helpers/patience.ts';

test('a database that is away is said to be, by the name of its setting', () => {
  const dataDir = aDataDir();
  const { status, stderr } = spawnSync(process.execPath, [builtMain], {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATA_DIR: dataDir.path,
      DATABASE_URL: 'postgresql://ramal:secret@127.0.0.1:9/ramal',
    },
  });
  dataDir.remove();
  expect(status).toBe(1);
  expect(stderr).toBe(
    'Ramal did not start: a database (DATABASE_URL, SHARDS) is away: connect ECONNREFUSED 127.0.0.1:9\n',
  );
});

const noSmallDisk =
  process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0
    ? undefined
    : 'a small disk is made by root only (unshare -m)';

test.skipIf(noSmallDisk)(`a full disk is said to be${noSmallDisk ? `: ${noSmallDisk}` : ''}`, () => {
  const dataDir = aDataDir();
  const script = `mount -t tmpfs -o size=28m,mode=755 small ${dataDir.path} && exec "$@"`;
  const { status, stdout, stderr } = spawnSync(
    'unshare',
    ['-m', 'sh', '-c', script, 'sh', process.execPath, builtMain],
    {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir.path },
    },
  );
  dataDir.remove();
  expect(stdout).toContain('MB are free where DATA_DIR is: make room before it is used up');
  expect(stderr).toMatch(
    /^Ramal did not start: the disk is full where DATA_DIR is \(\S+, \d+ MB are free\): make room and start again; nothing is lost\n$/,
  );
  expect(status).toBe(1);
});

test.skipIf(noSmallDisk)(`a full disk hides no other reason${noSmallDisk ? `: ${noSmallDisk}` : ''}`, () => {
  const dataDir = aDataDir();
  const script = `mount -t tmpfs -o size=28m,mode=755 small ${dataDir.path} && exec "$@"`;
  const { stderr } = spawnSync('unshare', ['-m', 'sh', '-c', script, 'sh', process.execPath, builtMain], {
    encoding: 'utf8',
    env: {
      ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir.path },
      DATABASE_URL: 'postgres://127.0.0.1:9/ramal',
    },
  });
  dataDir.remove();
  expect(stderr).toMatch(
    /^Ramal did not start: a database \(DATABASE_URL, SHARDS\) is away: connect ECONNREFUSED 127.0.0.1:9; and the disk is full where DATA_DIR is \(/,
  );
});

test.skipIf(noSmallDisk)(
  `a disk that fills up while the service runs is named by /readyz, until there is room${noSmallDisk ? `: ${noSmallDisk}` : ''}`,
  async () => {
    const [dataDir, port] = [aDataDir(), await freePort()];
    const script = `mount -t tmpfs -o size=160m,mode=755 small ${dataDir.path} && exec "$@"`;
    const service = spawn('unshare', ['-m', 'sh', '-c', script, 'sh', process.execPath, builtMain], {
      stdio: 'ignore',
      env: {
        ...{ PATH: process.env['PATH'], HOME: process.env['HOME'] },
        ...{ DATA_DIR: dataDir.path, PORT: String(port) },
      },
    });
    const ended = new Promise((resolve) => service.once('exit', resolve));
    const readyz = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      return (await answer?.json().catch(() => undefined)) as
        | { ready: boolean; degraded?: string[] }
        | undefined;
    };
    const isNamed = ({ degraded = [] }: { degraded?: string[] } = {}): boolean =>
      degraded.some((one) => one.startsWith('the disk is full where DATA_DIR is ('));
    await until(async () => (await readyz())?.ready);
    expect(isNamed(await readyz())).toBe(false);
    // Its disk, as it sees it.
    const much = join('/proc', String(service.pid), 'root', dataDir.path, 'much');
    expect(spawnSync('dd', ['if=/dev/zero', `of=${much}`, 'bs=1M']).status).toBe(1);
    await until(async () => isNamed(await readyz()));
    rmSync(much);
    await until(async () => !isNamed(await readyz()));
    service.kill('SIGTERM');
    await ended;
    dataDir.remove();
  },
);

test('the command line starts a machine that was restored as a whole with its shards closed', () =>
  withDatabase(async (database) => {
    const [dataDir, port] = [aDataDir(), await freePort()];
    const service = spawn(process.execPath, [join(builtMain, '../cli/main.js'), 'start', '--restored'], {
      stdio: 'ignore',
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        DATA_DIR: dataDir.path,
        DATABASE_URL: database.url,
        PORT: String(port),
      },
    });
    const ended = new Promise((resolve) => service.once('exit', resolve));
    const reason = await until(async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      const { reasons } = ((await answer?.json()) ?? {}) as { reasons?: string[] };
      return reasons?.find((one) => one.includes('is closed'));
    });
    expect(reason).toContain('shard a is closed: restored with its machine (start --restored)');
    service.kill('SIGTERM');
    await ended;
    dataDir.remove();
  }));

test('a Node that is too old is told so before anything else is loaded', () => {
  const old = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.10.0' } })`;
  const from = ['--import', `data:text/javascript,${encodeURIComponent(old)}`];
  const sentence = 'Ramal needs Node 20.19 or newer; this is 20.10.0. Get it from https://nodejs.org';
  for (const program of ['bin/ramal.js', 'bin/checkNode.js']) {
    const said = spawnSync(process.execPath, [...from, program, 'start'], { encoding: 'utf8' });
    expect(said).toMatchObject({ status: 1, stdout: '', stderr: `Error: ${sentence}\n` });
  }
});
