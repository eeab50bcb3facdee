/** The doctor, with the service up and down, and with things that are broken. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkCarrier } from '../../src/cli/doctor/telephonyCarrier.ts';
import { checkDatabase, clockDriftFinding } from '../../src/cli/doctor/database.ts';
import { checkEmbeddedPostgres } from '../../src/cli/doctor/embedded.ts';
import type { DoctorFinding } from '../../src/cli/doctor/finding.ts';
import {
  checkFolder,
  checkNodeVersion,
  checkSecretFilePermissions,
  diskSpaceFinding,
} from '../../src/cli/doctor/host.ts';
import { checkJournalFolder } from '../../src/cli/doctor/journal.ts';
import {
  checkRedis,
  checkVirusScanner,
  checkSmppRoutes,
  checkSpeechVoices,
} from '../../src/cli/doctor/externalServicesAndTools.ts';
import { checkPortAvailable, checkService, fetchServiceHealth } from '../../src/cli/doctor/runningService.ts';
import { readConfig } from '../../src/config.ts';
import { lacking, startBed } from '../asterisk/bed.ts';
import { clamdLacking, startClamd } from '../helpers/clamd.ts';
import { freshDatabase, type TestDatabase, withDatabase, withName } from '../helpers/database.ts';
import { redisLacking, startRedis } from '../helpers/redis.ts';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { ramal, type Said } from './terminal.ts';

let folder: string;
let database: TestDatabase;
/** Nobody listens on it. */
let port: number;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ramal-doctor-'));
  database = await freshDatabase();
  const server = await listening();
  port = portOf(server);
  await closed(server);
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const listening = (): Promise<Server> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1', () => resolve(server));
  });
const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));

/** A bare machine has none, which the doctor warns of. */
const hasFfmpeg = spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status === 0;

const settings = (more: Record<string, string> = {}): Record<string, string> => ({
  DATA_DIR: folder,
  DATABASE_URL: database.url,
  HOST: '127.0.0.1',
  PORT: String(port),
  PATH: process.env['PATH'] ?? '',
  ...(!hasFfmpeg && { FFMPEG: 'none' }),
  ...more,
});

const examined = async (more: Record<string, string> = {}): Promise<Said> => {
  const said = await ramal(['doctor', '--json'], { env: settings(more) });
  expect(said.err).toBe('');
  return said;
};

/** What has failed, in one line each. */
const failures = (findings: readonly DoctorFinding[], check?: string): string[] =>
  findings
    .filter((one) => one.level === 'failed' && (check === undefined || one.check === check))
    .map(({ says, todo }) => `${says} → ${todo}`);

const notOk = ({ json }: Said): DoctorFinding[] =>
  json.findings.filter(({ level }: DoctorFinding) => level !== 'ok');

/** What is said, whatever the level. */
const all = (findings: readonly DoctorFinding[]): string => findings.map(({ says }) => says).join('\n');

