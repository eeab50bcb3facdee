/** What a message is born with. Plain JSON; credentials are looked up when it is sent, and never stand here. */
import type { BalanceBooking } from '../../src/engine/contract/effect.ts';
import type { CallbackWish } from '../contracts/callback.ts';
import type { ChatSubmission, MessageChannel, SmsSubmission } from '../contracts/message.ts';

export interface MessageInput {
  channel: MessageChannel;
  /** What is submitted. For SMS the routes to try, in order; for chat exactly one. */
  routes: readonly MessageRoute[];
  /** Digits, or the upstream's id of a person. */
  destination: string;
  sender: string;
  contentType: string;
  /** The text, or what stands for it in the log. */
  body: string;
  correlation: string;
  /** `msg_id`: the caller's own reference. */
  related: string;
  campaignId: string;
  callId: string;
  segments: number;
  /** What one account pays, ten-thousandths; 0: nothing. */
  price: number;
  /** What is refunded when it is refused or fails: the charges of the start, with their signs turned. */
  refund: readonly BalanceBooking[];
  /** Claims that are given back when it is refused or fails: it is no duplicate then. */
  freedWhenRefused?: readonly string[];
  /** Where its events are posted; absent: nowhere. */
  callback?: CallbackWish;
}

export type MessageRoute = {
  /** It leads to a sandbox: what goes by it reaches no real recipient. */ sandbox?: boolean;
} & ({ by: 'sms'; submission: SmsSubmission } | { by: 'chat'; submission: ChatSubmission });
