/** What one call goes through, as the engine itself remembers it: the measure for both sides. */
import { machineKinds } from '../../../machines/index.ts';
import type { SecondLegTarget } from '../../../machines/call/input.ts';
import type { MachineEvent } from '../../../src/engine/contract/effect.ts';
import type { RamalEngine } from '../../../src/engine/engine.ts';
import type { ExclusiveKeyClaimRequest, HistoryEntryView } from '../../../src/engine/contract/api.ts';
import type { Bed } from '../bed.ts';
import { ACCOUNT, aNode, SHARD } from '../node.ts';
import { callInput, instantWorld, lineInput, type World } from '../world.ts';
import { storiesOf } from './audit.ts';

/** A way to make calls. */
export interface Scenario {
  name: string;
  /** With lines every call's second leg goes through a line of its own: machines that tell each other. */
  lines: boolean;
}

export const scenarios: readonly Scenario[] = [
  { name: 'to a number', lines: false },
  { name: 'through a line', lines: true },
];

/** What calls of a scenario hear and leave behind. */
export interface Story {
  /** What the world tells a call, in order; what machines tell each other follows from it. */
  facts: MachineEvent[];
  /** A call's history, an entry a line. */
  text: string;
  /** History entries of a call with what it makes its line do. */
  steps: number;
}

/** The line that serves the calls of one slot; slots are counted from 0. */
export const lineOf = (slot: number): number => slot + 1;

export const targetOf = (scenario: Scenario, slot: number): SecondLegTarget | undefined =>
  scenario.lines ? { kind: 'queue', queue: lineOf(slot) } : undefined;

/** As MakeTTSCall claims the duplicate window: a digest that is the call's own. */
export const claimOf = (id: number): ExclusiveKeyClaimRequest => ({
  key: `duplicate:MakeTTSCall:${String(id).padStart(43, '0')}`,
  forMs: 60_000,
});

/** Starts the lines of so many slots. */
export const startLines = async (engine: RamalEngine, scenario: Scenario, slots: number): Promise<void> => {
  if (!scenario.lines) return;
  const starts = Array.from({ length: slots }, (_, slot) =>
    engine.start({ kind: 'line', shard: SHARD, account: ACCOUNT, id: lineOf(slot), input: lineInput }),
  );
  await Promise.all(starts);
};

/** Makes one call and waits for its end; its id comes back. */
export const oneCall = async (
  engine: RamalEngine,
  world: World,
  scenario: Scenario,
  slot: number,
): Promise<number> => {
  const id = engine.mintId(SHARD);
  const ended = world.ended(id);
  const input = callInput(engine.now(SHARD), targetOf(scenario, slot));
  await engine.start({ kind: 'call', shard: SHARD, account: ACCOUNT, id, input, claims: [claimOf(id)] });
  await ended;
  return id;
};

/** Lets the engine make one call and reads its history. */
export const recordStory = (bed: Bed, scenario: Scenario): Promise<Story> =>
  bed.withDatabase(async (database) => {
    const world = instantWorld();
    const engine = aNode({ database, kinds: machineKinds, performers: world.performers });
    world.engine = engine;
    await engine.open();
    await startLines(engine, scenario, 1);
    const id = await oneCall(engine, world, scenario, 0);
    // What the call told its line last is heard by then.
    await engine.stop();
    const call = await engine.history({ shard: SHARD, account: ACCOUNT, id }, 0, 1_000);
    const line = await engine.history({ shard: SHARD, account: ACCOUNT, id: lineOf(0) }, 1, 1_000);
    const [story] = await storiesOf(database.pool);
    return {
      facts: call
        .slice(1)
        .filter(isFact)
        .map(({ payload }) => payload as MachineEvent),
      text: story!.text,
      steps: call.length + line.length,
    };
  });

/** What the world told it, and not its line. */
const isFact = ({ event }: HistoryEntryView): boolean => event !== 'memberOffered';
