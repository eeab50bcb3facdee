/** How a call gets on: from where it stands, by a fact, to where it stands then, with what it asks for meanwhile. */
import type { CallContext } from '../../machines/call/context.ts';
import type { CallInput } from '../../machines/call/input.ts';
import type { MachineEvent } from '../engine/contract/effect.ts';
import type {
  CompiledChart,
  ChartToEngineRequest,
  MachineSnapshot,
  StepResult,
} from '../engine/step/compileChart.ts';

/** The moment something happens, epoch milliseconds. */
export interface SimulatedEventTime {
  at: number;
  /** When the call's audio was made; 0: never. */
  audioAt: number;
}

/** Where a call stands. Its moments may be those of another call: what is shared knows no time. */
export interface ForecastCallState {
  readonly snapshot: MachineSnapshot;
  readonly context: CallContext;
  /** Which question it waits for an answer to; empty: none. */
  readonly question: string;
  hear(fact: MachineEvent, moment: SimulatedEventTime): SimulatedCallTransition;
}

/** What comes of a fact. */
export interface SimulatedCallTransition {
  to: ForecastCallState;
  requests: readonly ChartToEngineRequest[];
}

export interface SimulatedCallStepper {
  /** The birth of a call. */
  begin(input: CallInput, id: number, at: number): SimulatedCallTransition;
}

/** Every call steps the chart by itself, at its own moments. */
export const unmemoizedCallStepper = (chart: CompiledChart): SimulatedCallStepper => {
  const moved = ({ snapshot, requests }: StepResult): SimulatedCallTransition => ({
    to: {
      ...simulatedCallStateOf(snapshot),
      hear: (fact, { at }) => moved(chart.step(snapshot, { ...fact, at })),
    },
    requests,
  });
  return { begin: (input, id, at) => moved(chart.begin({ ...input, at, id })) };
};

/** What is read of a snapshot wherever it comes from. */
export const simulatedCallStateOf = (snapshot: MachineSnapshot): Omit<ForecastCallState, 'hear'> => {
  const context = snapshot.context as CallContext;
  return { snapshot, context, question: questionOf(snapshot, context) };
};

const questionOf = ({ value }: MachineSnapshot, { talk }: CallContext): string => {
  const { answered } = value as { answered?: unknown };
  return answered === 'listening' ? `${talk.responses.length} ${talk.misses}` : '';
};
