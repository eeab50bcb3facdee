/** Engines for tests: on memory or on a real PostgreSQL, one node or several over the same tables. */
import type { Kind } from '../../src/engine/contract/kind.ts';
import { type EngineOptions, RamalEngine } from '../../src/engine/engine.ts';
import type { Journal } from '../../src/engine/contract/journal.ts';
import {
  hostClock,
  noopWakeUpHints,
  noopEngineLog,
  noopEngineMetrics,
  type EffectPerformers,
} from '../../src/engine/contract/ports.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import { type LedgerEntry, MemoryStore, MemoryTables } from '../../src/store/memory.ts';
import { markRestoredShardsClosed } from '../../src/backup/closeRestoredShards.ts';
import { postgresStore } from '../../src/store/postgresShardStore.ts';
import { freshDatabase } from '../helpers/database.ts';
import { until } from '../helpers/patience.ts';

export interface NodeOptions {
  performers?: EffectPerformers;
  graceMs?: number;
  /** Processes known to have ended. */
  ended?: Set<string>;
  process?: string;
  /** Stands between engine and store, e.g. to break it. */
  through?: (store: ShardMachineStore) => ShardMachineStore;
  cache?: number;
  ownStepsPerSecond?: number;
  stepsPerCommit?: number;
  /** Keeps what is acknowledged; default: nothing does. */
  journal?: Journal;
  /** How much the process seems to be at work; default: as it is. */
  load?: () => number;
  /** Work that takes long, and when it is done; default: none. */
  heavy?: EngineOptions['shards'][number]['heavy'];
}

export interface Bed {
  name: string;
  node(options?: NodeOptions): Promise<RamalEngine>;
  store: ShardMachineStore;
  /** Puts money into an account's balance. */
  fill(account: number, amount: number): Promise<void>;
  ledger(): Promise<LedgerLine[]>;
  /** Numbers on an account's block list, and why. */
  blocked(account: number): Promise<Record<string, string>>;
  /**
   * Remembers everything that the database holds; what is returned restores it, as from a backup, or, `promoted`,
   * as a standby that was promoted: it writes another history from the same moment on. `restarted`, in memory only: by a server
   * that is started anew, as a copy of its files is restored.
   */
  backUp(): Promise<(how?: 'promoted' | 'restarted') => Promise<void>>;
  /** A standby was promoted: the server writes another history from now on. */
  promote(): Promise<void>;
  /** The shard is closed, as `ramal restore` leaves it. */
  closeRestored(): Promise<void>;
  end(): Promise<void>;
}

export type LedgerLine = Omit<LedgerEntry, 'id' | 'at'>;

let processes = 0;

const nodeOf =
  (kinds: readonly Kind[], store: ShardMachineStore, nodes: RamalEngine[]) =>
  async (options: NodeOptions = {}): Promise<RamalEngine> => {
    const engine = new RamalEngine({
      kinds,
      shards: [
        {
          name: 'a',
          store: options.through?.(store) ?? store,
          performers: options.performers ?? {},
          clock: options.load ? { ...hostClock, load: options.load } : hostClock,
          random: Math.random,
          hints: noopWakeUpHints,
          metrics: noopEngineMetrics,
          log: noopEngineLog,
          cachedMachines: options.cache ?? 1_000,
          ...(options.journal && { journal: options.journal }),
          ...(options.heavy && { heavy: options.heavy }),
          ...(options.ownStepsPerSecond !== undefined && { ownStepsPerSecond: options.ownStepsPerSecond }),
          ...(options.stepsPerCommit !== undefined && { stepsPerCommit: options.stepsPerCommit }),
          membership: {
            name: 'test',
            process: options.process ?? `process ${processes++}`,
            isProcessDead: (process) => options.ended?.has(process) ?? false,
            graceMs: options.graceMs ?? 10_000,
          },
        },
      ],
    });
    nodes.push(engine);
    await engine.open();
    return engine;
  };

