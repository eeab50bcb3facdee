import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BalanceBooking } from '../../src/engine/contract/effect.ts';
import type { RamalEngine } from '../../src/engine/engine.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import {
  type StartWithChargesResult,
  type StartWithChargesRequest,
  Unavailable,
} from '../../src/engine/contract/api.ts';
import { memoryBed, postgresBed, type Bed } from './bed.ts';
import { aLostReply, withCommit } from './commits.ts';
import { contextOf, errand } from './errand.ts';
import type { MachineWrite } from '../../src/engine/contract/rows.ts';
import { until } from '../helpers/patience.ts';

const account = 7;
const reseller = 3;

/** Takes from each of these, in this order. */
const charges = (amount: number, ...owners: number[]): BalanceBooking[] =>
  owners.map((owner) => ({ account: owner, balance: 'balance', amount: -amount, entry: 'charge' }));

const pay = (
  engine: RamalEngine,
  bookings: BalanceBooking[],
  more: Partial<StartWithChargesRequest> = {},
): Promise<StartWithChargesResult> =>
  engine.start({ kind: 'errand', shard: 'a', account, input: {}, bookings, ...more });

const paid = async (
  engine: RamalEngine,
  bookings: BalanceBooking[],
  more: Partial<StartWithChargesRequest> = {},
) => {
  const result = await pay(engine, bookings, more);
  if (result.outcome !== 'started') throw new Error(`not started: ${result.outcome}`);
  return result.ref;
};

