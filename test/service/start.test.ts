/** A start that cannot succeed ends with one sentence and exit code 1. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { aDataDir, builtMain } from './service.ts';

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
