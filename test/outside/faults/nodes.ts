/** What happens to processes: they are killed, stand still, are restarted, and have their clocks stepped. */
import { diceOf } from '../dice.ts';
import { pause } from '../world/ports.ts';
import type { Stage } from '../world.ts';
import type { Fault } from './fault.ts';

/** SIGKILL, and a start some seconds later. */
export const kill: Fault<Stage> = async ({ nodes, held }, { node: nth, lastsMs }) => {
  const node = nodes[nth]!;
  held.add(node);
  await node.kill();
  await pause(lastsMs);
  await node.start();
  held.delete(node);
  return { count: 1 };
};

/** SIGSTOP, then SIGCONT. */
export const freeze: Fault = async ({ nodes }, { node: nth, lastsMs }) => {
  const node = nodes[nth]!;
  node.freeze();
  await pause(lastsMs);
  node.goOn();
  return { count: 1, note: `${lastsMs} ms` };
};

/** Of the time that it took to stop, nothing is known, milliseconds. */
const unsureMs = 50;

/** SIGSTOP, and when it goes on its monotonic clock knows nothing of it; the wall clock does. */
export const suspend: Fault = async ({ nodes, clocks }, { node: nth, lastsMs }) => {
  const node = nodes[nth]!;
  node.freeze();
  const began = performance.now();
  await pause(lastsMs);
  clocks.standing.get(node.name)!.stood(performance.now() - began - unsureMs);
  node.goOn();
  return { count: 1, note: `${lastsMs} ms` };
};

/** SIGTERM; the service manager starts it again. */
export const restart: Fault = async ({ nodes, held }, { node: nth, lastsMs }) => {
  const node = nodes[nth]!;
  held.add(node);
  await node.leave();
  await pause(lastsMs);
  await node.start();
  held.delete(node);
  return { count: 1 };
};

/** How far clocks are stepped, seconds. */
const steps = [-3_600, -60, -60, -20, -5, 5, 20, 60, 60] as const;

export const nodeClock: Fault = async ({ clocks, nodes }, { node: nth, lastsMs, seed }) => {
  const seconds = diceOf(seed, 'step').pick(steps);
  clocks.of.get(nodes[nth]!.name)!.set(seconds);
  await pause(lastsMs);
  clocks.of.get(nodes[nth]!.name)!.set(0);
  return { count: 2, note: `${seconds} s` };
};

export const databaseClock: Fault = async ({ clocks }, { lastsMs, seed }) => {
  const seconds = diceOf(seed, 'step').pick(steps);
  clocks.database.set(seconds);
  await pause(lastsMs);
  clocks.database.set(0);
  return { count: 2, note: `${seconds} s` };
};