const counted = (results: readonly StartWithChargesResult[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
};

describe.each([
  ['memory', memoryBed],
  ['PostgreSQL', postgresBed],
])('paid starts on %s', (_name, makeBed) => {
  let bed: Bed;
  beforeEach(async () => {
    bed = await makeBed([errand]);
  });
  afterEach(() => bed.end());

  /** Nodes that joined a server which has just been started wait for each other first. */
  const openNodes = async (count: number): Promise<RamalEngine[]> => {
    const nodes: RamalEngine[] = [];
    while (nodes.length < count) nodes.push(await bed.node());
    await until(() => nodes.every((node) => node.shardStates()[0]!.problem === undefined));
    return nodes;
  };
  const held = async (owner: number): Promise<number | undefined> =>
    (await bed.store.balances([{ account: owner, balance: 'balance' }]))[0]?.amount;

  it('are refused with the balance that holds too little, and leave nothing', async () => {
    const engine = await bed.node();
    await bed.fill(account, 100);
    await bed.fill(reseller, 29);
    const id = engine.mintId('a');
    expect(await pay(engine, charges(30, account, reseller), { id })).toEqual({
      outcome: 'insufficientBalance',
      account: reseller,
      balance: 'balance',
    });
    const twice = charges(60, account, account);
    expect(await pay(engine, twice)).toEqual({ outcome: 'insufficientBalance', account, balance: 'balance' });
    expect(await pay(engine, charges(1, 99))).toEqual({
      outcome: 'insufficientBalance',
      account: 99,
      balance: 'balance',
    });
    expect([await held(account), await held(reseller), await bed.ledger()]).toEqual([100, 29, []]);
    expect(await bed.store.read([{ account, id }])).toEqual([]);
  });

  it('refuse what is no whole amount', async () => {
    const engine = await bed.node();
    await bed.fill(account, 100);
    await expect(pay(engine, charges(0.5, account))).rejects.toThrow(RangeError);
    expect(await held(account)).toBe(100);
  });

  it('are borne as long as the balance bears them, and not once more, whoever asks and however many', async () => {
    const nodes = await openNodes(2);
    await bed.fill(account, 10_000);
    await bed.fill(reseller, 2_500);
    const results = await Promise.all(
      Array.from({ length: 400 }, (_, index) => pay(nodes[index % 2]!, charges(10, account, reseller))),
    );
    expect(counted(results)).toEqual({ started: 250, insufficientBalance: 150 });
    expect([await held(account), await held(reseller)]).toEqual([7_500, 0]);
    expect(await bed.ledger()).toHaveLength(500);
  });

  it('refuse nobody who could be paid, though others beside them lose claims or ask for too much', async () => {
    const nodes = await openNodes(2);
    await bed.fill(account, 1_000);
    await bed.fill(reseller, 5);
    const results = await Promise.all(
      Array.from({ length: 300 }, (_, index) => {
        const third = Math.floor(index / 3);
        // The first two of three want the same key; the third wants what its reseller cannot bear.
        if (index % 3 === 2) return pay(nodes[index % 2]!, charges(10, account, reseller));
        const claims = [{ key: `key ${third}`, forMs: 60_000 }];
        return pay(nodes[index % 2]!, charges(10, account), { claims });
      }),
    );
    expect(counted(results)).toEqual({ started: 100, claimed: 100, insufficientBalance: 100 });
    expect([await held(account), await held(reseller)]).toEqual([0, 5]);
  });

  it('are refused together: a balance that ran dry is read once for all of a batch that it refuses', async () => {
    const asked = { commit: 0, balances: 0 };
    const counting = (store: ShardMachineStore): ShardMachineStore =>
      new Proxy(store, {
        get: (target, name) => {
          if (name === 'commit' || name === 'balances') asked[name] += 1;
          return (target[name as keyof ShardMachineStore] as () => unknown).bind(target);
        },
      });
    const engine = await bed.node({ through: counting });
    await bed.fill(account, 100);
    const results = await Promise.all(Array.from({ length: 600 }, () => pay(engine, charges(1, account))));
    expect(counted(results)).toEqual({ started: 100, insufficientBalance: 500 });
    expect(asked.balances).toBeGreaterThan(0);
    expect(asked.balances).toBeLessThanOrEqual(asked.commit);
  });

  it('are paid once when the reply to their commit is lost', async () => {
    const reply = aLostReply();
    const engine = await bed.node({ through: reply.through });
    await bed.fill(account, 10);
    reply.loseNext();
    const { id } = await paid(engine, charges(10, account));
    expect(await held(account)).toBe(0);
    expect(await bed.ledger()).toEqual([
      { account, amount: -10, entry: 'charge', payer: account, machine: id },
    ]);
  });

  it('are paid once when their commit lands after it was given up', async () => {
    let late: (() => Promise<unknown>) | null = null;
    let landed: Promise<unknown> | undefined;
    const through = (store: ShardMachineStore): ShardMachineStore =>
      withCommit(store, async (lane, batch, at, ticket) => {
        if (!late) {
          late = () => store.commit(lane, batch, at, ticket);
          throw new Error('connection reset');
        }
        landed ??= late();
        await landed;
        return store.commit(lane, batch, at, ticket);
      });
    const engine = await bed.node({ through });
    await bed.fill(account, 25);
    await paid(engine, charges(10, account));
    expect([await held(account), (await bed.ledger()).length]).toEqual([15, 1]);
  });

  it('are not called refused while a commit without an answer may still land', async () => {
    let late: (() => Promise<unknown>) | null = null;
    const through = (store: ShardMachineStore): ShardMachineStore =>
      withCommit(store, async (lane, batch, at, ticket) => {
        late = () => store.commit(lane, batch, at, ticket);
        throw new Error('connection reset');
      });
    const engine = await bed.node({ through });
    await expect(pay(engine, charges(10, account))).rejects.toThrow(Unavailable);
    await bed.fill(account, 10);
    await late!();
    expect([await held(account), (await bed.ledger()).length]).toEqual([0, 1]);
  });

  it('are paid, all but the one whose data the database refuses', async () => {
    const poisoned = (write: MachineWrite): MachineWrite =>
      write.history[0]!.payload!.includes('poison')
        ? { ...write, history: write.history.map((entry) => ({ ...entry, payload: '"\u0000"' })) }
        : write;
    const engine = await bed.node({
      through: (store) =>
        withCommit(store, (lane, batch, at, ticket) => store.commit(lane, batch.map(poisoned), at, ticket)),
    });
    await bed.fill(account, 1_000);
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        pay(engine, charges(10, account), { input: { how: index === 13 ? 'poison' : 'fine' } }),
      ),
    );
    expect(results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([13]);
    expect([await held(account), (await bed.ledger()).length]).toEqual([1_000 - 390, 39]);
  });

  it.each(['after its commit', 'before its commit'])(
    'give back once, though the process that gives dies %s',
    async (when) => {
      const ended = new Set<string>();
      let dies = false;
      let died = false;
      const through = (store: ShardMachineStore): ShardMachineStore =>
        withCommit(store, async (lane, batch, at, ticket) => {
          if (!dies || !batch.some(({ bookings }) => bookings.length > 0))
            return store.commit(lane, batch, at, ticket);
          if (when.startsWith('after')) await store.commit(lane, batch, at, ticket);
          died = true;
          return new Promise<never>(() => {});
        });
      const one = await bed.node({ process: 'one', ended, through });
      await bed.fill(account, 10);
      const giver = await paid(one, charges(10, account));
      const friend = await paid(one, [], { input: { friend: giver.id } });
      dies = true;
      const give = { type: 'give', to: account, amount: 10 };
      await one.send(friend, { type: 'pass', event: give });
      await until(() => died);
      one.abandon();
      ended.add('one');
      const other = await bed.node({ process: 'other', ended });
      await until(async () => contextOf(await other.view(giver)).words.includes('gave 10'));
      await other.send(giver, { type: 'word', text: 'and on' });
      expect(contextOf(await other.view(giver)).words).toEqual(['gave 10', 'and on']);
      expect([await held(account), (await bed.ledger()).length]).toEqual([10, 2]);
    },
  );

  it('may take; a step that wants to is undone, and somebody should look', async () => {
    const engine = await bed.node();
    await bed.fill(account, 10);
    const ref = await paid(engine, []);
    await engine.send(ref, { type: 'give', to: account, amount: -5 });
    await engine.send(ref, { type: 'give', to: account, amount: 0.5 });
    expect((await engine.history(ref, 1, 10)).flatMap(({ asked }) => asked)).toEqual([
      'failed: a step may not take from a balance: balance -5',
      'failed: 0.5 cannot be booked',
    ]);
    const view = await engine.view(ref);
    expect([contextOf(view).words, view!.attention]).toEqual([[], 'give: 0.5 cannot be booked']);
    expect([await held(account), await bed.ledger()]).toEqual([10, []]);
  });

  it('and what is given back meet on the same balances, in any order and from any node, without a ring', async () => {
    const broken: unknown[] = [];
    const through = (store: ShardMachineStore): ShardMachineStore =>
      withCommit(store, (lane, batch, at, ticket) =>
        store.commit(lane, batch, at, ticket).catch((error: unknown) => {
          broken.push(error);
          throw error;
        }),
      );
    const nodes = [await bed.node({ through }), await bed.node({ through })];
    const owners = [1, 2, 3, 4, 5, 6];
    for (const owner of owners) await bed.fill(owner, 100_000);
    const givers = await Promise.all(nodes.flatMap((node) => [paid(node, []), paid(node, [])]));
    const chain = (index: number): number[] => {
      const from = owners.slice(index % 3, (index % 3) + 4);
      return index % 2 === 0 ? from : from.toReversed();
    };
    const rounds = Array.from({ length: 150 }, (_, index) => index);
    const results = await Promise.all(
      rounds.flatMap((index) => [
        pay(nodes[index % 2]!, charges(7, ...chain(index)), { account: owners[index % 6]! }),
        ...chain(index).map((to) =>
          nodes[(index % 4) >> 1]!.send(givers[index % 4]!, { type: 'give', to, amount: 3 }),
        ),
      ]),
    );
    expect(
      results.map(({ outcome }) => outcome).filter((outcome) => outcome === 'insufficientBalance'),
    ).toEqual([]);
    const sums = new Map(owners.map((owner) => [owner, 100_000]));
    for (const { account: owner, amount } of await bed.ledger()) sums.set(owner, sums.get(owner)! + amount);
    for (const owner of owners) expect(await held(owner)).toBe(sums.get(owner));
    expect((await bed.ledger()).length).toBe(150 * 8);
    expect(broken).toEqual([]);
  });
});