describe('with the service up', () => {
  let on: TestService;
  let env: Record<string, string>;
  beforeAll(async () => {
    on = await startTestService();
    env = {
      DATABASE_URL: on.database.url,
      PORT: new URL(on.url).port,
      ADMIN_TOKEN: 'admin-token-for-the-tests',
    };
  });
  afterAll(() => on.stop());

  test('all is well, and nothing that is secret is said', async () => {
    const scripts = await examined(env);
    expect(notOk(scripts)).toEqual([]);
    expect(scripts).toMatchObject({ exit: 0, json: { ok: true } });
    const checks = new Set(scripts.json.findings.map(({ check }: DoctorFinding) => check));
    for (const name of ['node', 'settings', 'DATA_DIR', 'journal', 'database', 'redis', 'carrier', 'ffmpeg', 'clamd', 'voices', 'port', 'service'])
      expect(checks).toContain(name); // prettier-ignore
    const people = await ramal(['doctor'], { env: settings(env) });
    expect(people.out).toMatch(/^ok +node +\d+/);
    expect(people.out).toContain('is ready for work');
    for (const secret of ['admin-token-for-the-tests', new URL(on.database.url).password])
      expect(`${scripts.out}${people.out}`).not.toContain(secret);
  });

  test('what speaks is named, and that nothing does is a warning that says what follows', async () => {
    const npm = await checkSpeechVoices(readConfig({ ESPEAK: 'package' }));
    expect(npm).toMatchObject([
      { level: 'ok', says: expect.stringMatching(/^espeak-ng of npm .* in 108 voices$/) },
    ]);
    const none = await checkSpeechVoices(readConfig({ ESPEAK: 'none' }));
    expect(none).toMatchObject([
      { level: 'warning', says: expect.stringContaining('requests with texts are refused') },
    ]);
  });

  test('an SMSC that cannot be reached is found among the routes', async () => {
    const smsc = await listening();
    const made = await on.admin('POST', `/accounts/${demoAccount}/sms-routes`, {
      ...{ name: 'A', kind: 'smpp', secret: { password: 'smsc-password' } },
      settings: { host: '127.0.0.1', port: portOf(smsc), system_id: 'x' },
    });
    expect(made.http).toBe(201);
    expect(all(await checkSmppRoutes(on.database.pool))).toContain('takes connections');
    await closed(smsc);
    const found = await checkSmppRoutes(on.database.pool);
    expect(failures(found)).toEqual([expect.stringContaining(`of account 3: 127.0.0.1:${portIn(found)}`)]);
    expect(JSON.stringify(found)).not.toContain('smsc-password');
  });

  test('an admin token that is not taken is said to be, and another release as well', async () => {
    const health = await fetchServiceHealth(on.url);
    const connection = { url: on.url, adminToken: 'another-token', accountToken: undefined };
    const found = await checkService(connection, health, '9.9.9');
    expect(failures(found)).toContainEqual(expect.stringContaining('does not take the admin token'));
    expect(found).toContainEqual(
      expect.objectContaining({ level: 'warning', says: expect.stringContaining('9.9.9') }),
    );
    expect(JSON.stringify(found)).not.toContain('another-token');
  });

  test('an address that is kept out is said to be, not that its token is wrong, and is unlocked', async () => {
    const headers = { authorization: 'Bearer a-guess-of-somebody' };
    const guess = () => on.admin('GET', '/accounts', undefined, headers);
    await Promise.all(Array.from({ length: 200 }, guess));
    const connection = { url: on.url, adminToken: env['ADMIN_TOKEN'], accountToken: undefined };
    const found = await checkService(connection, await fetchServiceHealth(on.url), '0.1.0');
    expect(failures(found)).toContainEqual(
      expect.stringMatching(
        /keeps this address out, and the admin token, .* loopback is looked at for \d+ s/,
      ),
    );
    const refused = await ramal(['account', 'ls'], { env: settings(env) });
    expect(refused.err).toContain('npx ramal unlock loopback');
    const unlocked = await ramal(['unlock', 'loopback'], { env: settings(env) });
    expect(unlocked).toMatchObject({ exit: 0, out: 'loopback was throttled and is let in again.\n' });
    expect(all(await checkService(connection, await fetchServiceHealth(on.url), '0.1.0'))).toContain(
      'takes the admin token',
    );
  });

  test('other addresses that are kept out are named', async () => {
    const from = { authorization: 'Bearer a-guess-of-somebody', 'X-Forwarded-For': '203.0.113.9' };
    await Promise.all(Array.from({ length: 20 }, () => on.admin('GET', '/accounts', undefined, from)));
    const { json } = await examined(env);
    expect(json.findings).toContainEqual(
      expect.objectContaining({
        level: 'warning',
        says: expect.stringMatching(/keeps 127.0.0.1 out for \d+ s/),
      }),
    );
  });
});

const portIn = ([one]: DoctorFinding[]): string => /127\.0\.0\.1:(\d+)/.exec(one!.says)![1]!;

