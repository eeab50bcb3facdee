/** How late timers fire: 100,000 machines armed, thousands a second falling due. */
import { setTimeout as pause } from 'node:timers/promises';
import { assign, setup } from 'xstate';
import type { Kind } from '../../src/engine/contract/kind.ts';
import type { ShardMachineStore } from '../../src/engine/contract/store.ts';
import type { BenchDatabase } from './bed.ts';
import { cloneMachine, isEmptied, type Schedule } from './clone.ts';
import { metered, quantile } from './meter.ts';
import { ACCOUNT, aNode, SHARD } from './node.ts';
import type { Bench, Section } from './section.ts';

const PER_SECOND = 5_000;
const HOUR_MS = 3_600_000;

/** Machines armed, how many of them fall due within the run, and how long the engine may take to take them up. */
const sizes = {
  full: { armed: 100_000, due: 50_000, takeUpMs: 20_000 },
  quick: { armed: 4_000, due: 2_500, takeUpMs: 5_000 },
};

interface Context {
  waitMs: number;
  /** As much as a call remembers. */
  memory: string;
  rungAt: number;
}

/** Waits once, and ends: one timer, one step. */
const clock = setup({
  types: {
    context: {} as Context,
    events: {} as { type: string; at: number },
    input: {} as Pick<Context, 'waitMs' | 'memory'>,
  },
  actions: { noteRung: assign({ rungAt: ({ event }) => event.at }) },
  delays: { wake: ({ context }) => context.waitMs },
}).createMachine({
  id: 'clock',
  context: ({ input }) => ({ ...input, rungAt: 0 }),
  initial: 'waiting',
  states: { waiting: { after: { wake: { target: 'rung', actions: 'noteRung' } } }, rung: { type: 'final' } },
});

const clockKind: Kind = {
  name: 'clock',
  versions: { 1: clock },
  current: 1,
  effects: {},
  operatorEvents: [],
};

export const timers: Section = async (bench) => {
  for (let round = 0; round < bench.rounds; round++)
    await bench.bed.withDatabase((database) => ringAll(bench, database));
};

const ringAll = async (bench: Bench, database: BenchDatabase): Promise<void> => {
  const size = bench.quick ? sizes.quick : sizes.full;
  const { id, heldBy } = await oneClock(database);
  const schedule = { from: Date.now() + size.takeUpMs, perSecond: PER_SECOND, copies: size.due };
  await cloneMachine(database.pool, id, size.armed - 1, schedule);

  const rung: number[] = [];
  const durable: number[] = [];
  const watch = watched(id, schedule, (lagMs) => void durable.push(lagMs));
  const engine = aNode({
    database,
    kinds: [clockKind],
    process: 'second',
    ended: ['first'],
    metrics: { fired: (lagMs) => void rung.push(lagMs) },
    through: (store) => watch(store, () => engine.now(SHARD)),
  });
  await engine.open();
  while (!(await isEmptied(database.pool, heldBy))) await pause(20);
  const early = schedule.from - engine.now(SHARD);
  if (early < 0)
    throw new Error(`taking up lasted ${-early} ms longer than there was time before the first timer`);
  bench.say(`${size.armed} timers armed, the first ${size.due} due in ${early} ms`);
  await pause(early);
  const cost = await metered(bench.bed, database.pool, async () => {
    while (durable.length < size.due) await pause(10);
  });
  await engine.stop();
  const stepped = await audit(database, id, schedule);

  const note = (name: string, values: readonly number[], goal?: number): void => {
    bench.note(`${name}, p50`, { value: quantile(values, 0.5), unit: 'ms' });
    bench.note(`${name}, p99`, {
      value: quantile(values, 0.99),
      unit: 'ms',
      goal: goal === undefined ? undefined : { below: goal },
    });
    bench.note(`${name}, latest`, { value: quantile(values, 1), unit: 'ms' });
  };
  bench.note('fired', { value: size.due / cost.seconds, unit: '1/s' });
  note('due until the alarm rings', rung);
  note('due until stepped', stepped);
  note('due until durable', durable, 20);
  bench.note('alarms that rang for nothing', { value: rung.length - size.due, unit: 'rings' });
  bench.note('CPU in Node', { value: cost.nodeMicros / size.due, unit: 'us/timer' });
  bench.note('CPU in PostgreSQL', { value: cost.postgresMicros / size.due, unit: 'us/timer' });
};

/** A clock that an engine started, and left to others by dying. */
const oneClock = async (database: BenchDatabase): Promise<{ id: number; heldBy: number }> => {
  const engine = aNode({ database, kinds: [clockKind], process: 'first' });
  await engine.open();
  const input = { waitMs: HOUR_MS, memory: 'm'.repeat(1_000) };
  const started = await engine.start({ kind: 'clock', shard: SHARD, account: ACCOUNT, input });
  if (started.outcome !== 'started') throw new Error('the clock did not start');
  const { heldBy } = (await engine.view(started.ref))!;
  engine.abandon();
  return { id: started.ref.id, heldBy };
};

const dueOf = (id: number, clone: number, { from, perSecond }: Schedule): number =>
  from + Math.floor(((id - clone) * 1_000) / perSecond);

/** Watches commits: how long after its due time a timer's step is durable, once for each (a step may be refused). */
const watched = (id: number, schedule: Schedule, hear: (lagMs: number) => void) => {
  const heard = new Set<number>();
  return (store: ShardMachineStore, now: () => number): ShardMachineStore => ({
    ...store,
    commit: async (lane, batch, at, ticket) => {
      const written = await store.commit(lane, batch, at, ticket);
      const done = now();
      for (const write of batch) {
        if (write.row.state !== 'rung' || heard.has(write.id)) continue;
        heard.add(write.id);
        hear(done - dueOf(id, write.id, schedule));
      }
      return written;
    },
  });
};

/**
 * Each due machine rang exactly once, none of the others did, and none rang early; how late by the history's own time,
 * milliseconds.
 */
const audit = async ({ pool }: BenchDatabase, id: number, schedule: Schedule): Promise<number[]> => {
  const { rows: rung } = await pool.query<{ lag: number }>(
    `SELECT at - ($1::bigint + ($2::bigint - machine_id) * 1000 / $3::int) AS lag FROM history WHERE state = 'rung'`,
    [schedule.from, id, schedule.perSecond],
  );
  const { rows: machines } = await pool.query(`SELECT FROM machines WHERE state = 'rung'`);
  const early = rung.filter(({ lag }) => lag < 0).length;
  if (rung.length !== schedule.copies || machines.length !== schedule.copies || early > 0)
    throw new Error(
      `${rung.length} timers fired at ${machines.length} machines, ${early} early; ${schedule.copies} were due`,
    );
  return rung.map(({ lag }) => lag);
};
