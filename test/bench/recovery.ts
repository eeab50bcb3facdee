/** How soon a fresh process has taken up the calls of one that died. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CallInput } from '../../machines/call/input.ts';
import { machineKinds } from '../../machines/index.ts';
import type { BenchDatabase } from './bed.ts';
import { cloneMachine, isEmptied } from './clone.ts';
import { ACCOUNT, aNode, SHARD } from './node.ts';
import type { Said } from './recovery/node.ts';
import type { Bench, Section } from './section.ts';
import { callInput, instantWorld } from './world.ts';

const HOUR_MS = 3_600_000;
/** The goal for the whole of it, seconds. */
const GOAL = { below: 5 };

/** What the calls are doing when their process dies. */
interface Phase {
  name: string;
  state: string;
  input: (now: number) => CallInput;
  /** Each is stepped by its new holder, and its channels are adopted. */
  adopted: boolean;
}

const phases: readonly Phase[] = [
  {
    name: 'calls that wait for their time',
    state: 'scheduled',
    input: (now) => ({
      ...callInput(now),
      schedule: { tries: 1, intervalMs: 60_000, notBefore: now + HOUR_MS },
    }),
    adopted: false,
  },
  { name: 'calls in talk', state: 'answered.talking.steady', input: (now) => callInput(now), adopted: true },
];

export const recovery: Section = async (bench) => {
  for (let round = 0; round < bench.rounds; round++)
    for (const phase of phases) await bench.bed.withDatabase((database) => recover(bench, database, phase));
};

const recover = async (bench: Bench, database: BenchDatabase, phase: Phase): Promise<void> => {
  const machines = bench.quick ? 5_000 : 100_000;
  const { id, heldBy } = await oneCall(database, phase);
  await cloneMachine(database.pool, id, machines - 1);
  bench.say(`${machines} ${phase.name} left behind`);

  const said = await watchNode(database.url, phase.adopted ? machines : 0);
  if (said.held.machines !== machines || !(await isEmptied(database.pool, heldBy)))
    throw new Error(`${said.held.machines} of ${machines} machines were taken up`);

  const note = (name: string, from: Said, to: Said, goal?: typeof GOAL): void =>
    bench.note(`${phase.name}: ${name}`, { value: (to.at - from.at) / 1_000, unit: 's', goal });
  note('process start until joined', said.born, said.joined);
  note('process start until all are held', said.born, said.held, GOAL);
  note('joined until all are held', said.joined, said.held);
  if (said.adopted) note('joined until all channels are adopted', said.joined, said.adopted);
  const last = said.adopted ?? said.held;
  bench.note(`${phase.name}: memory then`, { value: last.memory / 2 ** 20, unit: 'MiB' });
};

/** Brings a call to its phase, and dies: the row is what an engine wrote. */
const oneCall = async (database: BenchDatabase, phase: Phase): Promise<{ id: number; heldBy: number }> => {
  const world = instantWorld({ talks: false });
  const engine = aNode({ database, kinds: machineKinds, performers: world.performers, process: 'first' });
  world.engine = engine;
  await engine.open();
  const input = phase.input(engine.now(SHARD));
  const started = await engine.start({ kind: 'call', shard: SHARD, account: ACCOUNT, input });
  if (started.outcome !== 'started') throw new Error('the call did not start');
  for (;;) {
    const view = (await engine.view(started.ref))!;
    const owes = view.agenda.some(({ what }) => what === 'effect');
    if (view.state === phase.state && !owes) {
      engine.abandon();
      return { id: started.ref.id, heldBy: view.heldBy };
    }
    await pause(20);
  }
};

type Moments = Record<'born' | 'joined' | 'held', Said> & { adopted?: Said };

/** Starts the process, listens until it has said all it will, and kills it. */
const watchNode = async (url: string, toAdopt: number): Promise<Moments> => {
  const child = fork(join(import.meta.dirname, 'recovery/node.ts'), [url, String(toAdopt)], {
    execArgv: ['--import', 'tsx'],
  });
  const moments: Partial<Moments> = {};
  const expected: Said['what'][] = ['born', 'joined', 'held', ...(toAdopt > 0 ? (['adopted'] as const) : [])];
  const ended = once(child, 'exit');
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('message', (message) => {
        const said = message as Said;
        moments[said.what] ??= said;
        if (expected.every((what) => moments[what])) resolve();
      });
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`the fresh process ended with ${code}`)));
    });
    return moments as Moments;
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
};