describe('with the service down', () => {
  test('what it needs is looked at from outside; that it is down is a warning', async () => {
    const said = await examined();
    expect(notOk(said)).toEqual([
      { check: 'service', level: 'warning', says: expect.any(String), todo: 'Start it: npx ramal start' },
    ]);
    expect(said.exit).toBe(0);
  });

  test('an embedded database that was never made is no failure, and is not made', () => {
    const never = join(folder, 'never');
    expect(checkEmbeddedPostgres(never)).toMatchObject({ findings: [{ level: 'ok' }] });
    expect(existsSync(never)).toBe(false);
  });

  test('what is away is said to be, each with its setting, and no password', async () => {
    const said = await examined({
      DATABASE_URL: `postgresql://ramal:hush-hush@127.0.0.1:${port}/ramal`,
      REDIS_URL: `redis://:hush-hush@127.0.0.1:${port}`,
      CLAMD_URL: `tcp://127.0.0.1:${port}`,
      CARRIER: 'asterisk',
      ARI_URL: `http://127.0.0.1:${port}/ari`,
      ARI_USER: 'ramal',
      ARI_PASSWORD: 'hush-hush',
      FFMPEG: 'auto',
      PATH: folder,
    });
    const found: DoctorFinding[] = said.json.findings;
    expect(failures(found, 'database')).toEqual([expect.stringMatching(/ECONNREFUSED.*DATABASE_URL/)]);
    expect(failures(found, 'redis')).toEqual([expect.stringMatching(/ECONNREFUSED.*REDIS_URL/)]);
    expect(failures(found, 'clamd')).toEqual([expect.stringContaining('CLAMD_URL')]);
    expect(failures(found, 'asterisk')).toEqual([expect.stringContaining('ARI_URL')]);
    expect(found).toContainEqual(expect.objectContaining({ check: 'ffmpeg', level: 'warning' }));
    expect(said).toMatchObject({ exit: 1, json: { ok: false } });
    expect(said.out).not.toContain('hush-hush');
  });

  test('a setting that is wrong is said in the words of the start; the rest waits for it', async () => {
    const said = await examined({ SANDBOX_SPEED: 'fast' });
    expect(failures(said.json.findings, 'settings')).toEqual([
      expect.stringContaining('SANDBOX_SPEED must be a number'),
    ]);
    expect(said.json.findings.map(({ check }: DoctorFinding) => check)).toEqual([
      'node',
      'settings',
      'service',
    ]);
  });
});

