/** The two sides that are compared: the engine, and the plain group-commit limit. Both make the same calls. */
import { callMachineKind, machineKinds, queueOrAgentMachineKind } from '../../../machines/index.ts';
import type { MachineEvent } from '../../../src/engine/contract/effect.ts';
import { compileChart } from '../../../src/engine/step/compileChart.ts';
import { IdGenerator } from '../../../src/engine/contract/idGenerator.ts';
import type { ExclusiveKeyClaimRequest } from '../../../src/engine/contract/api.ts';
import type { BenchDatabase } from '../bed.ts';
import { aNode } from '../node.ts';
import { callInput, instantWorld, lineInput } from '../world.ts';
import { LimitMachine, type LimitRow, type LimitScope } from './limitMachine.ts';
import { LimitWriter } from './limitWriter.ts';
import { claimOf, lineOf, oneCall, type Scenario, startLines, type Story, targetOf } from './story.ts';

/** One side at work. */
export interface Side {
  /** Makes one call in a slot; slots make their calls one after another. */
  call(slot: number): Promise<void>;
  /** Milliseconds from handing a fact in to its being durable. */
  latencies: number[];
  /** Waits for everything that calls have left to be done. */
  finish(): Promise<void>;
}

export type OpenSide = (
  database: BenchDatabase,
  scenario: Scenario,
  story: Story,
  slots: number,
) => Promise<Side>;

export const openEngine: OpenSide = async (database, scenario, _story, slots) => {
  const world = instantWorld();
  const engine = aNode({ database, kinds: machineKinds, performers: world.performers });
  world.engine = engine;
  await engine.open();
  await startLines(engine, scenario, slots);
  return {
    call: async (slot) => void (await oneCall(engine, world, scenario, slot)),
    latencies: world.latencies,
    finish: () => engine.stop(),
  };
};

export const openLimit: OpenSide = async (database, scenario, story, slots) => {
  const writers = [new LimitWriter(database.writers), new LimitWriter(database.writers)] as const;
  const ids = new IdGenerator(0, () => Date.now());
  const scope: LimitScope = { now: () => Date.now(), mint: () => ids.next() };
  const callChart = compileChart(callMachineKind, callMachineKind.current);
  const lineChart = compileChart(queueOrAgentMachineKind, queueOrAgentMachineKind.current);
  const latencies: number[] = [];

  /** The machines of a slot keep to one writer. */
  const write = (slot: number, row: LimitRow): Promise<void> => writers[slot % 2 === 0 ? 0 : 1].push(row);
  const begin = (
    slot: number,
    machine: LimitMachine,
    input: object,
    claim?: ExclusiveKeyClaimRequest,
  ): Promise<void> => write(slot, machine.begin(input, claim ?? null));
  /** Tells a slot's call or its line of something, and the other what comes of it. */
  const deliver = async (
    slot: number,
    call: LimitMachine,
    to: LimitMachine,
    event: MachineEvent,
    heard: number | null,
  ): Promise<void> => {
    const began = performance.now();
    const row = to.hear(event, heard);
    if (!row) return;
    await write(slot, row);
    if (heard === null) latencies.push(performance.now() - began);
    for (const told of row.tells) {
      const next = told.machine === call.id ? call : lines[slot]!;
      await deliver(slot, call, next, JSON.parse(told.event) as MachineEvent, told.id);
    }
  };

  const lines = Array.from(
    { length: scenario.lines ? slots : 0 },
    (_, slot) => new LimitMachine(lineChart, lineOf(slot), scope),
  );
  await Promise.all(lines.map((line, slot) => begin(slot, line, lineInput)));
  return {
    latencies,
    call: async (slot) => {
      const call = new LimitMachine(callChart, scope.mint(), scope);
      await begin(slot, call, callInput(scope.now(), targetOf(scenario, slot)), claimOf(call.id));
      for (const fact of story.facts) await deliver(slot, call, call, withLine(fact, slot), null);
    },
    finish: async () => {},
  };
};

/** The story was recorded with the first slot's line. */
const withLine = (fact: MachineEvent, slot: number): MachineEvent =>
  'line' in fact ? { ...fact, line: lineOf(slot) } : fact;
