import { expect, test } from 'vitest';
import { openMedia } from '../../src/compose/media.ts';
import { readConfig } from '../../src/config.ts';
import { isAway } from '../../src/store/away.ts';

test('a bucket that is away stops the start, and is not taken for a database', async () => {
  const config = readConfig({
    S3_BUCKET: 'sounds',
    S3_ENDPOINT: 'http://127.0.0.1:9',
    S3_ACCESS_KEY: 'key',
    S3_SECRET_KEY: 'secret',
  });
  const refusal = await openMedia(config).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    message: expect.stringMatching(
      /^the bucket sounds \(S3_BUCKET, S3_ENDPOINT\) does not work: .*ECONNREFUSED/,
    ),
  });
  expect(isAway(refusal)).toBe(false);
});
