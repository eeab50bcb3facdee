import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openMediaStore } from '../../src/providers/media/openMediaStore.ts';
import { readConfig } from '../../src/config.ts';
import { isTransientDatabaseError } from '../../src/store/transientError.ts';
import { login, startS3Server } from './media/s3Server.ts';

test('a bucket that is away stops the start, and is not taken for a database', async () => {
  const config = readConfig({
    S3_BUCKET: 'sounds',
    S3_ENDPOINT: 'http://127.0.0.1:9',
    S3_ACCESS_KEY: 'key',
    S3_SECRET_KEY: 'secret',
  });
  const refusal = await openMediaStore(config).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    message: expect.stringMatching(
      /^the bucket sounds \(S3_BUCKET, S3_ENDPOINT\) does not work: .*ECONNREFUSED/,
    ),
  });
  expect(isTransientDatabaseError(refusal)).toBe(false);
});

test('what is put together for a bucket lies among the temporary files of its node, which go when that starts anew', async () => {
  const server = await startS3Server();
  const folder = mkdtempSync(join(tmpdir(), 'ramal-bucket-'));
  const media = await openMediaStore(
    readConfig({
      ...{ DATA_DIR: folder, NODE_NAME: 'left', S3_BUCKET: login.bucket, S3_REGION: login.region },
      ...{ S3_ENDPOINT: server.endpoint, S3_ACCESS_KEY: login.accessKey, S3_SECRET_KEY: login.secretKey },
    }),
  );
  let meanwhile: string[] = [];
  const parts = async function* () {
    yield Buffer.from('a sound');
    await expect
      .poll(() => (meanwhile = readdirSync(join(folder, 'tmp', 'left'))))
      .toEqual([expect.stringMatching(/^spool-/)]);
  };
  await media.put(3, 'sound', parts());
  expect(meanwhile).toHaveLength(1);
  expect(readdirSync(join(folder, 'tmp', 'left'))).toEqual([]);
  server.close();
  rmSync(folder, { recursive: true });
});
