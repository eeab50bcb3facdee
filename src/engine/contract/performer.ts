/**
 * How the engine hands an effect to the world.
 *
 * A performer does three things: perform, report, say what kind of failure it was.
 * It does not loop, sleep or count attempts: it returns or throws a kind, and the engine decides.
 */
export interface EffectCall<Params = Record<string, unknown>> {
  /** Stable over repeats: `shard.account.machine.revision.index`. The idempotency key. */
  id: string;
  name: string;
  params: Params;
  machine: { shard: string; account: number; id: number; kind: string };
  /** 1 for the first performance. */
  attempt: number;
  /** Highest event `seq` the machine has seen, by source (`leg 1`); an adopter reports what came after. */
  seen: Readonly<Record<string, number>>;
  /** Fires when the effect's declared time is over. */
  signal: AbortSignal;
}

/** Facts that come with the acceptance: they enter the machine in the commit that confirms the effect. */
export interface EffectResult {
  events?: Fact[];
}

export interface Fact {
  type: string;
  /** Facts of one source with a `seq` that is not above the last one seen are repeats, and dropped by the engine. */
  source?: string;
  seq?: number;
  [key: string]: unknown;
}

export type EffectPerformer<Params = Record<string, unknown>> = (
  call: EffectCall<Params>,
) => Promise<EffectResult | void>;

/** Where facts that come later are reported: a thin face of `engine.send`. Never throws; facts are always admitted. */
export type ReportFactToMachine = (
  machine: { shard: string; account: number; id: number },
  fact: Fact,
) => void;

/**
 * The same for a fact whose sender must not be told "heard" before it is durable: settles then. `gone`: its machine
 * does not exist any more. Throws when it cannot be made durable in time.
 */
export type Tell = (
  machine: { shard: string; account: number; id: number },
  fact: Fact,
) => Promise<'heard' | 'gone'>;

/** The provider could not now; the engine tries again (after `afterMs`, or by its own backoff). */
export class Retryable extends Error {
  readonly afterMs: number | undefined;
  constructor(message: string, options: { cause?: unknown; afterMs?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = 'Retryable';
    this.afterMs = options.afterMs;
  }
}

/** The provider said no; the chart hears `<effect>Failed` with this reason. */
export class NotRetryable extends Error {
  readonly reason: string;
  constructor(reason: string, message: string, options: { cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'NotRetryable';
    this.reason = reason;
  }
}

/**
 * Whether the request was performed is unknown, and the network is at fault, not this program: a connection that was
 * cut, an answer that did not come. For an `atMostOnce` effect the chart hears `outcomeUnknown`; another is tried
 * again.
 */
export class OutcomeUnknown extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'OutcomeUnknown';
  }
}

/**
 * The provider heard, and its answer is none that can be kept: an id beyond all bounds. It may have done what it was
 * asked, so the outcome is unknown; an operator should hear of it, because it will do so again.
 */
export class UnusableProviderAnswer extends OutcomeUnknown {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableProviderAnswer';
  }
}
