/** What every store of a shard must do; the engine's guarantees stand on these. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callKind } from '../../machines/index.ts';
import { firstIdAt, successorId } from '../../src/engine/ids.ts';
import { BadBatch, type ShardStore, type Write } from '../../src/engine/store.ts';
import { type LedgerEntry, MemoryStore } from '../../src/store/memory.ts';
import { postgresStore } from '../../src/store/postgres.ts';
import { freshDatabase } from '../helpers/database.ts';

const account = 7;
const at = Date.UTC(2026, 10, 20);
const record = callKind.record!;

let steps = 1_000;
const aWrite = (id: number, change: Partial<Write> & { revision?: number } = {}): Write => {
  const { revision = 1, ...rest } = change;
  steps += 1;
  return {
    account,
    id,
    birth: revision === 1 ? { kind: 'call', version: 1, createdAt: at } : null,
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
    history: [{ revision, at, event: 'born', payload: '{"a":[1,"x,y"]}', state: 'talking', asked: '' }],
    record: null,
    tells: [],
    heard: [],
    claims: [],
    releases: [],
    bookings: [],
    ...rest,
  };
};

const recordOf = (text: string, born: boolean): Write['record'] => ({
  kind: 'call',
  born: born ? Object.values(record.born).map((type) => sample(type, text)) : null,
  living: Object.values(record.living).map((type) => sample(type, text)),
});
const sample = (type: string, text: string): unknown =>
  type === 'text' ? text : type === 'boolean' ? true : type === 'bigint' ? 1_800_000_000_123 : 7;

interface Bed {
  store: ShardStore;
  calls(id: number): Promise<Record<string, unknown> | undefined>;
  /** Puts money into a purse. */
  fill(account: number, amount: number): Promise<void>;
  ledger(): Promise<Omit<LedgerEntry, 'id' | 'at'>[]>;
  end(): Promise<void>;
}

const beds: Record<string, () => Promise<Bed>> = {
  memory: async () => {
    const store = new MemoryStore([callKind], () => at);
    return {
      store,
      calls: async (id) => store.tables.records.get('calls')?.get(id),
      fill: async (owner, amount) => void store.tables.purses.set(`${owner} balance`, amount),
      ledger: async () => store.tables.ledger.map(({ id: _, at: __, ...entry }) => entry),
      end: async () => {},
    };
  },
  PostgreSQL: async () => {
    const database = await freshDatabase();
    return {
      store: postgresStore(database.pool, database.pool, [callKind]),
      calls: async (id) => (await database.pool.query('SELECT * FROM calls WHERE id = $1', [id])).rows[0],
      fill: async (owner, amount) =>
        void (await database.pool.query(
          `INSERT INTO purses (account_id, name, amount) VALUES ($1, 'balance', $2)`,
          [owner, amount],
        )),
      ledger: async () =>
        (
          await database.pool.query(
            `SELECT account_id AS account, amount, entry, payer_id AS payer, machine_id AS machine FROM ledger ORDER BY id`,
          )
        ).rows,
      end: () => database.drop(),
    };
  },
};

