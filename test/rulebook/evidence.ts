/** What a judge has seen. Times are epoch milliseconds by one clock. */

/** A call as it was asked for, and acknowledged. */
export interface Asked {
  /** The person's numbers, in the order in which they are to be tried. */
  numbers: readonly string[];
  /** Rounds through these numbers: `repeat` tries, or `resends` and one. */
  tries: number;
  /** Between the end of a round and the next. */
  intervalMs: number;
  /** `block`, and the date of `repeat`. */
  notBefore?: number;
  /** No attempt after this moment. Where nothing was tried by then, all moves on by whole days. */
  until?: number;
}

/** A dial that reached the carrier. */
export interface Dial {
  number: string;
  at: number;
  /** By so much it may have been on its way, for the faults of the moment. */
  mayBeLateMs: number;
  /** By so much the clock that let it go was ahead of the one that took `at`, where that is known; default 0. */
  mayBeEarlyMs?: number;
  /** When its leg was gone; absent: it is not. */
  endedAt?: number;
  /** Since the end of the dial before it, where these times do not tell that well. */
  waitedMs?: number;
}

/** An attempt as the service tells of it once it is over. */
export interface ToldAttempt {
  /** `cd_status`. */
  status: string;
  /** Nobody knows what became of its leg: the next attempt waits as if that had ended when it was given up. */
  isLost?: boolean;
}

export interface CallStory {
  /** For people. */
  name: string;
  asked: Asked;
  /** In the order they came. Only the callee's: second legs are another thing. */
  dials: readonly Dial[];
  told: readonly ToldAttempt[];
  /** When it was told to be over, for good; absent: it is not. */
  overAt?: number;
  /** When a cancel was acknowledged. */
  cancelledAt?: number;
  /** An operator told it to dial without waiting for its dates. */
  isHurried?: boolean;
  /** How far the clocks that took these times may be apart. */
  clocksMs: number;
}

/** A pace that was in force from then on, calls a minute; null: as many as the carrier takes. */
export interface Pace {
  from: number;
  callsPerMinute: number | null;
}

export interface CampaignStory {
  name: string;
  /** The numbers of each record that is dialled, by its row. */
  records: ReadonlyMap<number, readonly string[]>;
  /** Each call with the row it is for. */
  calls: readonly (CallStory & { row: number; isAnswered: boolean })[];
  /** `max_answered`; null: no limit. */
  maxAnswered: number | null;
  /** Every pace there was, in order. */
  paces: readonly Pace[];
  /** Whether its hours let this record be dialled at that moment. */
  isOpen(row: number, at: number): boolean;
  /** How far the clocks that took these times may be apart. */
  clocksMs: number;
}
