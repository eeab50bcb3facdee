/** A start that cannot succeed ends with one sentence and exit code 1. */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withDatabase } from '../helpers/database.ts';
import { aDataDir, builtMain, freePort, until } from './service.ts';

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

test('the command line starts a machine that was put back as a whole with its shards closed', () =>
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
    expect(reason).toContain('shard a is closed: put back with its machine (start --restored)');
    service.kill('SIGTERM');
    await ended;
    dataDir.remove();
  }));