describe.each(Object.entries(beds))('the store in %s', (_name, makeBed) => {
  let bed: Bed;
  let store: ShardStore;
  beforeEach(async () => {
    bed = await makeBed();
    store = bed.store;
  });
  afterEach(() => bed.end());
  const row = async (id: number) => (await store.read([{ account, id }]))[0];

  it('keeps every text to the letter', async () => {
    const attention = 'a "quoted" \\ {brace}, comma\nand line';
    const birth = aWrite(1, { row: { ...aWrite(1).row, attention } });
    expect(await store.commit(0, [birth], at)).toBe(1);
    const { row: written } = birth;
    expect(await row(1)).toEqual({ account, id: 1, kind: 'call', version: 1, createdAt: at, ...written });
    expect(await store.history({ account, id: 1 }, 0, 10)).toEqual(birth.history);
  });

  it('writes a step only on the revision it began from', async () => {
    await store.commit(0, [aWrite(1), aWrite(2)], at);
    expect(await store.commit(0, [aWrite(1, { revision: 2 }), aWrite(2, { revision: 5 })], at)).toBe(1);
    expect([(await row(1))!.revision, (await row(2))!.revision]).toEqual([2, 1]);
    expect(await store.history({ account, id: 2 }, 1, 10)).toEqual([]);
  });

  it('does not bear a machine twice', async () => {
    const first = aWrite(1);
    await store.commit(0, [first], at);
    expect(await store.commit(0, [aWrite(1)], at)).toBe(0);
    expect((await row(1))!.stepId).toBe(first.row.stepId);
  });

  it('keeps another account away from a machine', async () => {
    await store.commit(0, [aWrite(1)], at);
    expect(await store.read([{ account: 8, id: 1 }])).toEqual([]);
    expect(await store.commit(0, [{ ...aWrite(1, { revision: 2 }), account: 8 }], at)).toBe(0);
  });

  it('writes a record with its machine, and only what changed later', async () => {
    await store.commit(0, [aWrite(1, { record: recordOf('first "one"', true) })], at);
    await store.commit(0, [aWrite(1, { revision: 2, record: recordOf('later \\ one', false) })], at);
    expect(await bed.calls(1)).toMatchObject({
      correlation: 'first "one"',
      status: 'later \\ one',
      finished: true,
      attempt: 7,
    });
    await store.commit(0, [aWrite(1, { revision: 9, record: recordOf('stale', false) })], at);
    expect(await bed.calls(1)).toMatchObject({ status: 'later \\ one' });
  });

  it('lets one owner hold a key, until it runs out or is released', async () => {
    const claims = [{ key: 'dup "x"', until: at + 100, answer: '{"a":1}' }];
    expect(await store.commit(0, [aWrite(1, { claims })], at)).toBe(1);
    expect(await store.commit(0, [aWrite(2, { claims }), aWrite(3)], at + 50)).toBe(1);
    expect(await row(2)).toBeUndefined();
    expect(
      await store.claims(
        [
          { account, key: 'dup "x"' },
          { account: 8, key: 'dup "x"' },
        ],
        at + 50,
      ),
    ).toEqual([{ account, key: 'dup "x"', owner: '1', answer: '{"a":1}' }]);
    expect(
      await store.commit(0, [aWrite(4, { claims: [{ ...claims[0]!, until: at + 300 }] })], at + 100),
    ).toBe(1);
    await store.commit(0, [aWrite(4, { revision: 2, releases: ['dup "x"'] })], at + 110);
    expect(await store.claims([{ account, key: 'dup "x"' }], at + 120)).toEqual([]);
  });

  it('does not let a machine release what another holds', async () => {
    await store.commit(
      0,
      [aWrite(1, { claims: [{ key: 'k', until: at + 100, answer: null }] }), aWrite(2)],
      at,
    );
    await store.commit(0, [aWrite(2, { revision: 2, releases: ['k'] })], at);
    expect(await store.claims([{ account, key: 'k' }], at)).toHaveLength(1);
  });

  const pays = (id: number, amount: number, owners: number[] = [account]): Write => {
    const bookings = owners.map((owner, index) => ({
      ...{ id: id * 10 + index, account: owner, purse: 'balance', amount, entry: 'charge', at },
    }));
    return aWrite(id, { bookings });
  };
  const held = async (owner: number) =>
    (await store.purses([{ account: owner, purse: 'balance' }]))[0]?.amount;

  it('takes money up the chain in the commit that bears a machine, and enters it', async () => {
    await bed.fill(account, 100);
    await bed.fill(9, 50);
    expect(await store.commit(0, [pays(1, -30, [account, 9])], at)).toBe(1);
    expect([await held(account), await held(9)]).toEqual([70, 20]);
    const entry = { amount: -30, entry: 'charge', payer: account, machine: 1 };
    expect(await bed.ledger()).toEqual([
      { ...entry, account },
      { ...entry, account: 9 },
    ]);
  });

  it('bears nothing that a purse of the chain cannot pay, and takes nothing for it', async () => {
    await bed.fill(account, 100);
    await bed.fill(9, 29);
    expect(await store.commit(0, [pays(1, -30, [account, 9]), pays(2, -30, [account, 8])], at)).toBe(0);
    expect([await held(account), await held(9), await held(8)]).toEqual([100, 29, undefined]);
    expect([await row(1), await row(2), await bed.ledger()]).toEqual([undefined, undefined, []]);
  });

  it('pays for as many of a batch as the purse bears, and never more', async () => {
    await bed.fill(account, 100);
    expect(await store.commit(0, [pays(1, -40), pays(2, -40), pays(3, -40), aWrite(4)], at)).toBe(3);
    expect([await held(account), await row(3)]).toEqual([20, undefined]);
    expect(await store.commit(0, [pays(5, -20), pays(6, -1)], at)).toBe(1);
    expect(await held(account)).toBe(0);
  });

  it('takes nothing for a machine that is not written, and gives nothing for a step that missed', async () => {
    await bed.fill(account, 100);
    const claims = [{ key: 'k', until: at + 100, answer: null }];
    await store.commit(0, [aWrite(1, { claims })], at);
    expect(await store.commit(0, [{ ...pays(2, -30), claims }], at)).toBe(0);
    const refund = { id: 99, account, purse: 'balance', amount: 5, entry: 'refund', at };
    expect(await store.commit(0, [aWrite(1, { revision: 7, bookings: [refund] })], at)).toBe(0);
    expect([await held(account), await bed.ledger()]).toEqual([100, []]);
    expect(await store.commit(0, [aWrite(1, { revision: 2, bookings: [refund] })], at)).toBe(1);
    expect(await held(account)).toBe(105);
  });

  it('counts a purse without telling the ledger', async () => {
    await bed.fill(account, 2);
    const bookings = [{ id: 1, account, purse: 'balance', amount: -1, entry: null, at }];
    await store.commit(0, [aWrite(1, { bookings }), aWrite(2, { bookings: [] })], at);
    expect([await held(account), await bed.ledger()]).toEqual([1, []]);
  });

  it('leaves events for machines and takes them away with the step that heard them', async () => {
    const tell = { account, machine: 2, id: 77, event: '{"type":"hello"}', at };
    await store.commit(0, [aWrite(2), aWrite(1, { tells: [tell] })], at);
    await store.leave([
      { ...tell, id: 78 },
      { ...tell, id: 78 },
    ]);
    expect(await store.inbox(5, 10)).toEqual([tell, { ...tell, id: 78 }]);
    expect(await store.inbox(6, 10)).toEqual([]);
    await store.commit(0, [aWrite(2, { revision: 5, heard: [77] })], at);
    expect(await store.inbox(5, 10)).toHaveLength(2);
    await store.commit(0, [aWrite(2, { revision: 2, heard: [77, 78] })], at);
    expect(await store.inbox(5, 10)).toEqual([]);
  });

  it('bears a child only with its parent’s step', async () => {
    await store.commit(0, [aWrite(1)], at);
    expect(await store.commit(0, [aWrite(1, { revision: 3 }), aWrite(10, { parent: 1 })], at)).toBe(0);
    expect(await row(10)).toBeUndefined();
    expect(await store.commit(0, [aWrite(1, { revision: 2 }), aWrite(11, { parent: 1 })], at)).toBe(2);
  });

  it('bears what a newborn starts only with that newborn, in whatever order their ids are', async () => {
    const started = [aWrite(30, { parent: 31 }), aWrite(31), aWrite(32, { parent: 31 })];
    expect(await store.commit(0, started, at)).toBe(3);
    expect(await row(30)).toMatchObject({ id: 30 });
    // The id of the second is taken: it is not born, and neither is what it starts.
    const again = [aWrite(31), aWrite(33, { parent: 31 }), aWrite(34)];
    expect(await store.commit(0, again, at)).toBe(1);
    expect(await row(33)).toBeUndefined();
    const lost = aWrite(40, { claims: [{ key: 'k', until: at + 1, answer: null }] });
    await store.commit(0, [lost], at);
    const late = aWrite(41, { claims: [{ key: 'k', until: at + 1, answer: null }] });
    expect(await store.commit(0, [late, aWrite(42, { parent: 41 })], at)).toBe(0);
    expect(await row(42)).toBeUndefined();
  });

  it.each<[string, (write: ReturnType<typeof aWrite>) => void]>([
    ['a text with NUL', ({ history }) => (history[0]!.payload = '{"a":"\u0000"}')],
    ['a moment that is no whole millisecond', ({ row: state }) => (state.wakeAt = at + 0.5)],
  ])('refuses a batch with bad data whole: %s', async (_what, spoil) => {
    const bad = aWrite(2);
    spoil(bad);
    await expect(store.commit(0, [aWrite(1), bad], at)).rejects.toBeInstanceOf(BadBatch);
    expect(await row(1)).toBeUndefined();
  });

  it('gives nodes slots of their own and incarnations that ascend', async () => {
    const node = { name: 'n', process: 'p', at, aheadMs: 0, graceMs: 1_000 };
    const [one, other] = [await store.register(node), await store.register(node)];
    expect(other.incarnation).toBeGreaterThan(one.incarnation);
    expect(other.slot).not.toBe(one.slot);
    const third = await store.register({ ...node, at: at + 60_000 });
    expect([one.slot, other.slot]).not.toContain(third.slot);
  });

  it('takes a slot of a silent node only when there is no other, and fences that node off', async () => {
    const node = { name: 'n', process: 'p', at, aheadMs: 0, graceMs: 1_000 };
    const first = await store.register(node);
    const slots = new Set([first.slot]);
    for (let joined = 1; joined < 64; joined += 1)
      slots.add((await store.register({ ...node, at: at + 60_000 })).slot);
    expect(slots.size).toBe(64);
    await expect(store.register(node)).rejects.toThrow('in use');
    expect((await store.beat({ incarnation: first.incarnation, at, mintedMs: 7, aheadMs: 0 })).alive).toBe(
      true,
    );
    const late = await store.register({ ...node, at: at + 60_000 });
    expect(late).toMatchObject({ slot: first.slot, mintedMs: 7 });
    expect((await store.beat({ incarnation: first.incarnation, at, mintedMs: 8, aheadMs: 0 })).alive).toBe(
      false,
    );
  });

  it('fences a node that is declared dead: it beats no more', async () => {
    const { incarnation } = await store.register({ name: 'n', process: 'p', at, aheadMs: 0, graceMs: 1_000 });
    const beat = async () => {
      const { alive, nodes } = await store.beat({ incarnation, at, mintedMs: 0, aheadMs: 0 });
      return { alive, seen: nodes.find((node) => node.incarnation === incarnation)! };
    };
    const { alive, seen } = await beat();
    expect(alive).toBe(true);
    const next = await beat();
    expect(next.seen.beats).toBe(seen.beats + 1);
    expect(await store.declareDead(incarnation, at + 900, seen)).toBe(false);
    expect((await beat()).alive).toBe(true);
    expect(await store.declareDead(incarnation, at, { ...seen, beats: seen.beats + 2 })).toBe(true);
    expect((await beat()).alive).toBe(false);
  });

  it('tells a node that joins how the time of those who live stands to its clock', async () => {
    const node = { name: 'n', process: 'p', at, aheadMs: 0, graceMs: 1_000 };
    expect((await store.clockReference()).last).toBeNull();
    const [one, other] = [await store.register(node), await store.register(node)];
    await store.beat({ incarnation: one.incarnation, at: at + 5, mintedMs: 0, aheadMs: 60_000 });
    await store.beat({ incarnation: other.incarnation, at: at + 6, mintedMs: 0, aheadMs: -7 });
    expect((await store.clockReference()).last).toEqual({
      ...{ process: 'p', beats: 1, beatAt: at + 6, aheadMs: -7, left: false },
    });
    await store.leaveNode(other.incarnation, at + 7);
    expect((await store.clockReference()).last).toEqual({
      ...{ process: 'p', beats: 1, beatAt: at + 5, aheadMs: 60_000, left: false },
    });
    await store.leaveNode(one.incarnation, at + 8);
    expect((await store.clockReference()).last).toEqual({
      ...{ process: 'p', beats: 1, beatAt: at + 6, aheadMs: -7, left: true },
    });
    expect((await store.clockReference()).now).toBeCloseTo(await store.now(), -4);
  });

  it('gives the rows of the dead a new holder and the next revision, ended ones and unknown versions excepted', async () => {
    const ended = aWrite(3);
    ended.row.endedAt = at;
    const foreign = aWrite(4);
    foreign.birth!.version = 9;
    const writes = [aWrite(1), aWrite(2), ended, foreign];
    const lastOf = (id: number): number => writes.find((write) => write.id === id)!.row.stepId;
    await store.commit(0, writes, at);
    const request = { dead: 5, overdue: null, heldBy: 6, stepId: 1, at, known: ['call:1'], limit: 1 };
    const [first] = await store.takeUp({ ...request, after: null });
    const [second] = await store.takeUp({ ...request, after: first! });
    expect(await store.takeUp({ ...request, after: second! })).toEqual([]);
    const { state, agenda, wakeAt } = aWrite(1).row;
    const taken = {
      account,
      kind: 'call',
      version: 1,
      revision: 2,
      state,
      agenda,
      wakeAt,
      heldBy: 6,
      from: 5,
    };
    expect([first, second]).toEqual([
      { id: 1, ...taken, stepId: successorId(lastOf(1), 1) },
      { id: 2, ...taken, stepId: successorId(lastOf(2), 1) },
    ]);
    expect((await row(2))!.stepId).toBe(successorId(lastOf(2), 1));
    expect(await store.history({ account, id: 1 }, 1, 5)).toMatchObject([
      { revision: 2, event: 'takenUp', state: 'talking.listening' },
    ]);
    expect(await store.commit(0, [aWrite(1, { revision: 2 })], at)).toBe(0);
  });

  it('takes up the living’s rows only when they are overdue', async () => {
    await store.commit(0, [aWrite(1)], at);
    const request = { dead: null, after: null, heldBy: 6, stepId: 1, at, known: ['call:1'], limit: 10 };
    expect(await store.takeUp({ ...request, overdue: at + 1_000 })).toEqual([]);
    expect(await store.takeUp({ ...request, overdue: at + 1_001 })).toHaveLength(1);
    expect(await store.takeUp({ ...request, overdue: at + 1_001 })).toEqual([]);
  });

  it('leaves the living’s overdue rows alone that were stepped since', async () => {
    const stepped = aWrite(1);
    stepped.row.stepId = firstIdAt(at + 1_001);
    await store.commit(0, [stepped], at);
    const request = { dead: null, after: null, heldBy: 6, stepId: 1, at, known: ['call:1'], limit: 10 };
    expect(await store.takeUp({ ...request, overdue: at + 1_001 })).toEqual([]);
    expect(await store.takeUp({ ...request, overdue: at + 1_002 })).toHaveLength(1);
  });

  it('looks ahead over the due times of one holder, earliest first', async () => {
    const later = aWrite(1);
    later.row.wakeAt = at + 5_000;
    const never = aWrite(3);
    never.row.wakeAt = null;
    await store.commit(0, [later, aWrite(2), never], at);
    expect(await store.lookAhead(5, at + 9_000, 10)).toEqual([
      { account, id: 2, wakeAt: at + 1_000 },
      { account, id: 1, wakeAt: at + 5_000 },
    ]);
    expect(await store.lookAhead(5, at + 2_000, 10)).toHaveLength(1);
    expect(await store.lookAhead(6, at + 9_000, 10)).toEqual([]);
  });

  it('lets one node lead a job at a time', async () => {
    expect(await store.lead('job', 'one', at, at + 100)).toBe(true);
    expect(await store.lead('job', 'other', at + 50, at + 150)).toBe(false);
    expect(await store.lead('job', 'one', at + 50, at + 150)).toBe(true);
    expect(await store.lead('job', 'other', at + 150, at + 250)).toBe(true);
  });

  it('moves what has ended to the history', async () => {
    const ended = aWrite(1);
    ended.row.endedAt = at;
    await store.commit(0, [ended, aWrite(2)], at);
    expect(await store.rest(at, at, 10)).toBe(0);
    expect(await store.rest(at + 1, at + 1, 10)).toBe(1);
    expect(await row(1)).toBeUndefined();
    const [rested] = await store.history({ account, id: 1 }, -1, 5, 'rested');
    expect(rested).toMatchObject({ revision: 2, state: 'talking.listening' });
    expect(JSON.parse(rested!.payload!)).toMatchObject({
      kind: 'call',
      milestones: ['dialed'],
      ended_at: at,
    });
  });
});
