/** Events and effects between a delivery, its transport, and the machine that it is about. */

/** What is brought: a campaign's results, or a callback. There is a transport for each. */
export type ResultsOrCallback = 'results' | 'callback';

export interface DeliveryEffects {
  /**
   * Bring it to its target. `atLeastOnce`, so what comes twice must be as if it came once; the machine's id is the same
   * for every attempt and is the idempotency key. Answered by one of the facts below with the acceptance. A terminal
   * failure (`deliverFailed`) is a no for good. `attempt`: 1 is the first of the machine's life, and no two have the
   * same, whichever item they carry. `resume`: what the last `partly` or `notDelivered` of this item said; absent: from
   * the beginning. `insists`: try it also at a target that is left alone. Default no.
   */
  deliver: {
    purpose: ResultsOrCallback;
    subject: object;
    attempt: number;
    resume?: string;
    insists?: boolean;
  };
}

/** Facts from the transport. `attempt`: that of the effect. */
export type DeliveryEvent =
  /** It is there. */
  | { type: 'delivered'; attempt: number }
  /**
   * Not this time. `afterMs`: the target asked not to be tried earlier than this (`Retry-After`). `resume`: how far it
   * got, for a transport that can go on from there.
   */
  | { type: 'notDelivered'; attempt: number; message: string; afterMs?: number; resume?: string }
  /**
   * It was not tried: others wait for the same target, or, with `leftAlone`, that failed too often and rests. It costs
   * no attempt; try it in `afterMs`.
   */
  | { type: 'deferred'; attempt: number; message: string; afterMs: number; leftAlone?: boolean }
  /** A part of it is there, and there is more. It costs no attempt; go on at once. */
  | { type: 'partly'; attempt: number; resume: string };

/** Facts from the machine that a delivery is about. */
export type DeliveryQueueEvent =
  /** One more to bring, after those before it. The key `parcel` stands in inbox rows, which outlive a release. */
  | { type: 'enqueue'; parcel: ItemToDeliver }
  /** Nothing more comes. */
  | { type: 'close' };

/** One thing to bring, in the terms of the transport of the delivery's purpose (`delivery/input.ts`). */
export interface ItemToDeliver {
  subject: object;
  /** Nothing comes after it. */
  last: boolean;
}
