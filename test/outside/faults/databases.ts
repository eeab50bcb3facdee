/** What happens to the database as a whole: it fails over, goes back, and is not reached. */
import { type Dice, diceOf } from '../dice.ts';
import type { PlannedFault } from '../plan.ts';
import type { Done, World } from '../world.ts';
import { ask } from '../world/ask.ts';
import type { Node } from '../world/node.ts';
import { pause, until } from '../world/ports.ts';
import type { Fault, Preparation } from './fault.ts';

/** Until the nodes are ready again they are waited for, milliseconds: longer than any rule lets them take. */
const patienceMs = 150_000;

/** Every commit is on both servers before it counts; then the primary dies, and the standby takes its place. */
export const promoteSync: Fault = async (world, planned) => {
  const { pair } = world.postgres;
  await pair.setSynchronous(true);
  await pair.caughtUp();
  await pause(diceOf(planned.seed, 'promotion').between(500, 2_000));
  return failOver(world, planned, []);
};

/** The stream is held back for one to three seconds, in which commits are confirmed that are lost then. */
export const promoteAsync: Fault = async (world, planned) => {
  const lostFrom = await fallBehind(world, diceOf(planned.seed, 'promotion'));
  return failOver(world, planned, [], lostFrom);
};

/** The same, and with the primary die one node or two. */
export const promoteKilled: Fault = async (world, planned) => {
  const dice = diceOf(planned.seed, 'promotion');
  const lostFrom = await fallBehind(world, dice);
  const victims = dice.shuffle(world.nodes).slice(0, dice.between(1, 2));
  return failOver(world, planned, victims, lostFrom);
};

/** Since when the standby hears nothing. */
const fallBehind = async ({ postgres, ledger }: World, dice: Dice): Promise<number> => {
  const from = ledger.now();
  await postgres.pair.lag();
  await pause(dice.between(1_000, 3_000));
  return from;
};

const failOver = async (
  world: World,
  { fault, seed }: PlannedFault,
  victims: Node[],
  lostFrom?: number,
): Promise<Done> => {
  const { postgres, held, ledger } = world;
  const { pair } = postgres;
  const written = await lsnOf(world, 'pg_current_wal_lsn()', 'primary');
  for (const node of victims) held.add(node);
  ledger.add({ kind: 'database', fault, phase: 'away', note: '' });
  await Promise.all([pair.killPrimary(), ...victims.map((node) => node.kill())]);
  const had = await lsnOf(world, 'pg_last_wal_replay_lsn()', 'standby');
  await pair.promote();
  if (victims.length > 0) await pause(diceOf(seed, 'absence').between(500, 4_000));
  const lost = Math.max(0, Number(written - had));
  const note = lost > 0 ? `${lost} bytes of its log were lost` : 'nothing was lost';
  ledger.add({ kind: 'database', fault, phase: 'whole', note, ...(lostFrom !== undefined && { lostFrom }) });
  const starting = Promise.all(victims.map((node) => node.start()));
  // Whatever fails here: they are there for those that come next.
  for (const node of victims) held.delete(node);
  await Promise.all([pair.rebuild(), allReady(world), starting]);
  const killed = victims.map(({ name }) => `, ${name} was killed`).join('');
  // With a standby that has everything nothing may be lost; with one that lags there must be something.
  const meant = fault === 'promoteSync' ? lost === 0 : lost > 0;
  return { count: meant ? 1 : 0, note: `${note}${killed}` };
};

const lsnOf = async ({ postgres }: World, what: string, which: 'primary' | 'standby'): Promise<bigint> => {
  const [row] = await postgres.pair[which].ask<{ at: string }>(`SELECT ${what} - '0/0'::pg_lsn AS at`);
  return BigInt(row!.at);
};

/** A copy is taken so long before as is planned. */
export const keepCopy: Preparation = async ({ postgres }, { preparesMs }) => {
  await postgres.keepCopy();
  await pause(preparesMs);
};

/** The server ends, and comes back with the data of the copy, as it was then. */
export const restoreOld: Fault = async (world, { fault }) => {
  const { postgres, ledger } = world;
  const away = ledger.now();
  ledger.add({ kind: 'database', fault, phase: 'away', note: '' });
  const ageMs = await postgres.goBack();
  const note = `to a copy of ${(ageMs / 1000).toFixed(0)} s before`;
  ledger.add({ kind: 'database', fault, phase: 'whole', note, lostFrom: away - ageMs });
  await Promise.all([postgres.pair.rebuild(), allReady(world)]);
  return { count: 1, note };
};

/** All at once, at intervals of which some are shorter than it takes to connect again. */
export const cutConnections: Fault = async (world, { fault, lastsMs, seed }) => {
  const { postgres, ledger } = world;
  const dice = diceOf(seed, 'cuts');
  let count = 0;
  ledger.add({ kind: 'database', fault, phase: 'away', note: '' });
  for (const end = ledger.now() + lastsMs; ledger.now() < end; await pause(dice.between(20, 1_500))) {
    await Promise.all(postgres.gates.map((gate) => gate.cut()));
    count += 1;
  }
  ledger.add({ kind: 'database', fault, phase: 'whole', note: '' });
  await allReady(world);
  return { count };
};

/** The primary's alone, or the standby's as well. */
export const hangConnections: Fault = async (world, { fault, lastsMs, seed }) => {
  const { postgres, ledger } = world;
  const gates = diceOf(seed, 'hang').chance(0.5) ? postgres.gates : [postgres.gate()];
  const note = `${gates.length === 1 ? 'the primary' : 'both servers'} for ${lastsMs} ms`;
  ledger.add({ kind: 'database', fault, phase: 'away', note });
  await Promise.all(gates.map((gate) => gate.silence()));
  await pause(lastsMs);
  await Promise.all(gates.map((gate) => gate.mend()));
  ledger.add({ kind: 'database', fault, phase: 'whole', note: '' });
  await allReady(world);
  return { count: gates.length, note };
};

/** Until every node that is there says that it is ready; what it says meanwhile is for the rules. */
const allReady = async ({ nodes }: World): Promise<void> => {
  const isReady = async (node: Node): Promise<boolean> =>
    !node.isUp() || (await ask(`${node.url}/readyz`, { timeoutMs: 5_000 })).status === 200;
  await until(async () => (await Promise.all(nodes.map(isReady))).every(Boolean), patienceMs, 250);
};
