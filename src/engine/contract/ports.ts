/**
 * What the engine needs of its surroundings, so that it runs in production and, from one seed, in a simulator.
 */
import type { EffectPerformer } from './performer.ts';
import type { Kind } from './kind.ts';

/** Time of this host. */
export interface Clock {
  /**
   * Milliseconds that never go back, from an arbitrary start; goes on while the process is stopped, and stands still
   * while the machine is suspended.
   */
  monotonic(): number;
  /** Epoch milliseconds, as the host was told: may jump, either way. */
  wall(): number;
  /** Milliseconds since the machine was started, those in which it was suspended as well; undefined: it does not tell. */
  sinceBoot(): number | undefined;
  /** Runs once after `ms`; the returned function takes it back. */
  after(ms: number, run: () => void): () => void;
  /** Runs once what is already waiting has run. */
  soon(run: () => void): void;
  /** How much of the last moments this process was at work: 0 not at all, 1 without a pause. Slow to forget. */
  load(): number;
}

/** Evenly spread numbers, 0 ≤ n < 1. */
export type Random = () => number;

/** Performers by effect name; main hands them in. */
export type EffectPerformers = Readonly<Record<string, EffectPerformer<never>>>;

/** Wake-up hints between nodes; they may be lost. */
export interface WakeUpHints {
  /** Tells other nodes that a machine has mail, or has passed a milestone. */
  publish(shard: string, topic: 'inbox' | 'milestone', machine: number): void;
  /** Hears other nodes' hints. */
  subscribe(heard: (shard: string, topic: 'inbox' | 'milestone', machine: number) => void): void;
}

/** Hints for a single node: there is no other node to tell. */
export const noopWakeUpHints: WakeUpHints = { publish: () => {}, subscribe: () => {} };

/** What is told of a machine that has stepped. */
export interface SteppedMachineNotice {
  id: number;
  state: string;
  chart: { kind: Kind };
  snapshot: { context: unknown };
}

/** What the engine counts; names follow the metrics page. */
export interface EngineMetrics {
  /**
   * `machine`: as it stands now; `ended`: its chart came to an end with this step. `from`, `to`: its state before and now,
   * null where it had not begun or has nothing more to do.
   */
  stepped(
    kind: string,
    events: number,
    machine: SteppedMachineNotice,
    ended: boolean,
    from: string | null,
    to: string | null,
  ): void;
  committed(batch: number, milliseconds: number): void;
  /** How late a timer fired, milliseconds. */
  fired(lagMs: number): void;
  effectEnded(effect: string, outcome: 'accepted' | 'retried' | 'failed' | 'unknown' | 'late'): void;
  /** A clock jumped by so many milliseconds: the database's, or this machine's, which may have been suspended. */
  jumped(of: 'database' | 'machine', ms: number): void;
  /** How far a shard's time is ahead of its database's clock, milliseconds. */
  ahead(shard: string, ms: number): void;
}

export const noopEngineMetrics: EngineMetrics = {
  stepped: () => {},
  committed: () => {},
  fired: () => {},
  effectEnded: () => {},
  jumped: () => {},
  ahead: () => {},
};

/** The engine's log; the composition binds it to pino. */
export interface EngineLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const noopEngineLog: EngineLog = { info: () => {}, warn: () => {}, error: () => {} };

/** What is measured anew no oftener than this, milliseconds. */
const LOAD_MS = 100;
/** What stays of the load when less is measured: a short pause is no end of a burst. */
const KEPT = 0.7;

const loadMeter = (): (() => number) => {
  let since = performance.eventLoopUtilization();
  let measuredAt = performance.now();
  let load = 0;
  return () => {
    if (performance.now() - measuredAt < LOAD_MS) return load;
    const now = performance.eventLoopUtilization();
    const measured = performance.eventLoopUtilization(now, since).utilization;
    load = Math.max(measured, KEPT * load + (1 - KEPT) * measured);
    [since, measuredAt] = [now, performance.now()];
    return load;
  };
};

/** The host's clock, as JavaScript knows it. */
export const hostClock: Clock = {
  load: loadMeter(),
  monotonic: () => performance.now(),
  wall: () => Date.now(),
  sinceBoot: () => undefined,
  after: (ms, run) => {
    const timer = setTimeout(run, Math.min(Math.max(0, ms), 2_147_483_647));
    return () => clearTimeout(timer);
  },
  soon: (run) => void setImmediate(run),
};
