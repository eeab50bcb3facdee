/** `SECRET_KEY` of an installation: another is found out, and it can be changed. */
import { trunkServerSealContext, serverSecretBox } from '../../src/store/secrets/trunkServers.ts';
import { trunkSecretSealContext, trunkSecretBox } from '../../src/store/secrets/trunks.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rotateSecretKey } from '../../src/compose/secretKey.ts';
import { startService } from '../../src/compose/service.ts';
import { readConfig } from '../../src/config.ts';
import { openLog } from '../../src/log.ts';
import { createSignedMediaLinks } from '../../src/providers/media/links.ts';
import { freshDatabase, type TestDatabase } from '../helpers/database.ts';
import { ramal } from '../cli/terminal.ts';

const oldKey = 'the-old-key-of-the-installation';
const newKey = 'the-new-key-of-the-installation';
const adminToken = 'an-admin-token-for-this-test';

let database: TestDatabase;
let dataDir: string;

beforeEach(async () => {
  database = await freshDatabase();
  dataDir = mkdtempSync(join(tmpdir(), 'ramal-key-'));
});
afterEach(async () => {
  await database.drop();
  rmSync(dataDir, { recursive: true });
});

const envWith = (SECRET_KEY: string) => ({
  ...{ DATABASE_URL: database.url, DATA_DIR: dataDir, ADMIN_TOKEN: adminToken, SECRET_KEY },
  // Of the system's choice, below: a setting cannot ask for that.
  ...{ PORT: '1', HOST: '127.0.0.1' },
});
const quiet = openLog('silent');
const configWith = (key: string) => ({ ...readConfig(envWith(key)), port: 0 });

/** Starts with a key, does something at the admin API, and stops. */
const during = async <T>(key: string, work: (url: string) => Promise<T>): Promise<T> => {
  const service = await startService(configWith(key), quiet);
  try {
    return await work(`http://127.0.0.1:${service.port}/admin/api`);
  } finally {
    await service.stop();
  }
};

const ask = async (url: string, method: string, body?: object): Promise<Record<string, unknown>> => {
  const answer = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Record<string, unknown>;
};

/** Everything that may be sealed, of the demo account. */
const furnish = async (url: string): Promise<void> => {
  const account = `${url}/accounts/3`;
  const sms = { name: 'carrier', kind: 'smpp', prefix: '', active: false };
  const smsc = { host: 'smsc.example', system_id: 'ramal' };
  const made = [
    await ask(account, 'PATCH', { callback_user: 'shop', callback_password: 'hush' }),
    await ask(`${account}/webhook-secret`, 'POST', {}),
    await ask(`${account}/sms-routes`, 'POST', { ...sms, settings: smsc, secret: { password: 'hush' } }),
    await ask(`${account}/delivery-profiles`, 'POST', {
      ...{ name: 'bucket', kind: 's3' },
      settings: { bucket: 'results', region: 'us-east-1', endpoint: 'https://s3.example' },
      secret: { access_key: 'a', secret_key: 'hush' },
    }),
  ];
  for (const answer of made) expect(answer['error']).toBeUndefined();
};

const count = async (sql: string): Promise<number> =>
  Number((await database.pool.query(`SELECT count(*) AS n FROM ${sql}`)).rows[0].n);

test('another key stops the start with a sentence, and the right one still starts', async () => {
  await during(oldKey, furnish);
  await expect(during(newKey, async () => {})).rejects.toThrow(
    /^SECRET_KEY is not the one that this database was sealed with: start with that key .* or with SECRET_KEY=<new>,<old> to change it/,
  );
  await during(oldKey, async (url) =>
    expect(await ask(`${url}/accounts/3`, 'GET')).toMatchObject({ cdcs_id: 3 }),
  );
});

test('a database of an earlier release, without a check, is found out by what it sealed', async () => {
  await during(oldKey, furnish);
  await database.pool.query('DELETE FROM key_checks');
  await expect(during(newKey, async () => {})).rejects.toThrow(/^SECRET_KEY is not the one/);
  await during(oldKey, async () => {});
  expect(await count('key_checks')).toBe(1);
});

