/** The words between a delivery and whoever carries it. */

/** What is brought: a campaign's results, or a status callback. There is a courier for each. */
export type DeliveryPurpose = 'results' | 'callback';

export interface DeliveryEffects {
  /**
   * Bring it to its target. `atLeastOnce`, so what comes twice must be as if it came once; the machine's id is the
   * same for every attempt and is the idempotency key. Answered by `delivered` or `notDelivered` with the acceptance.
   * A terminal failure (`deliverFailed`) is a no for good. `attempt`: 1 is the first.
   */
  deliver: { purpose: DeliveryPurpose; subject: object; attempt: number };
}

export type DeliveryEvent =
  /** It is there. `attempt`: that of the effect. */
  | { type: 'delivered'; attempt: number }
  /** Not this time. `afterMs`: the target asked not to be tried earlier than this (`Retry-After`). */
  | { type: 'notDelivered'; attempt: number; message: string; afterMs?: number };
