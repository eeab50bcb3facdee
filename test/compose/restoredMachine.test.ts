/** A machine that was restored as a whole is started with `--restored`. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { Pool } from 'pg';
import { startService, type StartedService } from '../../src/compose/service.ts';
import { readConfig } from '../../src/config.ts';
import { ramal } from '../cli/terminal.ts';
import { freshDatabase, type TestDatabase, withName } from '../helpers/database.ts';
import { passes } from '../helpers/milestones.ts';
import { eventually } from '../helpers/patience.ts';
import { demoAccount, demoToken, secretKey } from '../helpers/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'ramal-restored-'));
const dataDir = join(folder, 'data');
const outgoing = join(dataDir, 'outgoing');
/** The journals as they stand when the machine is restored, kept on another volume. */
const kept = join(folder, 'kept');
let database: TestDatabase;
let name: string;
let env: Record<string, string>;
/** Made after the moment to which the machine is restored. */
let lost: string;

const onServer = async (...statements: string[]): Promise<void> => {
  const pool = new Pool({ connectionString: withName(inject('serverUrl'), 'postgres'), max: 1 });
  try {
    for (const statement of statements) await pool.query(statement);
  } finally {
    await pool.end();
  }
};

interface Running extends StartedService {
  url: string;
}
const start = async (restored = false): Promise<Running> => {
  const config = { ...readConfig(env), port: 0, host: '127.0.0.1' };
  const service = await startService(config, pino({ level: 'silent' }), { restored });
  return Object.assign(service, { url: `http://127.0.0.1:${service.port}` });
};
const whileStarted = async <T>(use: (service: Running) => Promise<T>, restored = false): Promise<T> => {
  const service = await start(restored);
  try {
    return await use(service);
  } finally {
    await service.stop();
  }
};

const ready = async ({ url }: Running) => {
  const response = await fetch(`${url}/readyz`);
  return { http: response.status, body: (await response.json()) as { reasons?: string[] } };
};
const isReady = (service: Running) => eventually(async () => expect((await ready(service)).http).toBe(200));

const post = async ({ url }: Running, operation: string, body: object) => {
  const response = await fetch(`${url}/api/v2/${operation}.php`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ tsid: demoToken, ...body }),
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are compared with literals, key by key
  return { http: response.status, body: (await response.json()) as any };
};
/** What the records have of a call. */
const onRecord = async (id: string): Promise<object[]> => {
  const pool = new Pool({ connectionString: database.url, max: 1 });
  try {
    return (await pool.query<object>('SELECT destination FROM calls WHERE id = $1', [id.split('_')[1]])).rows;
  } finally {
    await pool.end();
  }
};
/** Each to another number: one that was called just now is a duplicate. */
let number = 11987650000;
const call = async (service: Running): Promise<string> => {
  await isReady(service);
  const { body } = await post(service, 'MakeTTSCall', { dest: String((number += 1)), text: 'hello' });
  const id = body.return.cd_id as string;
  const ref = { shard: 'a', account: demoAccount, id: Number(id.split('_')[1]) };
  await passes(service.engine, ref, 'ended');
  return id;
};

beforeAll(async () => {
  database = await freshDatabase();
  name = new URL(database.url).pathname.slice(1);
  env = {
    ...{ DATABASE_URL: database.url, DATA_DIR: dataDir, OUTGOING_DIR: outgoing },
    ...{
      DEMO_TOKEN: demoToken,
      SECRET_KEY: secretKey,
      SANDBOX_SPEED: '50',
      GRACE_SECONDS: '2',
      REQUESTS_PER_SECOND: '100000',
    },
  };
  const before = join(folder, 'before');
  await whileStarted(call);
  cpSync(outgoing, before, { recursive: true });
  await database.close();
  await onServer(`CREATE DATABASE ${name}_before TEMPLATE ${name}`);
  lost = await whileStarted(call);
  cpSync(outgoing, kept, { recursive: true });
  rmSync(outgoing, { recursive: true });
  cpSync(before, outgoing, { recursive: true });
  await onServer(
    `DROP DATABASE ${name} WITH (FORCE)`,
    `CREATE DATABASE ${name} TEMPLATE ${name}_before`,
    `DROP DATABASE ${name}_before`,
  );
});
afterAll(async () => {
  await onServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  rmSync(folder, { recursive: true });
});

const closed =
  /^shard a is closed: restored with its machine \(start --restored\); an operator brings journals that were kept elsewhere \(ramal reconcile <folder>\) or decides \(ramal shard open a\)/;

const expectClosed = async (service: Running): Promise<void> => {
  await expect.poll(async () => (await ready(service)).body.reasons?.[0]).toMatch(closed);
  expect((await ready(service)).http).toBe(503);
  expect((await post(service, 'MakeTTSCall', { dest: '11987650000', text: 'hello' })).http).toBe(503);
};

test('the journals that were restored with the machine do not open its shard, named as a folder or not', async () => {
  await whileStarted(async (service) => {
    await expectClosed(service);
    for (const folders of [[], [outgoing]]) {
      const { exit, out } = await ramal(['reconcile', ...folders], { env });
      expect(out).toMatch(/^shard a is closed: restored with its machine \(start --restored\), and /);
      expect(out).toContain('only the journals that were restored with it are at hand.');
      expect(out).toContain('npx ramal reconcile <folder>');
      expect(exit).toBe(1);
    }
    await expectClosed(service);
  }, true);
  // Started once more, without the option.
  await whileStarted(async (service) => {
    await expectClosed(service);
    const { exit, json } = await ramal(['reconcile', '--json'], { env });
    expect([exit, json.shards[0].outcome]).toEqual([1, 'closed']);
  });
  const { exit } = await ramal(['reconcile'], { env });
  expect(exit).toBe(1);
});

test('newer journals that were kept elsewhere open it, with what was lost on record', async () => {
  await whileStarted(async (service) => {
    await expectClosed(service);
    const { exit, out } = await ramal(['reconcile', kept], { env });
    expect(out).toContain('shard a is open.');
    expect(out).toContain('1 call in them was dialled');
    expect(exit).toBe(0);
    await isReady(service);
    expect(await onRecord(lost)).toEqual([{ destination: '5511987650002' }]);
  });
});

test('an operator may open it as it stands', async () => {
  await whileStarted(async (service) => {
    await expectClosed(service);
    expect((await ramal(['shard', 'open', 'a', '--redial'], { env })).out).toContain('shard a is open');
    await call(service);
  }, true);
});
