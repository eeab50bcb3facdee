/** Pages on which the service is started with servers of one's own, killed, or started anew: as printed, with real ones. */
import { cpSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { freshDatabase, withName } from '../helpers/database.ts';
import { redisLacking, startRedis } from '../helpers/redis.ts';
import { login, startS3Server } from '../providers/media/s3Server.ts';
import { freePort } from '../service/service.ts';
import type { Block } from './blocks.ts';
import { aFollower, type Follower } from './follower.ts';
import { blocksOf, blocksWith, lackingPrograms, missing } from './pages.ts';
import { expectWorks, follow, type Place } from './reader.ts';
import { addTool, toolsIn } from './tools.ts';
import { until } from '../helpers/patience.ts';

const undo: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

const aReader = async (env: Record<string, string>, how: { running?: boolean } = {}): Promise<Follower> => {
  const reader = await aFollower(env, how);
  undo.push(() => reader.stop());
  return reader;
};
const aDatabase = async (): Promise<string> => {
  const database = await freshDatabase({ migrated: false });
  undo.push(() => database.drop());
  return database.url;
};
const followed = async (page: string, blocks: readonly Block[], place: Place): Promise<string> => {
  const done = await follow(page, blocks, place);
  undo.push(done.close);
  expectWorks(done);
  return done.said.join('\n');
};
const needing = (page: string, ...needs: string[]): Block[] =>
  blocksOf(page).filter((block) => block.needs !== undefined && needs.includes(block.needs));

const onServer = async (...statements: string[]): Promise<void> => {
  const pool = new Pool({ connectionString: withName(inject('serverUrl'), 'postgres'), max: 1 });
  try {
    for (const statement of statements) await pool.query(statement);
  } finally {
    await pool.end();
  }
};

/** Data and database of a moment ago take the place of what they became; copies of the newer journals were kept elsewhere. */
const restoreAMomentAgo = async (page: string, { place }: Follower, stop: Block): Promise<string[]> => {
  const [data, before] = ['data', 'data-of-before'].map((name) => join(place.folder, name)) as [
    string,
    string,
  ];
  const copies = ['b', 'c'].map((name) => join(place.folder, `outgoing-${name}`));
  const name = new URL(place.env!['DATABASE_URL']!).pathname.slice(1);
  await followed(page, [stop], place);
  cpSync(data, before, { recursive: true });
  await onServer(`CREATE DATABASE ${name}_before TEMPLATE ${name}`);
  const start: Block = { line: 0, script: 'npx ramal start', until: 'Ramal_is_up' };
  const call: Block = { line: 0, script: "npx ramal call 11987650000 --text 'Bom dia'" };
  await followed(page, [start, call, stop], place);
  for (const copy of copies) cpSync(join(data, 'outgoing'), copy, { recursive: true });
  rmSync(data, { recursive: true });
  renameSync(before, data);
  await onServer(`DROP DATABASE ${name} WITH (FORCE)`, `ALTER DATABASE ${name}_before RENAME TO ${name}`);
  return copies;
};

const printed = 'postgresql://ramal:secret@db:5432';
const noRedis = redisLacking();

describe.skipIf(missing.length > 0)(`with servers of one's own${lackingPrograms}`, () => {
  test('a PostgreSQL, one of several hosts, one to move to, an hour for upkeep, and a bucket', async () => {
    const page = 'docs/guides/own-servers.md';
    const [reader, own, empty] = await Promise.all([
      aReader({ S3_REGION: login.region }, { running: false }),
      aDatabase(),
      aDatabase(),
    ]);
    const bucket = await startS3Server();
    undo.push(() => bucket.close());
    const address = new URL(own);
    const said = await followed(page, needing(page, 'postgresql', 'bucket'), {
      ...reader.place,
      oneAtATime: true,
      replaced: {
        [`${printed}/empty`]: empty,
        [`${printed}/ramal`]: own,
        // The other server is not there: a standby that is down.
        'postgresql://ramal:secret@db1:5432,db2:5432/ramal': `postgresql://${address.username}:${address.password}@${address.host},127.0.0.1:${await freePort()}${address.pathname}`,
        'https://minio.example:9000': bucket.endpoint,
        'S3_BUCKET=ramal S3_ACCESS_KEY=key S3_SECRET_KEY=secret': `S3_BUCKET=${login.bucket} S3_ACCESS_KEY=${login.accessKey} S3_SECRET_KEY=${login.secretKey}`,
      },
    });
    expect(said.match(/Ramal is up/g)).toHaveLength(4);
    expect((await fetch(`${reader.url}/readyz`)).status).toBe(200);
  });

  test.skipIf(noRedis !== undefined)(
    `a Redis, and a second node${noRedis === undefined ? '' : `: ${noRedis}`}`,
    async () => {
      const [reader, own, other, redis] = await Promise.all([
        aReader({}, { running: false }),
        aDatabase(),
        aDatabase(),
        startRedis(),
      ]);
      undo.push(() => redis.stop());
      await (
        await follow('README.md', needing('README.md', 'postgresql'), {
          ...reader.place,
          replaced: { [`${printed}/ramal`]: own, 'redis://cache:6379': redis.url },
        })
      ).close();
      const page = 'docs/guides/more-nodes.md';
      const [, , shards] = needing(page, 'postgresql');
      const nodes = needing(page, 'postgresql').slice(0, 2);
      const second = await freePort();
      const both = await follow(page, nodes, {
        ...reader.place,
        replaced: {
          'DATABASE_URL=…': `DATABASE_URL=${own}`,
          'REDIS_URL=…': `REDIS_URL=${redis.url}`,
          'SECRET_KEY=…': 'SECRET_KEY=$(cat data/secret-key)',
          'ADMIN_TOKEN=…': `ADMIN_TOKEN=AdminTokenOfTwoNodesTogether`,
          'DEMO_TOKEN=…': 'DEMO_TOKEN=$(cat data/demo-token)',
          'PORT=8080': `PORT=${reader.place.port}`,
          'PORT=8081': `PORT=${second}`,
        },
      });
      undo.push(both.close);
      expectWorks(both);
      for (const port of [reader.place.port, second])
        expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
      await both.close();
      await followed(page, [shards!], {
        ...reader.place,
        env: { ...reader.place.env, DATABASE_URL: own },
        replaced: { 'postgresql://ramal:secret@db2:5432/ramal': other },
      });
      const ready = (await (await fetch(`${reader.url}/readyz`)).json()) as object;
      expect(ready).toMatchObject({ shards: { a: expect.anything(), b: expect.anything() } });
    },
  );

  test('a call goes on when the service is killed while it rings, as the guide shows', async () => {
    const page = 'docs/guides/first-call.md';
    const reader = await aReader({ SANDBOX_SPEED: '5' });
    addTool(toolsIn(reader.place), 'lsof', `echo ${reader.pid}`);
    await followed(page, [...blocksWith(page).slice(0, 2), ...needing(page, 'own-process')], reader.place);
    const events = await until(async () => {
      const [{ id }] = (await reader.admin('/machines?account=3&kind=call')).machines;
      const { state, history } = await reader.admin(`/machines/${id}`);
      return state === 'ended' && history.map(({ event }: { event: string }) => event);
    });
    expect(events).toContain('takenOver');
    expect(events).toContain('answered');
  });

  test('a machine that was restored is started as such, and its shard opened by journals or by decision', async () => {
    const page = 'docs/guides/after-a-failover.md';
    const reader = await aReader({});
    const stop: Block = { line: 0, script: 'npx ramal stop' };
    const copies = await restoreAMomentAgo(page, reader, stop);
    const [start] = needing(page, 'own-process');
    const look: Block = { line: 0, script: 'npx ramal shard ls', exits: 1 };
    const replaced = { '/mnt/node-b/outgoing': copies[0]!, '/mnt/node-c/outgoing': copies[1]! };
    const brought = await followed(page, [start!, look, ...needing(page, 'journals')], {
      ...reader.place,
      replaced,
    });
    expect(brought).toContain('closed');
    const decided = await followed(
      page,
      [stop, start!, look, ...needing(page, 'closed-shard')],
      reader.place,
    );
    expect(decided).toContain('shard a is open: its nodes take up what stands.');
    await until(async () => (await fetch(`${reader.url}/readyz`)).status === 200);
  });
});
