/**
 * Durable steps of the real engine with the real call chart, beside the plain group-commit limit: a bare writer that
 * steps the same chart with the same facts and leaves the same rows.
 */
import type { Bed } from './bed.ts';
import { type Cost, metered, quantile } from './meter.ts';
import type { Value } from './report.ts';
import type { Bench, Section } from './section.ts';
import { audit, rowsTouched } from './steps/audit.ts';
import { openEngine, openLimit, type OpenSide, type Side } from './steps/sides.ts';
import { recordStory, type Scenario, scenarios, type Story } from './steps/story.ts';

/** Calls in flight at a time, calls made, and the goal for p99 of one step, milliseconds. */
const loads = [
  { inFlight: 1_000, calls: 6_000, p99: 120 },
  { inFlight: 100, calls: 3_000, p99: 20 },
  { inFlight: 10, calls: 600, p99: 10 },
];
type Load = (typeof loads)[number];

interface Run extends Cost {
  steps: number;
  latencies: number[];
  rowsPerStep: number;
}

export const steps: Section = async (bench) => {
  for (const scenario of scenarios) {
    const story = await recordStory(bench.bed, scenario);
    bench.note(`${scenario.name}: a call`, { value: story.steps, unit: 'steps', goal: { atLeast: 10 } });
    const work = bench.quick ? loads.map((load) => ({ ...load, calls: load.calls / 10 })) : loads;
    // The first run warms the compiler and is not noted.
    const sides = bench.paired ? [openEngine] : [openEngine, openLimit];
    for (const open of sides) await runSide(bench.bed, open, scenario, story, work[0]!);
    for (let round = 0; round < bench.rounds; round++)
      for (const load of work) await compare(bench, scenario, story, load, round);
  }
};

/** Both sides under one load, taking turns to be first. */
const compare = async (
  bench: Bench,
  scenario: Scenario,
  story: Story,
  load: Load,
  round: number,
): Promise<void> => {
  const sides: [name: string, open: OpenSide][] = [
    ['engine', openEngine],
    ['limit', openLimit],
  ];
  const runs: Record<string, Run> = {};
  // Beside another tree the limit says nothing more.
  const wanted = bench.paired ? sides.slice(0, 1) : sides;
  for (const [name, open] of round % 2 === 0 ? wanted : wanted.toReversed())
    runs[name] = await runSide(bench.bed, open, scenario, story, load);
  const { engine, limit } = runs as { engine: Run; limit?: Run };
  const full = load.inFlight === 1_000;
  const note = (figure: string, unit: string, of: (run: Run) => number, goals: Partial<Value> = {}): void =>
    bench.note(`${scenario.name}, ${load.inFlight} in flight: ${figure}`, {
      unit,
      value: of(engine),
      ...(limit && { beside: of(limit) }),
      ...goals,
    });
  note(
    'steps',
    '1/s',
    (run) => run.steps / run.seconds,
    full ? { goal: { atLeast: 15_000 }, ratioGoal: { atLeast: 0.8 } } : {},
  );
  note('p50 of a step', 'ms', (run) => quantile(run.latencies, 0.5));
  note('p99 of a step', 'ms', (run) => quantile(run.latencies, 0.99), { goal: { below: load.p99 } });
  note('CPU in Node', 'us/step', (run) => run.nodeMicros / run.steps);
  note('CPU in PostgreSQL', 'us/step', (run) => run.postgresMicros / run.steps);
  note('WAL', 'bytes/step', (run) => run.walBytes / run.steps, full ? { ratioGoal: { below: 1.25 } } : {});
  note('rows touched', '1/step', (run) => run.rowsPerStep);
};

/** One side makes its calls on a database of its own, a tenth of them before the meter starts. */
const runSide = (bed: Bed, open: OpenSide, scenario: Scenario, story: Story, load: Load): Promise<Run> =>
  bed.withDatabase(async (database) => {
    const { calls, inFlight: slots } = load;
    const warmUp = calls / 10;
    const side = await open(database, scenario, story, slots);
    await makeCalls(side, warmUp, slots);
    side.latencies.length = 0;
    const cost = await metered(bed, database.pool, () => makeCalls(side, calls, slots));
    await side.finish();
    const all = warmUp + calls;
    await audit(database.pool, scenario, story, { calls: all, slots });
    const touched = await database.afterwards(rowsTouched);
    return {
      ...cost,
      steps: calls * story.steps,
      latencies: side.latencies,
      rowsPerStep: touched / (all * story.steps),
    };
  });

/** So many calls, each slot one after another. */
const makeCalls = async (side: Side, calls: number, slots: number): Promise<void> => {
  let made = 0;
  const slot = async (_: unknown, index: number): Promise<void> => {
    while (made < calls) {
      made += 1;
      await side.call(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(slots, calls) }, slot));
};