export const memoryBed = async (kinds: readonly Kind[]): Promise<Bed> => {
  const nodes: RamalEngine[] = [];
  const store = new MemoryStore(kinds, () => Date.now(), new MemoryTables());
  return {
    name: 'memory',
    store,
    node: nodeOf(kinds, store, nodes),
    fill: async (account, amount) => void store.tables.balances.set(`${account} balance`, amount),
    ledger: async () => store.tables.ledger.map(({ id: _, at: __, ...line }) => line),
    blocked: async (account) =>
      Object.fromEntries(
        [...store.tables.blocked].flatMap(([key, { reason }]) => {
          const [owner, number] = key.split(' ');
          return owner === String(account) ? [[number!, reason]] : [];
        }),
      ),
    backUp: async () => {
      const kept = structuredClone(Object.fromEntries(Object.entries(store.tables)));
      return async (how) => {
        Object.assign(store.tables, structuredClone(kept));
        if (how === 'promoted') store.tables.lineage = 'memory/2';
        if (how === 'restarted') store.tables.serverSince = Date.now();
      };
    },
    promote: async () => void (store.tables.lineage = 'memory/2'),
    closeRestored: async () => {
      const { state } = store.tables;
      const closed = { state: 'closed', reason: 'restored', restored: true, opened: null } as const;
      Object.assign(state, { ...closed, doubt: state.doubt + 1, since: Date.now() });
    },
    end: async () => nodes.forEach((node) => node.abandon()),
  };
};

/** A lock is held by another (PostgreSQL's `lock_not_available`). */
const LOCK_NOT_AVAILABLE = '55P03';

/** The history that the shard was opened on is another than the server's. */
const PROMOTED = `UPDATE shard_state SET timeline = '00000000'`;

export const postgresBed = async (kinds: readonly Kind[]): Promise<Bed> => {
  const nodes: RamalEngine[] = [];
  const database = await freshDatabase({ maxConnections: 8 });
  const store = postgresStore(database.pool, database.pool, kinds);
  return {
    name: 'PostgreSQL',
    store,
    node: nodeOf(kinds, store, nodes),
    fill: async (account, amount) =>
      void (await database.pool.query(
        `INSERT INTO balances (account_id, name, amount) VALUES ($1, 'balance', $2)`,
        [account, amount],
      )),
    ledger: async () =>
      (
        await database.pool.query<LedgerLine>(
          `SELECT account_id AS account, amount, entry, payer_id AS payer, machine_id AS machine FROM ledger ORDER BY id`,
        )
      ).rows,
    blocked: async (account) => {
      const { rows } = await database.pool.query<{ number: string; reason: string }>(
        `SELECT number, reason FROM blocklist WHERE account_id = $1 ORDER BY number`,
        [account],
      );
      return Object.fromEntries(rows.map(({ number, reason }) => [number, reason]));
    },
    backUp: async () => {
      const { rows } = await database.pool.query<{ name: string }>(
        `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace
         AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname !~ '^_|^kept_'`,
      );
      const names = rows.map(({ name }) => name);
      await database.pool.query(names.map((name) => `CREATE TABLE kept_${name} AS TABLE ${name}`).join(';'));
      const restore = (how?: string) =>
        database.pool.query(
          [
            'BEGIN',
            // All at one moment, as a copy is: a commit that is under way is in all of it, or in none. A lock that is waited for
            // while others are held would stand in a ring with such a commit.
            `LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE NOWAIT`,
            ...names.map((name) => `DELETE FROM ${name}; INSERT INTO ${name} TABLE kept_${name}`),
            ...(how === 'promoted' ? [PROMOTED] : []),
            'COMMIT',
          ].join(';'),
        );
      return (how) =>
        until(() =>
          restore(how).then(
            () => true as const,
            (error: { code?: string }) => {
              if (error.code !== LOCK_NOT_AVAILABLE) throw error;
              return undefined;
            },
          ),
        ).then(() => undefined);
    },
    promote: async () => void (await database.pool.query(PROMOTED)),
    closeRestored: async () =>
      void (await markRestoredShardsClosed(database.pool, 'public', { takenAt: 0, at: Date.now() })),
    end: async () => {
      for (const node of nodes) node.abandon();
      await database.drop();
    },
  };
};
