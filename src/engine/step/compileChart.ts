/** A chart version made ready: stepped (`stepperTypes.ts`), and what it asks for read as requests to the engine. */
import type { Kind } from '../contract/kind.ts';
import type { BalanceBooking, MachineEvent } from '../contract/effect.ts';
import type { PersistedSnapshot, MachineSnapshot, ChartStepper } from './stepperTypes.ts';
import { TransitionTableStepper } from './stepper/tableStepper.ts';
import { hasNoParallelStates } from './stepper/transitionTable.ts';
import { XStateStepper } from './stepper/xstateStepper.ts';

export type { MachineSnapshot } from './stepperTypes.ts';

/** What one step asks for, in order. */
export type ChartToEngineRequest =
  | { do: 'arm'; timer: string; event: string; delayMs: number }
  | { do: 'disarm'; timer: string }
  | { do: 'reach'; milestone: string }
  | { do: 'forget'; milestone: string }
  | { do: 'tell'; machine: number; event: MachineEvent }
  | { do: 'startMachine'; kind: string; id: number; input: object }
  | { do: 'claim'; key: string; untilMs: number }
  | { do: 'release'; key: string }
  | ({ do: 'book' } & BalanceBooking)
  | { do: 'effect'; name: string; params: Record<string, unknown> };

export interface StepResult {
  snapshot: MachineSnapshot;
  requests: ChartToEngineRequest[];
  /** Short ids of the transitions taken, in order (`contract/transitionIds.ts`). */
  taken: readonly number[];
}

/** A chart version made ready to step. */
export interface CompiledChart {
  kind: Kind;
  version: number;
  /** The columns of its record, in the order they are written. */
  columns: { born: readonly string[]; living: readonly string[] };
  /** The first step. Throws what the chart throws. */
  begin(input: object): StepResult;
  step(snapshot: MachineSnapshot, event: MachineEvent): StepResult;
  /** The snapshot's lean form: value, status when not active, context, history when there is some. */
  serialize(snapshot: MachineSnapshot): PersistedSnapshot;
  thaw(frozen: PersistedSnapshot): MachineSnapshot;
  /** Whether machines in a state of this name may hang on a node (tag `adoptable`). */
  isAdoptable(state: string): boolean;
}

/** Makes a chart version steppable. */
export const compileChart = (kind: Kind, version: number): CompiledChart => {
  const machine = kind.versions[version];
  if (!machine) throw new Error(`kind ${kind.name} has no chart version ${version}`);
  const stepper: ChartStepper = hasNoParallelStates(machine)
    ? new TransitionTableStepper(machine)
    : new XStateStepper(machine);
  const adoptable = new Map<string, boolean>();
  return {
    kind,
    version,
    columns: {
      born: Object.keys(kind.record?.insertColumns ?? {}),
      living: Object.keys(kind.record?.updateColumns ?? {}),
    },
    begin: (input) => {
      const requests: ChartToEngineRequest[] = [];
      const taken: number[] = [];
      const ask = (type: string, params: unknown): void => translate(kind, type, params, requests);
      return { snapshot: stepper.begin(input, ask, taken), requests, taken };
    },
    step: (before, event) => {
      const requests: ChartToEngineRequest[] = [];
      const taken: number[] = [];
      const ask = (type: string, params: unknown): void => translate(kind, type, params, requests);
      return { snapshot: stepper.step(before, event, ask, taken), requests, taken };
    },
    serialize: freeze,
    thaw: (frozen) => stepper.thaw(frozen),
    isAdoptable: (state) => {
      let known = adoptable.get(state);
      if (known === undefined) {
        known = stepper.mayHaveTag(state, 'adoptable');
        adoptable.set(state, known);
      }
      return known;
    },
  };
};

const translate = (kind: Kind, type: string, asked: unknown, into: ChartToEngineRequest[]): void => {
  const params = (asked ?? {}) as Record<string, unknown>;
  switch (type) {
    case 'xstate.raise': {
      // An immediate raise was processed already; only a delayed one is a timer.
      if (params['delay'] === undefined) return;
      const event = (params['event'] as MachineEvent).type;
      into.push({
        do: 'arm',
        timer: (params['id'] as string | undefined) ?? event,
        event,
        delayMs: delayOf(params),
      });
      return;
    }
    case 'xstate.cancel':
      into.push({ do: 'disarm', timer: String(params['sendId']) });
      return;
    case 'reach':
    case 'forget':
    case 'tell':
    case 'startMachine':
    case 'claim':
    case 'release':
    case 'book':
      into.push({ do: type, ...params } as ChartToEngineRequest);
      return;
    default:
      if (!kind.effects[type])
        throw new Error(`chart ${kind.name} asks for ${type}, which is no declared effect`);
      into.push({ do: 'effect', name: type, params });
  }
};

const delayOf = (params: Record<string, unknown>): number => {
  const delay = Number(params['delay']);
  if (!Number.isFinite(delay)) throw new Error(`timer ${String(params['id'])} has no finite delay`);
  return Math.max(0, Math.round(delay));
};

const freeze = (snapshot: MachineSnapshot): PersistedSnapshot => {
  const frozen: PersistedSnapshot = { v: snapshot.value, c: snapshot.context };
  if (snapshot.status !== 'active') frozen.s = snapshot.status;
  const history = historyOf(snapshot);
  if (history) frozen.h = history;
  return frozen;
};

const historyOf = ({ historyValue }: MachineSnapshot): Record<string, string[]> | undefined => {
  const entries = Object.entries(historyValue);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([key, nodes]) => [key, nodes.map((node) => node.id)]));
};

/** A state value as one dotted word, for queries: `talking.gathering`; parallel regions joined by `+`. */
export const dottedStateName = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const regions = Object.entries(value as Record<string, unknown>).map(([key, inner]) => {
    const rest = dottedStateName(inner);
    return rest ? `${key}.${rest}` : key;
  });
  return regions.length === 1 ? regions[0]! : regions.toSorted().join('+');
};
