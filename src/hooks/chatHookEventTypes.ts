/** What a hook tells, whichever channel it comes from. */
import type { UpstreamChatPricing, MessageReceiptStatus } from '../../machines/contracts/message.ts';
import type { UpstreamChangedTemplateField } from '../../machines/contracts/template.ts';

export type ChatHookEvent =
  | MessageReceiptEvent
  | DeliveredOrReadUpToEvent
  | IncomingMessageEvent
  | TemplateReviewEvent
  | TemplateTraitNoticeEvent
  | LineNoticeEvent
  | UnhandledHookEvent;

/** What became of one message that we sent. */
export interface MessageReceiptEvent {
  what: 'receipt';
  status: MessageReceiptStatus;
  /** The upstream's id of the message. */
  providerId: string;
  /** What we gave it to tell us again, `shard.account.machine`; empty: nothing. */
  reference: string;
  /** To whom it went. */
  contact: string;
  /** The upstream's time, epoch milliseconds; 0: it names none. */
  occurredAt: number;
  /** Why it failed. */
  code?: string;
  text?: string;
  /** What the upstream counts it as. */
  pricing?: UpstreamChatPricing;
}

/** Everything that a person was sent up to a moment was delivered, or read. */
export interface DeliveredOrReadUpToEvent {
  what: 'upTo';
  status: 'delivered' | 'read';
  contact: string;
  /** Epoch milliseconds. */
  until: number;
  occurredAt: number;
}

/** A message from a person. */
export interface IncomingMessageEvent {
  what: 'incoming';
  /** The upstream's id of it. */
  upstreamId: string;
  /** Epoch milliseconds; 0: it names none. */
  sentAt: number;
  contact: string;
  name: string;
  /** As the interface names types of content (`mtype`): text, image, video, audio, file …; else the upstream's word. */
  type: string;
  /** Text, caption, or what stands on the button. */
  text: string;
  /** Text; of a file its address, or the upstream's id of it; else JSON. */
  data: string;
  file?: { mimeType: string; name: string };
  /** Everything that came with it, when that is more than one thing. */
  attachments?: readonly { type: string; data: string }[];
  /** The message that it answers; empty: none. */
  related: string;
  /** As it came. */
  payload: object;
}

/** The upstream judged a template. */
export interface TemplateReviewEvent {
  what: 'template';
  upstreamId: string;
  status: string;
  reason: string;
  /** Epoch milliseconds; 0: it names none. */
  occurredAt: number;
}

/** The upstream changed what it takes a template for. */
export interface TemplateTraitNoticeEvent {
  what: 'templateNotice';
  upstreamId: string;
  trait: UpstreamChangedTemplateField;
  /** The upstream's word as it came. */
  word: string;
  /** Epoch milliseconds; 0: it names none. */
  occurredAt: number;
}

/** The upstream changed how it rates a number, or how much may be sent by it. */
export interface LineNoticeEvent {
  what: 'lineNotice';
  /** Whose: the digits of a number, or the id of a business account, all numbers of which are meant. */
  of: { number: string } | { business: string };
  /** FLAGGED, UNFLAGGED, UPGRADE … as it came; empty: it says nothing of the quality. */
  quality: string;
  /** TIER_1K … as it came; empty: it says nothing of the limit. */
  messagingLimit: string;
  /** Epoch milliseconds; 0: it names none. */
  occurredAt: number;
}

/** An event that is not handled. `type`: its name, for the log. */
export interface UnhandledHookEvent {
  what: 'other';
  type: string;
}

/** An event, and whose it is: the upstream's id of the number, page or account; empty: it says not. */
export interface HookEventWithLineIdentity {
  identity: string;
  event: ChatHookEvent;
}
