/** An engine on a real PostgreSQL that its test breaks, with everything counted that is sent there and logged. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { inject } from 'vitest';
import { RamalEngine } from '../../src/engine/engine.ts';
import {
  hostClock,
  noopWakeUpHints,
  noopEngineMetrics,
  type EffectPerformers,
} from '../../src/engine/contract/ports.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import type { MachineRef, SendEventResult } from '../../src/engine/contract/api.ts';
import { openDatabasePool, openCommitPool, type DatabaseOptions } from '../../src/store/pool.ts';
import { postgresStore } from '../../src/store/postgresShardStore.ts';
import { freshDatabase } from '../helpers/database.ts';
import { contextOf, errand } from './errand.ts';

export interface BrokenDatabase {
  engine: RamalEngine;
  /** The lanes' connections, as the engine has them. */
  writers: Pool;
  /** Lines of the log, as `level message`. */
  lines: string[];
  /** Calls of the store so far, by verb. */
  sent: Partial<Record<keyof ShardMachineStore, number>>;
  /** As the owner of everything; `engine_role` is the engine's. */
  sql(text: string): Promise<void>;
  /** Lets nobody write, or lets everybody again: to sessions it looks like a server that was demoted. */
  readOnly(on: boolean): Promise<void>;
  start(account?: number): Promise<MachineRef>;
  say(ref: MachineRef, text: string): Promise<SendEventResult>;
  words(ref: MachineRef): Promise<string[]>;
  attention(ref: MachineRef): Promise<string | null | undefined>;
  end(): Promise<void>;
}

export interface BrokenOptions extends DatabaseOptions {
  performers?: EffectPerformers;
  graceMs?: number;
}

/** The engine's role owns nothing, so that what it may do can be taken from it. */
export const brokenDatabase = async ({
  performers = {},
  graceMs = 10_000,
  ...options
}: BrokenOptions = {}): Promise<BrokenDatabase> => {
  const database = await freshDatabase({ maxConnections: 2 });
  const role = `role_${randomUUID().replaceAll('-', '')}`;
  const admin = new Pool({ connectionString: inject('serverUrl'), max: 1 });
  await database.pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret';
    GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}; GRANT ALL ON SCHEMA public TO ${role}`);
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'secret'];
  const address = { name: 'a', url: url.href, schema: 'public' };
  const writers = openCommitPool(address, options);
  const pool = openDatabasePool(address, { maxConnections: 4, ...options });
  const lines: string[] = [];
  const sent: BrokenDatabase['sent'] = {};
  const line =
    (level: string) =>
    (fields: object, message: string): void =>
      void lines.push(`${level} ${message} ${'err' in fields ? String(fields.err) : ''}`);
  const engine = new RamalEngine({
    kinds: [errand],
    shards: [
      {
        ...{
          name: 'a',
          performers,
          clock: hostClock,
          random: Math.random,
          hints: noopWakeUpHints,
          metrics: noopEngineMetrics,
        },
        store: counted(postgresStore(writers, pool, [errand]), sent),
        log: { info: line('info'), warn: line('warn'), error: line('error') },
        cachedMachines: 5_000,
        membership: { name: 'test', process: role, isProcessDead: () => false, graceMs },
      },
    ],
  });
  await engine.open();
  const sql = async (text: string): Promise<void> =>
    void (await database.pool.query(text.replaceAll('engine_role', role)));
  return {
    ...{ engine, writers, lines, sent, sql },
    readOnly: async (on) => {
      await admin.query(`ALTER ROLE ${role} SET default_transaction_read_only = ${on ? 'on' : 'off'}`);
      await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`);
    },
    start: async (account = 7) => {
      const result = await engine.start({ kind: 'errand', shard: 'a', account, input: {} });
      if (result.outcome !== 'started') throw new Error('not started');
      return result.ref;
    },
    say: (ref, text) => engine.send(ref, { type: 'word', text }),
    words: async (ref) => contextOf(await engine.view(ref)).words,
    attention: async (ref) => (await engine.view(ref))?.attention,
    end: async () => {
      engine.abandon();
      await Promise.all([writers.end(), pool.end()]);
      await database.drop();
      await admin.query(`DROP ROLE IF EXISTS ${role}`);
      await admin.end();
    },
  };
};

const counted = (store: ShardMachineStore, sent: BrokenDatabase['sent']): ShardMachineStore =>
  new Proxy(store, {
    get: (target, verb: keyof ShardMachineStore) => {
      const method = (target[verb] as (...given: unknown[]) => unknown).bind(target);
      return (...given: unknown[]): unknown => {
        sent[verb] = (sent[verb] ?? 0) + 1;
        return method(...given);
      };
    },
  });

/** Text of so many characters that compresses badly. */
export const noise = (length: number): string => {
  let text = '';
  while (text.length < length) text += randomUUID();
  return text.slice(0, length);
};