describe('a database', () => {
  const look = (url: string) =>
    checkDatabase({ name: 'database', url, schema: 'public', setting: 'DATABASE_URL' }, { connections: 26 });

  test('whose password is wrong, or which is not there', async () => {
    const url = new URL(database.url);
    url.password = 'wrong-password';
    expect(failures(await look(url.href))).toEqual([expect.stringContaining('Correct user and password')]);
    const nowhere = await look(withName(database.url, 'nowhere'));
    expect(failures(nowhere)).toEqual([expect.stringContaining('CREATE DATABASE')]);
  });

  test('that confirms what it has not written', async () => {
    await withDatabase(async ({ url, pool }) => {
      const name = new URL(url).pathname.slice(1);
      await pool.query(`ALTER DATABASE ${name} SET synchronous_commit = off`);
      expect(failures(await look(url))).toEqual([expect.stringContaining('synchronous_commit = off')]);
    });
  });

  test('that bears too few connections', async () => {
    const place = { name: 'database', url: database.url, schema: 'public', setting: 'DATABASE_URL' };
    const found = await checkDatabase(place, { connections: 100_000 });
    expect(failures(found)).toEqual([expect.stringContaining('Raise max_connections')]);
  });

  test('that is empty is filled by the first start, if its role may', async () => {
    await withDatabase(
      async ({ url, pool }) => {
        expect(all(await look(url))).toContain('it is empty');
        const role = `reader_${new URL(url).pathname.slice(-12)}`;
        await pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'hush-hush'`);
        const poor = new URL(url);
        [poor.username, poor.password] = [role, 'hush-hush'];
        expect(failures(await look(poor.href))).toEqual([expect.stringContaining('may not make tables')]);
        await pool.query(`DROP ROLE ${role}`);
      },
      { migrated: false },
    );
  });

  test('of an earlier or a later release', async () => {
    await withDatabase(async ({ url, pool }) => {
      const { rows } = await pool.query<{ name: string }>(
        `DELETE FROM _prisma_migrations WHERE migration_name = (SELECT max(migration_name) FROM _prisma_migrations)
          RETURNING migration_name AS name`,
      );
      expect(all(await look(url))).toContain(`the next start applies ${rows[0]!.name}`);
      await pool.query(
        `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at) VALUES ('x', 'x', '9999_later', now())`,
      );
      expect(failures(await look(url))).toEqual([expect.stringContaining('run a newer release')]);
    });
  });
});

describe('neighbours that are there', () => {
  test.skipIf(redisLacking() !== undefined)('a Redis', async () => {
    const redis = await startRedis();
    const found = await checkRedis(redis.url);
    await redis.stop();
    expect(found).toEqual([{ check: 'redis', level: 'ok', says: `answers at ${redis.url}` }]);
  });

  test.skipIf(clamdLacking() !== undefined)('a virus scanner', async () => {
    const clamd = await startClamd(port);
    const found = await checkVirusScanner(clamd.url);
    await clamd.stop();
    expect(found).toEqual([{ check: 'clamd', level: 'ok', says: `answers at ${clamd.url}` }]);
  });

  test.skipIf(lacking() !== undefined)(
    'an Asterisk: its login, its modules, its trunk, its clock',
    async () => {
      const bed = await startBed(9);
      const { url, user, password } = bed.login;
      const look = (more: Record<string, string> = {}) => {
        const login = { CARRIER: 'asterisk', ARI_URL: `${url}/ari`, ARI_USER: user, ARI_PASSWORD: password };
        return checkCarrier(readConfig({ ...login, ...more }));
      };
      try {
        const well = await look();
        expect(well.every(({ level }) => level === 'ok')).toBe(true);
        for (const part of ['lets us in', 'its modules are there', 'PJSIP/carrier is', 'its clock is'])
          expect(all(well)).toContain(part);
        const refused = await look({ ARI_PASSWORD: 'hush-hush' });
        expect(failures(refused)).toEqual([expect.stringContaining('refuses the user ramal')]);
        expect(JSON.stringify(refused)).not.toContain('hush-hush');
        expect(failures(await look({ ARI_ENDPOINT: 'PJSIP/{number}@nowhere' }))).toEqual([
          expect.stringContaining('no trunk PJSIP/nowhere'),
        ]);
        await bed.console('module unload app_amd.so');
        expect(all(await look())).toContain('it lacks app_amd: answering machines are not told from people');
        await bed.console('module unload res_ari_playbacks.so');
        expect(failures(await look())).toEqual([
          expect.stringContaining('it lacks the modules res_ari_playbacks'),
        ]);
      } finally {
        await bed.stop();
      }
    },
  );
});

describe('the journals', () => {
  const config = (more: Record<string, string>) => readConfig({ DATA_DIR: folder, ...more });

  test('are counted where they are, and nothing is made where there are none', async () => {
    const outgoing = join(mkdtempSync(join(folder, 'journal-')), 'outgoing');
    const look = () =>
      checkJournalFolder(config({ OUTGOING_DIR: outgoing, OUTGOING_DAYS: '7', DATABASE_URL: database.url }));
    const before = await look();
    expect(all(before)).toContain('made at the first start');
    expect(all(before)).toContain('0 files, 0 MB; each is kept for 7 days');
    expect(existsSync(outgoing)).toBe(false);
    mkdirSync(join(outgoing, 'a'), { recursive: true });
    writeFileSync(join(outgoing, 'a', '77.0001.journal.gz'), Buffer.alloc(2 * 1024 ** 2));
    writeFileSync(join(outgoing, 'a', '77.0002.journal'), Buffer.alloc(1024 ** 2));
    writeFileSync(join(outgoing, 'a', '77.0003.journal.part'), Buffer.alloc(1024 ** 2));
    const found = await look();
    expect(all(found)).toContain(`${outgoing} can be written to`);
    expect(all(found)).toContain('2 files, 3 MB');
    expect(all(found)).toContain('MB are free there');
    expect(all(found)).not.toContain('volume');
    expect(found.every(({ check }) => check === 'journal')).toBe(true);
  });

  test('on the volume of the embedded database get a hint', async () => {
    const found = await checkJournalFolder(config({}));
    expect(found).toContainEqual({
      ...{ check: 'journal', level: 'ok' },
      says: expect.stringMatching(/^is on the same volume as the embedded database.*OUTGOING_DIR/),
    });
  });

  test('that cannot be written are a failure, also of one shard', async () => {
    writeFileSync(join(folder, 'no folder'), '');
    const nowhere = await checkJournalFolder(config({ OUTGOING_DIR: join(folder, 'no folder', 'outgoing') }));
    expect(failures(nowhere)).toEqual([expect.stringMatching(/cannot be used.*OUTGOING_DIR/)]);
    const outgoing = mkdtempSync(join(folder, 'journal-'));
    writeFileSync(join(outgoing, 'a'), '');
    const found = await checkJournalFolder(config({ OUTGOING_DIR: outgoing }));
    expect(failures(found)).toEqual([expect.stringContaining(`${join(outgoing, 'a')} cannot be used`)]);
  });

  test('need room, and without it nothing is dialled', () => {
    const use = { stops: 'nothing is dialled', grow: 'journals' };
    expect(diskSpaceFinding('journal', 10 ** 8, use).todo).toBe('Make room: without it nothing is dialled.');
  });
});

describe('this machine', () => {
  test('a folder that cannot be written to', async () => {
    writeFileSync(join(folder, 'file'), '');
    const found = await checkFolder('DATA_DIR', join(folder, 'file', 'data'));
    expect(failures(found)).toEqual([expect.stringContaining('cannot be used')]);
    expect(all(await checkFolder('DATA_DIR', join(folder, 'not', 'yet')))).toContain(
      'made at the first start',
    );
  });

  test('secrets that others can read', () => {
    const open = mkdtempSync(join(folder, 'open-'));
    expect(checkSecretFilePermissions(open)).toEqual([]);
    writeFileSync(join(open, 'admin-token'), 'hush-hush\n', { mode: 0o644 });
    const found = checkSecretFilePermissions(open);
    expect(found).toMatchObject([{ level: 'warning', todo: expect.stringContaining('chmod 600') }]);
    expect(JSON.stringify(found)).not.toContain('hush-hush');
  });

  test('a port that another program holds', async () => {
    const other = await listening();
    const held = { PORT: String(portOf(other)) };
    const found = await checkPortAvailable(readConfig(settings(held)), false);
    await closed(other);
    expect(failures(found)).toEqual([expect.stringContaining('is taken by another program')]);
    expect(await checkPortAvailable(readConfig(settings(held)), false)).toMatchObject([{ level: 'ok' }]);
  });

  test('a disk that is nearly full, a clock that is off, a Node that is old', () => {
    const levels = [10 ** 8, 10 ** 9, 10 ** 10].map((free) => diskSpaceFinding('DATA_DIR', free).level);
    expect(levels).toEqual(['failed', 'warning', 'ok']);
    expect([-60_000, 5_000, 20].map((ahead) => clockDriftFinding('database', ahead).level)).toEqual([
      'failed',
      'warning',
      'ok',
    ]);
    expect(clockDriftFinding('database', -60_000).says).toBe("its clock is 60.0 s behind this machine's");
    const nodes = ['18.20.0', '20.18.1', '20.19.0', '24.1.0'];
    expect(nodes.map((node) => checkNodeVersion(node, '>=20.19')[0]!.level)).toEqual([
      'failed',
      'failed',
      'ok',
      'ok',
    ]);
  });
});
