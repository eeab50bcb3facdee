/**
 * An effect is a request to the world: a name with typed params and no body.
 * The chart asks; the engine remembers; a provider performs it after the commit.
 */
export const declareEffect =
  <Params extends object>() =>
  (_scope: unknown, _params: Params): void => {};

/** How often the world may hear of one effect. */
export type EffectDeliveryGuarantee = 'atLeastOnce' | 'atMostOnce';

/** What a kind promises about one of its effects. */
export interface EffectDeliveryPolicy {
  /** `atMostOnce`: a swallowed outcome comes back to the chart as `outcomeUnknown`, it is never repeated. */
  delivery: EffectDeliveryGuarantee;
  /** Milliseconds within which the world must have accepted it; aborted after. */
  timeoutMs: number;
  /** Performances of an `atLeastOnce` effect before it fails for good. Default 5. */
  attempts?: number;
  /**
   * Milliseconds from its step, by the shard's clock, after which it is not begun any more: what was decided then may be
   * wrong now. It fails with the reason `late`, and the world has heard nothing. Absent: it keeps.
   */
  keepsMs?: number;
}

/**
 * Requests that the engine itself fulfils, inside the step's own commit.
 * Every kind may use them under these names.
 */
export interface EngineEffects {
  /** The machine has passed a milestone; `engine.waitFor` hears of it. */
  reach: { milestone: string };
  /** A milestone that has no waiters any more: a later `waitFor` is told that it was not reached. */
  forget: { milestone: string };
  /** Leave an event for another machine of the same account (an inbox row in this commit). */
  tell: { machine: number; event: MachineEvent };
  /** Start a sibling machine in this commit. The id was minted by a performer and came with a fact. */
  startMachine: { kind: string; id: number; input: object };
  /** Claim a key for a time. When another owner holds it the step is undone and the chart hears `claimRefused {key, owner}`. */
  claim: { key: string; untilMs: number };
  /** Give a claimed key back. */
  release: { key: string };
  /** Put an amount into a balance. A step only gives; what takes, and may be refused for it, is a start. */
  book: BalanceBooking;
}

/** An amount that goes into a balance, or out of it. */
export interface BalanceBooking {
  /** The account whose balance it is: the machine's own, or one above it in the same shard. */
  account: number;
  /** `balance` is money, in ten-thousandths; others count what is allowed. */
  balance: string;
  /** Whole units; negative takes. */
  amount: number;
  /** The word for it in the ledger, `charge`, `refund`; absent: the ledger does not hear of it. */
  entry?: string;
}

/** The engine's own effects, to be spread into a chart's `setup({ actions })`. */
export const engineEffects = {
  reach: declareEffect<EngineEffects['reach']>(),
  forget: declareEffect<EngineEffects['forget']>(),
  tell: declareEffect<EngineEffects['tell']>(),
  startMachine: declareEffect<EngineEffects['startMachine']>(),
  claim: declareEffect<EngineEffects['claim']>(),
  release: declareEffect<EngineEffects['release']>(),
  book: declareEffect<EngineEffects['book']>(),
};

/** A fact, as it may be kept in JSON. */
export interface MachineEvent {
  type: string;
  [key: string]: unknown;
}

/** What the engine adds to every event it gives to a chart. */
export interface EventTimestamp {
  /** Database time of the event, epoch milliseconds. The only clock a chart may read. */
  at: number;
}

/**
 * Events that come from the engine rather than from a provider or a caller.
 * `<effect>Failed` follows the effect's name, e.g. `playFailed`; its params are those of the effect.
 */
export type EventFromEngine =
  /** An `atMostOnce` effect was begun by a process that did not live to tell. */
  | ({ type: 'outcomeUnknown'; effect: string; params: Record<string, unknown> } & EventTimestamp)
  /** Another process took the machine over; what hangs on a node (channels) must be adopted. Sent only in states with the tag `adoptable`. */
  | ({ type: 'takenOver' } & EventTimestamp)
  /** A claim of the step before was held by another machine or caller. */
  | ({ type: 'claimRefused'; key: string; owner: string } & EventTimestamp);

/** The event by which a chart hears that an effect failed for good. */
export interface EffectFailedEvent<Name extends string, Params> extends EventTimestamp {
  type: `${Name}Failed`;
  params: Params;
  /** Our word for what went wrong, e.g. `unreachable`; the rest is in the log. */
  reason: string;
  message: string;
}
