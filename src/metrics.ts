/** What Prometheus may read at `/metrics`. Rooms count through small ports; only this file knows prom-client. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { EngineMetrics } from './engine/contract/ports.ts';

/** How many unfinished machines there are, by kind and outer state; several of the same are summed. */
export interface MachinesCounted {
  shard: string;
  kind: string;
  state: string;
  count: number;
}

export interface CallbackQueueGauges {
  waiting: number;
  inFlight: number;
  /** Targets that are left alone. */
  open: number;
}

export interface Metrics {
  engine: EngineMetrics;
  /** One answered request. */
  request(operation: string, http: number, seconds: number): void;
  /** One call of a tool. */
  tool(name: string, outcome: string, seconds: number): void;
  /** One callback that was due, and what became of it. */
  callback(outcome: string): void;
  /** Where callbacks stand in this process is asked when the page is. */
  watchCallbacks(read: () => CallbackQueueGauges): void;
  /** The page, and its content type. */
  page(counted: readonly MachinesCounted[]): Promise<{ type: string; text: string }>;
}

export const createPrometheusMetrics = (): Metrics => {
  const registers = [new Registry()];
  const [registry] = registers as [Registry];
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[], labelNames: string[] = []) =>
    new Histogram({ name, help, buckets, labelNames, registers });

  /** Asked when the page is. */
  const gauge = (name: string, help: string, read: () => number) => {
    const made: Gauge = new Gauge({ name, help, registers, collect: () => made.set(read()) });
  };

  const steps = counter('ramal_steps_total', 'Durable steps of machines.', ['kind']);
  const events = counter('ramal_events_total', 'Events that machines took.', ['kind']);
  const commits = counter('ramal_commits_total', 'Group commits.');
  const batches = histogram(
    'ramal_commit_batch_machines',
    'Machines in a commit.',
    [1, 2, 5, 10, 25, 50, 100, 250, 500],
  );
  const commitSeconds = histogram('ramal_commit_seconds', 'Length of a commit.', seconds);
  const jumps = counter('ramal_clock_jumps_total', 'Jumps of a clock by more than a second.', ['of']);
  const ahead = new Gauge({
    name: 'ramal_shard_ahead_seconds',
    help: "How far a shard's time is ahead of its database's clock.",
    labelNames: ['shard'],
    registers,
  });
  const lag = histogram('ramal_timer_lag_seconds', 'How late timers fired.', seconds);
  const effects = counter('ramal_effects_total', 'Effects by outcome.', ['effect', 'outcome']);
  const requests = histogram('ramal_request_seconds', 'Answered API requests.', seconds, [
    'operation',
    'status',
  ]);
  const tools = histogram('ramal_tool_seconds', 'Calls of tools.', seconds, ['tool', 'outcome']);
  const callbacks = counter('ramal_callbacks_total', 'Callbacks that were due, by outcome.', ['outcome']);
  const machines = new Gauge({
    name: 'ramal_machines',
    help: 'Unfinished machines.',
    labelNames: ['shard', 'kind', 'state'],
    registers,
  });

  return {
    engine: {
      stepped: (kind, count) => {
        steps.inc({ kind });
        events.inc({ kind }, count);
      },
      committed: (batch, milliseconds) => {
        commits.inc();
        batches.observe(batch);
        commitSeconds.observe(milliseconds / 1000);
      },
      fired: (lagMs) => lag.observe(lagMs / 1000),
      effectEnded: (effect, outcome) => effects.inc({ effect, outcome }),
      jumped: (of) => jumps.inc({ of }),
      ahead: (shard, ms) => ahead.set({ shard }, ms / 1000),
    },
    request: (operation, http, took) => requests.observe({ operation, status: http }, took),
    tool: (tool, outcome, took) => tools.observe({ tool, outcome }, took),
    callback: (outcome) => callbacks.inc({ outcome }),
    watchCallbacks: (read) => {
      gauge('ramal_callbacks_waiting', 'Callbacks that wait for their turn.', () => read().waiting);
      gauge('ramal_callbacks_in_flight', 'Callbacks on their way.', () => read().inFlight);
      gauge('ramal_callback_circuits_open', 'Targets of callbacks that are left alone.', () => read().open);
    },
    page: async (counted) => {
      machines.reset();
      for (const { shard, kind, state, count } of counted) machines.inc({ shard, kind, state }, count);
      return { type: registry.contentType, text: await registry.metrics() };
    },
  };
};

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
