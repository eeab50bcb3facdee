import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Pool } from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { type Databases, openDatabases } from '../../src/compose/databases.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { ControlDatabase } from '../../src/store/controlDatabase.ts';
import { insertPendingAudioAsset, finishPendingAudioAsset } from '../../src/store/writeAudioAssets.ts';
import { AdminOperatorStore } from '../../src/store/adminOperatorsAndSessions.ts';
import { eventually } from '../helpers/patience.ts';
import { freshDatabase, type TestDatabase, withName } from '../helpers/database.ts';

let database: TestDatabase;
let folder: string;
let config: Config;
let lines: string[] = [];
const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });

beforeEach(async () => {
  lines = [];
  database = await freshDatabase();
  folder = mkdtempSync(join(tmpdir(), 'ramal-row-changes-'));
  config = readConfig({
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    OUTGOING_DIR: join(folder, 'journals'),
  });
});
afterEach(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const onServer = async (...statements: string[]): Promise<void> => {
  const pool = new Pool({ connectionString: withName(inject('serverUrl'), 'postgres'), max: 1 });
  try {
    for (const statement of statements) await pool.query(statement);
  } finally {
    await pool.end();
  }
};
const nameOf = ({ url }: TestDatabase): string => new URL(url).pathname.slice(1);
const terminating = (name: string): string =>
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`;
/** A copy of the database as it is now, and the way to restore it, which breaks its connections. */
const copied = async (): Promise<() => Promise<void>> => {
  const name = nameOf(database);
  await onServer(terminating(name), `CREATE DATABASE ${name}_copy TEMPLATE ${name}`);
  return () =>
    onServer(
      `DROP DATABASE ${name} WITH (FORCE)`,
      `CREATE DATABASE ${name} TEMPLATE ${name}_copy`,
      `DROP DATABASE ${name}_copy`,
    );
};
const withService = async <T>(use: (databases: Databases) => Promise<T>, to = config): Promise<T> => {
  const databases = await openDatabases(to, log);
  try {
    return await use(databases);
  } finally {
    await databases.close();
  }
};
const controlOf = ({ control }: Databases): ControlDatabase =>
  new ControlDatabase(control.prisma, () => Date.now());
const anAccount = async (control: ControlDatabase) => {
  const id = await control.reserveIds('account', 1, 100);
  return control.createAccount({ id, name: 'A shop', shard: 'a', webhook_secret: 'v1.sealed' });
};
const plainToken = { label: 'till', permissions: { enabled: true, apis: {} } };

it('keeps a token revoked, an account and a token that were made, over a copy that is restored', async () => {
  const old = await withService(async (databases) => {
    const control = controlOf(databases);
    const { id } = await anAccount(control);
    return { id, ...(await control.createToken(id, plainToken)) };
  });
  const restore = await copied();
  const later = await withService(async (databases) => {
    const control = controlOf(databases);
    await control.revokeToken(old.id, old.token.id);
    await control.updateAccount(old.id, { callback_url: 'https://shop.example/hooks', call_rate: '0.1234' });
    const { id } = await anAccount(control);
    return { id, ...(await control.createToken(id, plainToken)) };
  });
  await restore();
  await withService(async (databases) => {
    const control = controlOf(databases);
    expect((await control.tokenOwner(old.secret))?.token.revoked_at).not.toBeNull();
    const account = (await control.account(old.id))!;
    expect([account.callback_url, String(account.call_rate)]).toEqual([
      'https://shop.example/hooks',
      '0.1234',
    ]);
    expect((await control.tokenOwner(later.secret))?.account).toMatchObject({
      ...{ id: later.id, name: 'A shop', webhook_secret: 'v1.sealed' },
    });
  });
  expect(lines.join('')).toContain('"rows":{"accounts":2,"tokens":2}');
});

/** The service of another host: it has none of the journals of this one. */
const elsewhere = (): Config => ({ ...config, outgoingDir: join(folder, 'elsewhere') });

it('gives no small id away twice that was lost', async () => {
  const restore = await copied();
  const given = await withService(async (databases) => {
    const control = controlOf(databases);
    return [await control.reserveIds('list', 1), await control.reserveIds('list', 3)];
  });
  await restore();
  await withService(async (databases) => {
    expect(await controlOf(databases).reserveIds('list', 1)).toBeGreaterThanOrEqual(given[1]! + 3);
  });
});

it('gives no small id away that a host gave whose journal is not at hand', async () => {
  await withService((databases) => controlOf(databases).reserveIds('list', 1));
  const restore = await copied();
  const given = await withService((databases) => controlOf(databases).reserveIds('list', 500), elsewhere());
  await restore();
  await withService(async (databases) => {
    expect(await controlOf(databases).reserveIds('list', 1)).toBeGreaterThanOrEqual(given + 500);
  });
});

it('gives none away twice of two services that live while a copy is restored', async () => {
  await withService(async (one) => {
    await withService(async (other) => {
      await controlOf(one).reserveIds('list', 1);
      const restore = await copied();
      const reserve = (databases: Databases, count: number): Promise<number> =>
        eventually(() => controlOf(databases).reserveIds('list', count));
      const given = await reserve(other, 500);
      await restore();
      const next = await reserve(one, 1);
      expect(next).toBeGreaterThanOrEqual(given + 500);
      // The other one brings what it gave, and skips no further.
      expect(await reserve(other, 1)).toBe(next + 1);
    }, elsewhere());
  });
});

it('skips no small id where nothing went back', async () => {
  const first = await withService((databases) => controlOf(databases).reserveIds('list', 1));
  await onServer(terminating(nameOf(database)));
  const next = await withService((databases) => controlOf(databases).reserveIds('list', 1), elsewhere());
  expect(next).toBe(first + 1);
});

it('brings rows back while the service runs, before a connection is used again', async () => {
  await withService(async (databases) => {
    const control = controlOf(databases);
    const { id } = await anAccount(control);
    const { token, secret } = await control.createToken(id, plainToken);
    const restore = await copied();
    await control.revokeToken(id, token.id);
    await restore();
    // The first statements may hit connections that broke.
    const owner = () =>
      controlOf(databases)
        .tokenOwner(secret)
        .catch(() => undefined);
    await expect.poll(async () => (await owner())?.token.id).toBe(token.id);
    expect((await owner())!.token.revoked_at).not.toBeNull();
  });
});

it('lets what was written after the copy was restored stand over what was lost before', async () => {
  const made = await withService(async (databases) => anAccount(controlOf(databases)));
  const restore = await copied();
  await withService(async (databases) => {
    await controlOf(databases).updateAccount(made.id, { name: 'lost', caller_id: '551130000000' });
  });
  await restore();
  // A node of another host, which does not have that journal.
  await withService(async (databases) => {
    const account = await controlOf(databases).updateAccount(made.id, { name: 'later' });
    expect(account).toMatchObject({ name: 'later', caller_id: '' });
  }, elsewhere());
  await withService(async (databases) => {
    expect(await controlOf(databases).account(made.id)).toMatchObject({
      name: 'later',
      caller_id: '551130000000',
    });
    // What is kept on the other host is brought like journals of commits.
    await databases.control.rowJournal.merge([join(folder, 'elsewhere')]);
    expect(await controlOf(databases).account(made.id)).toMatchObject({
      name: 'later',
      caller_id: '551130000000',
    });
  });
});

const makeAudio = async (pool: Pool): Promise<void> => {
  const about = { account: 3, id: 9, at: 5 };
  const said = { type: 'tts', text: 'Welcome', voice: '', rate: 0, group: null } as const;
  await insertPendingAudioAsset(pool, { ...about, ...said, name: 'Welcome', fileName: '' });
  const files = { wav: 'audio-9', mp3: 'audio-9.mp3', sample: '', seconds: 1.25 };
  await finishPendingAudioAsset(
    pool,
    { ...about, ...files, visible: true, expiresAt: Date.now() + 60_000 },
    undefined,
  );
};

it('keeps operators revoked with their sessions, and deleted rows deleted', async () => {
  const made = await withService(async (databases) => {
    const operators = new AdminOperatorStore(databases.control.prisma, () => Date.now());
    const { operator, key } = await operators.create({ name: 'Ana', role: 'admin' });
    const about = { operator_id: operator.id, role: 'admin', address: '' };
    await operators.openSession('a session', about, Date.now() + 60_000);
    const { prisma } = databases.shards.get('a')!;
    const row = { account_id: 3, name: 'a group', created_at: 1 };
    await prisma.group.create({ data: { ...row, id: 1 } });
    return { operator, key };
  });
  const restore = await copied();
  await withService(async (databases) => {
    await new AdminOperatorStore(databases.control.prisma, () => Date.now()).revoke(made.operator.id);
    const { prisma } = databases.shards.get('a')!;
    await prisma.group.delete({ where: { account_id_id: { account_id: 3, id: 1 } } });
    await prisma.group.create({ data: { account_id: 3, id: 2, name: 'another', created_at: 2 } });
    await makeAudio(databases.shards.get('a')!.pool);
    await prisma.tariff.create({
      data: { account_id: 3, id: 7, prefix: '5511', price: '0.0812', created_at: 3 },
    });
  });
  await restore();
  await withService(async (databases) => {
    const operators = new AdminOperatorStore(databases.control.prisma, () => Date.now());
    expect(await operators.ownerOf(made.key)).toBeUndefined();
    expect(await operators.sessions(10)).toEqual([]);
    const { prisma } = databases.shards.get('a')!;
    expect((await prisma.group.findMany()).map(({ id, name }) => [id, name])).toEqual([[2, 'another']]);
    const [audio] = await prisma.audio.findMany();
    expect(audio).toMatchObject({ id: 9, name: 'Welcome', wav: 'audio-9', visible: true });
    expect((await prisma.tariff.findMany()).map(({ price }) => String(price))).toEqual(['0.0812']);
  });
});

it('takes writes again after a copy is restored that is older than its first write, which failed', async () => {
  await withService(async (databases) => {
    const control = controlOf(databases);
    const restore = await copied();
    const failing = databases.control.prisma.$transaction(() => Promise.reject(new Error('it fails')));
    await expect(failing).rejects.toThrow('it fails');
    await restore();
    await eventually(async () => expect((await anAccount(control)).name).toBe('A shop'));
  });
});

/** The file of the control database's journal that was written last. */
const lastJournal = (): string => {
  const place = join(config.outgoingDir, 'row-images', 'control');
  const paths = readdirSync(place).map((name) => join(place, name));
  return paths.toSorted((one, other) => statSync(one).mtimeMs - statSync(other).mtimeMs).at(-1)!;
};

describe('a journal of rows of which one line is damaged', () => {
  let made: { id: number; secret: string };
  let path: string;
  const tokenIn = async (databases: Databases) => (await controlOf(databases).tokenOwner(made.secret))?.token;
  const nameIn = async (databases: Databases) => (await controlOf(databases).account(made.id))?.name;

  beforeEach(async () => {
    const begun = await withService(async (databases) => {
      const control = controlOf(databases);
      const { id } = await anAccount(control);
      return { id, ...(await control.createToken(id, plainToken)) };
    });
    made = begun;
    const restore = await copied();
    await withService(async (databases) => {
      const control = controlOf(databases);
      await control.updateAccount(begun.id, { name: 'damaged later' });
      await control.updateAccount(begun.id, { caller_id: '551130000000' });
      await control.revokeToken(begun.id, begun.token.id);
    });
    await restore();
    path = lastJournal();
    copyFileSync(path, join(folder, 'whole'));
    writeFileSync(path, readFileSync(path, 'latin1').replace('damaged later', 'DAMAGED later'), 'latin1');
  });

  it('keeps no line behind it back, and is named until a whole copy stands in its place', async () => {
    // Each looks anew, as a service or a command does.
    for (const _ of ['first', 'again'])
      await withService(async (databases) => {
        expect((await tokenIn(databases))?.revoked_at).not.toBeNull();
        expect(await nameIn(databases)).toBe('A shop');
        const { rowJournal } = databases.control;
        expect(rowJournal.problem()).toContain(path);
        expect(await rowJournal.merge()).toEqual([expect.stringContaining(`is damaged (${path}, at byte `)]);
      });
    copyFileSync(join(folder, 'whole'), path);
    await withService(async (databases) => {
      expect(await nameIn(databases)).toBe('damaged later');
      expect(databases.control.rowJournal.problem()).toBeUndefined();
    });
  });

  it('is mended from a folder that has a whole copy', async () => {
    const place = join(folder, 'brought', 'row-images', 'control');
    mkdirSync(place, { recursive: true });
    copyFileSync(join(folder, 'whole'), join(place, basename(path)));
    await withService(async (databases) => {
      expect(await databases.control.rowJournal.merge([join(folder, 'brought')])).toEqual([]);
      expect(await nameIn(databases)).toBe('damaged later');
    });
  });

  it('is named where nothing of it can be read', async () => {
    writeFileSync(path, 'rubbish\n'.repeat(1_000));
    await withService(async (databases) => {
      expect((await tokenIn(databases))?.revoked_at).toBeNull();
      expect(await databases.control.rowJournal.merge()).toEqual([expect.stringContaining(path)]);
    });
  });
});
