/**
 * The delivery contract: a transport for each purpose brings what it is given to its target
 * (`machines/contracts/delivery.ts`). `delivery/campaignResultsTransport.ts` is the first.
 */
import type { DeliveryEffects, ResultsOrCallback } from '../../../machines/contracts/delivery.ts';
import type { DiallerEffects } from '../../../machines/contracts/campaign.ts';
import { type EffectCall, type EffectPerformer, Retryable } from '../../engine/contract/performer.ts';

/** Something to be brought. */
export interface DeliveryAttemptTask {
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

export interface DeliveryTransport {
  /**
   * Settles when the thing is there, or a part of it; what is brought twice is as if brought once. Throws `Retryable`
   * (`PartiallyDelivered`) when another attempt may succeed, `Deferred` when it was not tried, `NotRetryable` when no
   * attempt would succeed.
   */
  carry(attempt: DeliveryAttemptTask): Promise<DeliveryResumePoint | void>;
}

/** There is more: go on from here. */
export interface DeliveryResumePoint {
  resume: string;
}

/** Not tried: others wait for the same target, or we cannot read what to bring. It costs no attempt. */
export class DeliveryPostponedError extends Error {
  readonly afterMs: number;
  constructor(message: string, afterMs: number) {
    super(message);
    this.name = 'DeliveryPostponedError';
    this.afterMs = afterMs;
  }
}

/** Not tried: its target failed too often, and rests. */
export class CircuitOpen extends DeliveryPostponedError {
  constructor(message: string, afterMs: number) {
    super(message, afterMs);
    this.name = 'CircuitOpen';
  }
}

/** Not now, and a part of it is there already. */
export class PartialDeliveryError extends Retryable {
  readonly resume: string;
  constructor(cause: Retryable, resume: string) {
    super(cause.message, { cause, ...(cause.afterMs !== undefined && { afterMs: cause.afterMs }) });
    this.name = 'PartialDeliveryError';
    this.resume = resume;
  }
}

export type DeliveryTransportByPurpose = { [Purpose in ResultsOrCallback]?: DeliveryTransport };

/** What the engine is handed, and a life to end: `stop` breaks off what is under way. */
export interface StoppableDeliveryPerformer {
  performers: { deliver: EffectPerformer<DeliveryEffects['deliver']> };
  stop(): void;
}

/** Answers a campaign that asks where its results go. */
export interface CampaignResultsAddressResolver {
  performers: { addressResults: EffectPerformer<DiallerEffects['addressResults']> };
}

/** A place that takes files. */
export interface FileTarget {
  /**
   * Writes a file, whole or not at all; one of the same name is replaced. Throws `Retryable` and `NotRetryable`.
   * Answers what an operator should know of the place.
   */
  put(file: FileToDeliver): Promise<FileServerFingerprints>;
}

/** What a server showed of itself, which a profile may name from then on. */
export interface FileServerFingerprints {
  /** Of an SFTP server: `SHA256:…`. */
  hostKey?: string;
  /** Of an FTPS server: the SHA-256 fingerprint of its certificate. */
  certificate?: string;
}

export interface FileToDeliver {
  name: string;
  content: AsyncIterable<string>;
  /** Tells drafts of this file apart from what others write; safe in a file name. */
  draft: string;
  signal: AbortSignal;
}
