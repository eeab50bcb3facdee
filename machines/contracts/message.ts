/** Events and effects between a message and the providers that carry it (spec 4.12, 4.14, 4.20, 4.21). */

export type MessageChannel = 'sms' | 'msgapp' | 'pagechat' | 'photodm';

export interface MessageEffects {
  /**
   * Submit one SMS by a route of the account. `atMostOnce`. Answered with the acceptance by `acknowledged`, `refused`
   * or `unavailable`; `slow` may be reported before. A long text is split by the carrier.
   */
  submitSms: SmsSubmission;
  /**
   * Post one message to the line's upstream. `atMostOnce`. Answered as `submitSms`.
   * `body`: the upstream's own message, recipient and all; the provider adds only where it goes and the token.
   */
  submitChat: ChatSubmission;
}

export interface SmsSubmission {
  /** Whose route it is; a reseller's carries its accounts' messages. */
  owner: number;
  route: number;
  /** Digits in international format. */
  to: string;
  /** Sender id; empty: the route's own. */
  from: string;
  text: string;
  /** No other way is left: one that is closed for the moment is tried again. */
  last?: boolean;
}

export interface ChatSubmission {
  channel: Exclude<MessageChannel, 'sms'>;
  line: number;
  body: Record<string, unknown>;
}

/** How far it has come, from what the provider tells later. Never taken backwards. */
export type MessageReceiptStatus = 'sent' | 'delivered' | 'read' | 'failed' | 'undelivered';

/** What the upstream counts a chat message as, in its own words; empty: it does not say. */
export interface UpstreamChatPricing {
  /** Whether it is charged for upstream; null: it does not say. */
  billable: boolean | null;
  /** CBP, PMP … */
  model: string;
  /** marketing, utility, service, authentication … */
  category: string;
  /** regular, free_customer_service, free_entry_point … */
  type: string;
}

export type MessageEvent =
  /** It is on the wire, and the provider has not acknowledged it in time (spec 3.2 `WR`); it goes on. */
  | { type: 'slow' }
  /** The provider took it. `answer`: what it said, without secrets. */
  | { type: 'acknowledged'; providerId: string; answer: string }
  /** The provider said no, for good. `code`: its own, or the HTTP status as text when it named none. */
  | { type: 'refused'; code: string; text: string; answer: string; http?: number }
  /** It surely did not reach the provider: another way may be tried. */
  | { type: 'unavailable'; text: string; answer: string; http?: number }
  /**
   * A receipt. `code` and `text` say why it failed; `occurredAt`: the provider's own time, epoch milliseconds.
   * `providerId`: for one whose acknowledgement was lost.
   */
  | {
      type: 'receipt';
      status: MessageReceiptStatus;
      occurredAt: number;
      providerId?: string;
      code?: string;
      text?: string;
      /** Absent: it says nothing of that. */
      pricing?: UpstreamChatPricing;
    };
