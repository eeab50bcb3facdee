/**
 * The SMS contract: a carrier takes short messages, one at a time, and tells later what became of them
 * (`machines/contracts/message.ts`). There is a carrier for each kind of route: `sms/sandbox`, `sms/smpp`, `sms/http`.
 * `sms/smsRouter.ts` chooses it by the route and performs the effect `submitSms`.
 */
import type {
  MessageEffects,
  MessageEvent,
  MessageReceiptStatus,
} from '../../../machines/contracts/message.ts';
import type { EffectPerformer } from '../../engine/contract/performer.ts';

/** A route of an account, as its row says; `open` gives its credentials. */
export interface SmsRoute {
  shard: string;
  account: number;
  id: number;
  kind: string;
  /** Changes whenever the row does: what was opened for an older one is closed. */
  version: string;
  settings: unknown;
  /** JSON of what is secret; empty: none. Throws `NotRetryable` when it cannot be opened. */
  openSecret(): string;
}

export interface SmsToSubmit {
  /** The effect's id: the idempotency key. */
  id: string;
  machine: { shard: string; account: number; id: number };
  to: string;
  /** Empty: the route's own. */
  from: string;
  text: string;
}

/** `acknowledged`, `refused` and `unavailable` are known outcomes; a thrown error means that the outcome is unknown. */
export type SmsSubmitAnswer = Extract<MessageEvent, { type: 'acknowledged' | 'refused' | 'unavailable' }> & {
  /** Of `unavailable`: nothing was sent because there was no connection, which there may be later. */
  passing?: boolean;
};

/** What a carrier is used by, for one route. */
export interface SmsCarrier {
  /**
   * Settles when the carrier has answered. Calls `slow` when that takes longer than a caller should wait. Throws
   * `Retryable` when the carrier said that it took nothing now (throttled), anything else for an unknown outcome.
   */
  submit(message: SmsToSubmit, slow: () => void): Promise<SmsSubmitAnswer>;
  /** Whether it could take one now; absent: it holds no link of its own. */
  health?(): { ok: boolean; detail: string };
  /** Finishes what is in flight, then closes. */
  stop(): Promise<void>;
}

/** A receipt as a carrier gives it. */
export interface SmsReceipt {
  providerId: string;
  status: MessageReceiptStatus;
  /** The carrier's own time, epoch milliseconds. */
  occurredAt: number;
  code: string;
  text: string;
  /** The machine, where the carrier knows it. */
  machine?: { shard: string; account: number; id: number };
  /** What it brought back of the submission: finds one whose acknowledgement was lost. */
  submission?: { to: string; reference: number };
}

/**
 * Takes receipts to their messages. Settles when it is durable: `heard`, or `gone` when the message has ended or is none
 * of ours. `later`: its acknowledgement may still be on its way, so the carrier should bring it again. Throws when the
 * database is away.
 */
export type HandleSmsReceipt = (
  route: Pick<SmsRoute, 'shard' | 'account' | 'id'>,
  receipt: SmsReceipt,
) => Promise<'heard' | 'gone' | 'later'>;

/** What the engine is handed, and a life to manage. */
export interface Sms {
  performers: { submitSms: EffectPerformer<MessageEffects['submitSms']> };
  /** Connects the routes that bring receipts by themselves. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Opens the carrier of a route. Throws when its settings or its secret are broken: nothing was sent then. */
export type OpenSmsCarrier = (route: SmsRoute, take: HandleSmsReceipt) => SmsCarrier;
