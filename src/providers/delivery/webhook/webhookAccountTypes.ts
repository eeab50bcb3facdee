/** Whom callbacks go to: an account, with its settings as they are now. */
import type {
  CallCallback,
  MessageCallback,
  CallRecordsPushCallback,
} from '../../../../machines/delivery/input.ts';
import type { EffectCall } from '../../../engine/contract/performer.ts';

export type ShardAndAccount = Pick<EffectCall['machine'], 'shard' | 'account'>;

/** One flat object; in a form and in a query each value is its text. */
export type WebhookBodyFields = Readonly<Record<string, string | number | boolean>>;

/** How a body is sent: in JSON or as a form; with GET its fields stand in the query. */
export interface Way {
  method: 'POST' | 'GET';
  type: 'json' | 'form';
}

export interface WebhookAccount extends Way {
  /** The account's callback address; empty: none. */
  url: string;
  /** Extra headers and Basic credentials. Throws `Retryable` when they cannot be opened. */
  openLogin(): Record<string, string>;
  /** Secrets (`whsec_…`) that sign now. Throws `Retryable` when they cannot be opened. */
  openSecrets(): string[];
  /**
   * What an event says, and its `event_id`. Throws `NotRetryable` when the record that it tells of is gone, and `DeliveryPostponedError`
   * when the database is away.
   */
  eventOf(event: CallCallback | MessageCallback): Promise<{ id: string; fields: WebhookBodyFields }>;
  /** A push in its own way. `delivery`: the machine that brings it. */
  pushOf(push: CallRecordsPushCallback, delivery: number): Push;
}

/** Records of calls, read while they are taken. Both throw `DeliveryPostponedError` when the database is away. */
export interface Push extends Way {
  /** The inline answer as JSON text. */
  answer(): AsyncIterable<string>;
  /** The calls of it, one by one; `resume`: those after this one. */
  calls(resume?: CallRecordPushPosition): AsyncIterable<{ id: number; fields: WebhookBodyFields }>;
  /** Throws `Retryable` when it cannot be opened. */
  openLogin(): Record<string, string>;
}

export interface CallRecordPushPosition {
  /** The last call that was brought, and how many were. */
  id: number;
  count: number;
}

/** Undefined: there is no such account. */
export type FindCallbackAccount = (tenant: ShardAndAccount) => Promise<WebhookAccount | undefined>;
