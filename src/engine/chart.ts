/**
 * The pure step: a chart, a snapshot and an event in; the next snapshot and the requests out.
 *
 * XState's public `transition()` builds a throw-away actor on every call, so one scope a chart is kept and its
 * logic's own `transition` is used instead (three times as fast). `test/engine/chart.test.ts` holds the two equal;
 * run it after every XState upgrade.
 */
import { createActor, type AnyMachineSnapshot, type AnyStateMachine } from 'xstate';
import type { Kind } from '../../machines/kind.ts';
import type { Booking, ChartEvent } from '../../machines/effect.ts';

/** An action as XState resolves it; only type and params may be kept. */
interface Action {
  type: string;
  params: unknown;
}

/** What one step asks for, in order. */
export type Request =
  | { do: 'arm'; timer: string; event: string; delayMs: number }
  | { do: 'disarm'; timer: string }
  | { do: 'reach'; milestone: string }
  | { do: 'forget'; milestone: string }
  | { do: 'tell'; machine: number; event: ChartEvent }
  | { do: 'startMachine'; kind: string; id: number; input: object }
  | { do: 'claim'; key: string; untilMs: number }
  | { do: 'release'; key: string }
  | ({ do: 'book' } & Booking)
  | { do: 'effect'; name: string; params: Record<string, unknown> };

export interface Stepped {
  snapshot: AnyMachineSnapshot;
  requests: Request[];
}

/** A chart version made ready to step. */
export interface Chart {
  kind: Kind;
  version: number;
  /** The columns of its record, in the order they are written. */
  columns: { born: readonly string[]; living: readonly string[] };
  /** The first step. Throws what the chart throws. */
  begin(input: object): Stepped;
  step(snapshot: AnyMachineSnapshot, event: ChartEvent): Stepped;
  /** The snapshot's lean form: value, status when not active, context, history when there is some. */
  freeze(snapshot: AnyMachineSnapshot): FrozenSnapshot;
  thaw(frozen: FrozenSnapshot): AnyMachineSnapshot;
  /** Whether machines in this state hang on a node (tag `adoptable`); `snapshot` is one such machine's, as text. */
  isAdoptable(state: string, snapshot: string): boolean;
}

export interface FrozenSnapshot {
  v: AnyMachineSnapshot['value'];
  /** Absent: `active`. */
  s?: string;
  c: unknown;
  h?: Record<string, string[]>;
}

interface StepScope {
  actionExecutor: (action: Action) => void;
}

/** Makes a chart version steppable. */
export const compileChart = (kind: Kind, version: number): Chart => {
  const machine = kind.versions[version];
  if (!machine) throw new Error(`kind ${kind.name} has no chart version ${version}`);
  let actions: Action[] = [];
  const adoptable = new Map<string, boolean>();
  const scope = makeScope(machine, (action) => actions.push(action));
  const finish = (snapshot: AnyMachineSnapshot): Stepped => {
    const requests: Request[] = [];
    for (const action of actions) translate(kind, action, requests);
    return { snapshot, requests };
  };
  return {
    kind,
    version,
    columns: { born: Object.keys(kind.record?.born ?? {}), living: Object.keys(kind.record?.living ?? {}) },
    begin: (input) => {
      actions = [];
      const snapshot = machine.getInitialSnapshot(scope as never, input) as AnyMachineSnapshot;
      // XState keeps what a context's making or a first entry throws.
      if (snapshot.status === 'error') throw snapshot.error;
      return finish(snapshot);
    },
    step: (snapshot, event) => {
      actions = [];
      return finish(machine.transition(snapshot, event, scope as never));
    },
    freeze,
    thaw: (frozen) => thaw(machine, frozen),
    isAdoptable: (state, snapshot) => {
      let known = adoptable.get(state);
      if (known === undefined) {
        known = thaw(machine, JSON.parse(snapshot) as FrozenSnapshot).hasTag('adoptable');
        adoptable.set(state, known);
      }
      return known;
    },
  };
};

const makeScope = (machine: AnyStateMachine, actionExecutor: StepScope['actionExecutor']): StepScope => {
  const self = createActor(asIdle(machine));
  const nothing = (): void => {};
  return Object.assign(
    {
      self,
      system: self.system,
      id: '',
      sessionId: '',
      logger: nothing,
      defer: nothing,
      emit: nothing,
      stopChild: nothing,
    },
    { actionExecutor },
  );
};

/** The scope's actor is never started and must not run the chart's initial state, which wants an input. */
const asIdle = (machine: AnyStateMachine): AnyStateMachine =>
  Object.assign(Object.create(Object.getPrototypeOf(machine) as object), machine, {
    getInitialSnapshot: () => ({ status: 'active', children: {}, context: {}, value: {} }),
  }) as AnyStateMachine;

const translate = (kind: Kind, action: Action, into: Request[]): void => {
  const params = (action.params ?? {}) as Record<string, unknown>;
  switch (action.type) {
    case 'xstate.raise': {
      // An immediate raise was processed already; only a delayed one is a timer.
      if (params['delay'] === undefined) return;
      const event = (params['event'] as ChartEvent).type;
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
      into.push({ do: action.type, ...params } as Request);
      return;
    default:
      if (!kind.effects[action.type])
        throw new Error(`chart ${kind.name} asks for ${action.type}, which is no declared effect`);
      into.push({ do: 'effect', name: action.type, params });
  }
};

const delayOf = (params: Record<string, unknown>): number => {
  const delay = Number(params['delay']);
  if (!Number.isFinite(delay)) throw new Error(`timer ${String(params['id'])} has no finite delay`);
  return Math.max(0, Math.round(delay));
};

const freeze = (snapshot: AnyMachineSnapshot): FrozenSnapshot => {
  const frozen: FrozenSnapshot = { v: snapshot.value, c: snapshot.context };
  if (snapshot.status !== 'active') frozen.s = snapshot.status;
  const history = historyOf(snapshot);
  if (history) frozen.h = history;
  return frozen;
};

const historyOf = (snapshot: AnyMachineSnapshot): Record<string, string[]> | undefined => {
  const entries = Object.entries(snapshot.historyValue as Record<string, { id: string }[]>);
  if (entries.length === 0) return undefined;
  return Object.fromEntries(entries.map(([key, nodes]) => [key, nodes.map((node) => node.id)]));
};

const thaw = (machine: AnyStateMachine, frozen: FrozenSnapshot): AnyMachineSnapshot => {
  const historyValue = Object.fromEntries(
    Object.entries(frozen.h ?? {}).map(([key, ids]) => [key, ids.map((id) => machine.getStateNodeById(id))]),
  );
  return machine.resolveState({
    value: frozen.v,
    status: frozen.s ?? 'active',
    context: frozen.c,
    historyValue,
  } as never) as AnyMachineSnapshot;
};

/** A state value as one dotted word, for queries: `talking.gathering`; parallel regions joined by `+`. */
export const dotted = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const regions = Object.entries(value as Record<string, unknown>).map(([key, inner]) => {
    const rest = dotted(inner);
    return rest ? `${key}.${rest}` : key;
  });
  return regions.length === 1 ? regions[0]! : regions.toSorted().join('+');
};
