/**
 * The delivery contract: a transport for each purpose brings what it is given to its target
 * (`machines/contracts/delivery.ts`). `delivery/results.ts` is the first.
 */
import type { DeliveryEffects, DeliveryPurpose } from '../../machines/contracts/delivery.ts';
import type { DiallerEffects } from '../../machines/contracts/campaign.ts';
import { type EffectCall, type Performer, Retryable } from '../engine/contract/performer.ts';

/** Something to be brought. */
export interface DeliveryAttempt {
  /** The delivery; its id is the same for every attempt. */
  machine: EffectCall['machine'];
  /** As the delivery was born with it. */
  subject: object;
  /** Performances of this attempt; above 1 an earlier one may have left something half done. */
  attempt: number;
  /** What an earlier attempt said of how far it got; absent: from the beginning. */
  resume?: string | undefined;
  /** Try it also at a target that is left alone. Default no. */
  insists?: boolean | undefined;
  signal: AbortSignal;
}

export interface Transport {
  /**
   * Settles when the thing is there, or a part of it; what is brought twice is as if brought once. Throws `Retryable`
   * (`PartiallyDelivered`) when another attempt may succeed, `Deferred` when it was not tried, `Terminal` when no
   * attempt would succeed.
   */
  carry(attempt: DeliveryAttempt): Promise<Continuation | void>;
}

/** There is more: go on from here. */
export interface Continuation {
  resume: string;
}

/** Not tried: others wait for the same target, or we cannot read what to bring. It costs no attempt. */
export class Deferred extends Error {
  readonly afterMs: number;
  constructor(message: string, afterMs: number) {
    super(message);
    this.name = 'Deferred';
    this.afterMs = afterMs;
  }
}

/** Not tried: its target failed too often, and rests. */
export class CircuitOpen extends Deferred {
  constructor(message: string, afterMs: number) {
    super(message, afterMs);
    this.name = 'CircuitOpen';
  }
}

/** Not now, and a part of it is there already. */
export class PartiallyDelivered extends Retryable {
  readonly resume: string;
  constructor(cause: Retryable, resume: string) {
    super(cause.message, { cause, ...(cause.afterMs !== undefined && { afterMs: cause.afterMs }) });
    this.name = 'PartiallyDelivered';
    this.resume = resume;
  }
}

export type Transports = { [Purpose in DeliveryPurpose]?: Transport };

/** What the engine is handed, and a life to end: `stop` breaks off what is under way. */
export interface Deliveries {
  performers: { deliver: Performer<DeliveryEffects['deliver']> };
  stop(): void;
}

/** Answers a campaign that asks where its results go. */
export interface ResultsAddresses {
  performers: { addressResults: Performer<DiallerEffects['addressResults']> };
}

/** A place that takes files. */
export interface FileTarget {
  /**
   * Writes a file, whole or not at all; one of the same name is replaced. Throws `Retryable` and `Terminal`.
   * Answers what an operator should know of the place.
   */
  put(file: TargetFile): Promise<Identity>;
}

/** What a server showed of itself, which a profile may name from then on. */
export interface Identity {
  /** Of an SFTP server: `SHA256:…`. */
  hostKey?: string;
  /** Of an FTPS server: the SHA-256 fingerprint of its certificate. */
  certificate?: string;
}

export interface TargetFile {
  name: string;
  content: AsyncIterable<string>;
  /** Tells drafts of this file apart from what others write; safe in a file name. */
  draft: string;
  signal: AbortSignal;
}
