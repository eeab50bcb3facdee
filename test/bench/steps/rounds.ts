/** A side of `stepPairs.ts`: the engine of a tree, which makes calls to a number whenever it is told to. */
import { join } from 'node:path';

/** What it is to do, as JSON, its second argument; the first one is the tree. */
export interface StepRounds {
  inFlight: number;
  /** In a round. */
  calls: number;
  /** Before the first one. */
  warmingCalls: number;
}

/** CPU of a round, microseconds a step. */
export interface RoundCost {
  Node: number;
  PostgreSQL: number;
}

const [tree, asked] = process.argv.slice(2) as [string, string];
const { inFlight, calls, warmingCalls } = JSON.parse(asked) as StepRounds;
const ofTree = <Module>(path: string): Promise<Module> =>
  import(join(tree, 'test/bench', path)) as Promise<Module>;

const { openBed } = await ofTree<typeof import('../bed.ts')>('bed.ts');
const { metered } = await ofTree<typeof import('../meter.ts')>('meter.ts');
const { openEngine } = await ofTree<typeof import('./sides.ts')>('steps/sides.ts');
const { recordStory, scenarios } = await ofTree<typeof import('./story.ts')>('steps/story.ts');

const bed = await openBed();
const scenario = scenarios[0]!;
const story = await recordStory(bed, scenario);
await bed.withDatabase(async (database) => {
  const side = await openEngine(database, scenario, story, inFlight);
  const makeCalls = async (count: number): Promise<void> => {
    let made = 0;
    const slot = async (_: unknown, index: number): Promise<void> => {
      while (made < count) {
        made += 1;
        await side.call(index);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, slot));
  };
  const round = async (): Promise<RoundCost> => {
    const cost = await metered(bed, database.pool, () => makeCalls(calls));
    const steps = calls * story.steps;
    return { Node: cost.nodeMicros / steps, PostgreSQL: cost.postgresMicros / steps };
  };
  await makeCalls(warmingCalls);
  process.send!('ready');
  await new Promise<void>((ended, failed) =>
    process.on('message', (message) => {
      if (message === 'end') ended();
      else round().then((cost) => process.send!(cost), failed);
    }),
  );
  await side.finish();
});
await bed.stop();
process.exit(0);
