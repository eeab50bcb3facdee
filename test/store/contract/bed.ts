/** Both stores, for what every store of a shard must do; the engine's guarantees stand on it. */
import { afterEach, beforeEach, describe } from 'vitest';
import { callMachineKind } from '../../../machines/index.ts';
import type { ShardMachineStore } from '../../../src/engine/contract/store.ts';
import { type LedgerEntry, MemoryStore } from '../../../src/store/memory.ts';
import { postgresStore } from '../../../src/store/postgresShardStore.ts';
import { freshDatabase } from '../../helpers/database.ts';
import type { MachineRow, MachineWrite } from '../../../src/engine/contract/rows.ts';

/** Of all machines here. */
export const account = 7;
/** When everything happens, epoch milliseconds. */
export const at = Date.UTC(2026, 10, 20);
const record = callMachineKind.record!;

let steps = 1_000;
/** A write of a call: its birth, or the step with this revision. Every one has a step id of its own. */
export const aWrite = (
  id: number,
  change: Partial<MachineWrite> & { revision?: number } = {},
): MachineWrite => {
  const { revision = 1, ...rest } = change;
  steps += 1;
  return {
    account,
    id,
    insert: revision === 1 ? { kind: 'call', version: 1, createdAt: at } : null,
    parent: null,
    guard: revision - 1,
    row: {
      revision,
      state: 'talking.listening',
      milestones: '["dialed"]',
      snapshot: '{"v":"talking","c":{"name":"Ada \\"the\\" \\\\ Ção, {x}"}}',
      agenda: '[]',
      wakeAt: at + 1_000,
      heldBy: 5,
      stepId: steps,
      attention: null,
      endedAt: null,
    },
    history: [
      { revision, at, event: 'started', payload: '{"a":[1,"x,y"]}', state: 'talking', asked: '', taken: '' },
    ],
    record: null,
    tells: [],
    heard: [],
    claims: [],
    releases: [],
    bookings: [],
    ...rest,
  };
};

/** A record in which every text is this one. */
export const recordOf = (text: string, born: boolean): MachineWrite['record'] => ({
  kind: 'call',
  inserted: born ? Object.values(record.insertColumns).map((type) => sample(type, text)) : null,
  updated: Object.values(record.updateColumns).map((type) => sample(type, text)),
});
const sample = (type: string, text: string): unknown =>
  type === 'text' ? text : type === 'boolean' ? true : type === 'bigint' ? 1_800_000_000_123 : 7;

/** A store with nothing in it. */
export interface Bed {
  store: ShardMachineStore;
  calls(id: number): Promise<Record<string, unknown> | undefined>;
  /** Puts money into a balance. */
  fill(account: number, amount: number): Promise<void>;
  ledger(): Promise<Omit<LedgerEntry, 'id' | 'at'>[]>;
  /** The server is started anew: what it heard so far, an earlier start heard. */
  restart(): Promise<void>;
  end(): Promise<void>;
}

const beds: Record<string, () => Promise<Bed>> = {
  memory: async () => {
    const store = new MemoryStore([callMachineKind], () => at);
    return {
      store,
      calls: async (id) => store.tables.records.get('calls')?.get(id),
      fill: async (owner, amount) => void store.tables.balances.set(`${owner} balance`, amount),
      ledger: async () => store.tables.ledger.map(({ id: _, at: __, ...entry }) => entry),
      restart: async () => void (store.tables.serverSince += 1),
      end: async () => {},
    };
  },
  PostgreSQL: async () => {
    const database = await freshDatabase();
    return {
      store: postgresStore(database.pool, database.pool, [callMachineKind]),
      calls: async (id) => (await database.pool.query('SELECT * FROM calls WHERE id = $1', [id])).rows[0],
      fill: async (owner, amount) =>
        void (await database.pool.query(
          `INSERT INTO balances (account_id, name, amount) VALUES ($1, 'balance', $2)`,
          [owner, amount],
        )),
      ledger: async () =>
        (
          await database.pool.query(
            `SELECT account_id AS account, amount, entry, payer_id AS payer, machine_id AS machine FROM ledger ORDER BY id`,
          )
        ).rows,
      restart: async () =>
        void (await database.pool.query('UPDATE nodes SET server_since = server_since - 1')),
      end: () => database.drop(),
    };
  },
};

/** What is asked of the store at hand: another one before each test. */
export interface StoreAtHand {
  readonly bed: Bed;
  readonly store: ShardMachineStore;
  /** The machine's row. */
  row(id: number): Promise<MachineRow | undefined>;
}

/** The same tests for each store. */
export const ofEveryStore = (tests: (here: StoreAtHand) => void): void =>
  describe.each(Object.entries(beds))('the store in %s', (_name, makeBed) => {
    let bed: Bed;
    beforeEach(async () => {
      bed = await makeBed();
    });
    afterEach(() => bed.end());
    tests({
      get bed() {
        return bed;
      },
      get store() {
        return bed.store;
      },
      row: async (id) => (await bed.store.read([{ account, id }]))[0],
    });
  });