test('nodes that begin at once with different keys do not both start', async () => {
  const started = await Promise.allSettled([oldKey, newKey].map((key) => during(key, async () => {})));
  expect(started.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

describe('rotate-key', () => {
  const both = `${newKey},${oldKey}`;
  const seen = async (url: string) => {
    const account = await ask(`${url}/accounts/3`, 'GET');
    return { secret: account['webhook_secret'], hasLogin: account['has_callback_user'] };
  };

  test('seals everything with the new key, once, and then the old one may go', async () => {
    const before = await during(oldKey, async (url) => {
      await furnish(url);
      return seen(url);
    });
    const asterisk = serverSecretBox(oldKey).seal('trunk-password', trunkServerSealContext(2));
    await database.pool.query(
      `INSERT INTO trunk_servers (id, name, kind, settings, secret, created_at) VALUES (2, 'asterisk-b', 'asterisk', '{}', $1, 0)`,
      [asterisk],
    );
    await database.pool.query('UPDATE trunks SET sip_secret = $1 WHERE id = 1', [
      trunkSecretBox(oldKey).seal('carrier-password', trunkSecretSealContext(1)),
    ]);
    // With both keys the service serves as before.
    expect(await during(both, seen)).toEqual(before);
    const first = await rotateSecretKey(configWith(both), quiet);
    expect(first.unopened).toEqual([]);
    expect(first.resealed).toMatchObject({
      ...{ sms_routes: 1, delivery_profiles: 1, chat_lines: 9, trunk_servers: 1, trunks: 1 },
    });
    // The login, both secrets of the demo account, and the secret of the administrative one.
    expect(first.resealed['accounts']).toBe(4);
    expect(first.current).toBe(0);
    const again = await rotateSecretKey(configWith(both), quiet);
    expect(Object.values(again.resealed)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(again.current).toBe(17);
    const { rows } = await database.pool.query('SELECT secret FROM trunk_servers WHERE id = 2');
    expect(serverSecretBox(newKey).open(rows[0].secret, trunkServerSealContext(2))).toBe('trunk-password');
    const trunks = await database.pool.query('SELECT sip_secret FROM trunks WHERE id = 1');
    expect(trunkSecretBox(newKey).open(trunks.rows[0].sip_secret, trunkSecretSealContext(1))).toBe(
      'carrier-password',
    );
    // The date does not move.
    expect(again.oldKeysUntil).toBe(first.oldKeysUntil);
    expect(before).toMatchObject({ secret: expect.stringMatching(/^whsec_/), hasLogin: true });
    expect(await during(newKey, seen)).toEqual(before);
    await expect(during(oldKey, async () => {})).rejects.toThrow(/^SECRET_KEY is not the one/);
  });

  test('goes on where it was stopped', async () => {
    await during(oldKey, furnish);
    await database.pool.query('ALTER TABLE chat_lines RENAME TO away');
    await expect(rotateSecretKey(configWith(both), quiet)).rejects.toThrow('chat_lines');
    await database.pool.query('ALTER TABLE away RENAME TO chat_lines');
    const rest = await rotateSecretKey(configWith(both), quiet);
    expect(rest).toMatchObject({ resealed: { accounts: 0, chat_lines: 9 }, current: 6, unopened: [] });
    await during(newKey, async () => {});
  });

  test('names what no key opens, and goes on without it where the key is lost', async () => {
    await during(oldKey, furnish);
    await expect(rotateSecretKey(configWith(newKey), quiet)).rejects.toThrow(/^SECRET_KEY is not the one/);
    const lost = await rotateSecretKey(configWith(newKey), quiet, { lost: true });
    expect(lost.unopened).toContain('accounts.callback_login of account 3');
    expect(lost.unopened.length).toBe(15);
    await during(newKey, async () => {});
  });

  test('is a command: it prints how many of what, and until when the old key is needed', async () => {
    await during(oldKey, furnish);
    const { exit, out } = await ramal(['rotate-key'], { env: envWith(both) });
    expect(out).toMatch(/chat_lines +9\n/);
    expect(out).toMatch(/15 sealed anew; 0 had been sealed with the first key already\./);
    expect(out).toMatch(/Keep the older keys behind the first until \d{4}-\d{2}-\d{2}/);
    expect(exit).toBe(0);
    const told = await ramal(['rotate-key', '--json'], { env: envWith(both) });
    expect(JSON.parse(told.out)).toMatchObject({ current: 15, unopened: [] });
    const wrong = await ramal(['rotate-key'], { env: envWith('a-third-key-of-the-installation') });
    expect(wrong.exit).toBe(1);
    expect(wrong.err).toContain('SECRET_KEY is not the one');
  });
});

test('links that the old key signed stay good while it stands behind the new one', () => {
  const at = (secret: string) => createSignedMediaLinks({ baseUrl: 'http://x', secret, now: () => 1_000 });
  const path = at(oldKey).urlOf(3, 'abc').slice('http://x'.length);
  expect(at(`${newKey},${oldKey}`).read(path)).toMatchObject({ account: 3 });
  expect(at(newKey).read(path)).toBeUndefined();
  const anew = at(`${newKey},${oldKey}`).urlOf(3, 'abc').slice('http://x'.length);
  expect(at(newKey).read(anew)).toMatchObject({ account: 3 });
});
