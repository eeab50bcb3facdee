/** Status callbacks: which events there are, and what a machine is told of where they go. */

/** Events of a call (decisions/0003 and its successors), in the order in which they may come. */
export const callCallbackEvents = [
  'queued',
  'blocked',
  'dialing',
  'ringing',
  'answered',
  'amd',
  'dtmf',
  'transfer',
  'recording',
  'sms',
  'retry',
  'completed',
  'failed',
] as const;
export type CallCallbackEvent = (typeof callCallbackEvents)[number];

/** Events of a message. The first of delivered, failed and undelivered is final; `read` may follow it. */
export const messageCallbackEvents = ['sent', 'delivered', 'read', 'failed', 'undelivered'] as const;
export type MessageCallbackEvent = (typeof messageCallbackEvents)[number];

/** Where the events of a call or a message are posted, and which of them. */
export interface CallbackWish {
  /** http or https, without credentials; empty: the account's callback address. */
  url: string;
  /** Events beside the final one; `all` stands for each. */
  events: readonly string[];
  /** Id of the delivery that brings them, minted with the machine's own. */
  delivery: number;
}

/** Whether an event that is not final is asked for. */
export const wants = ({ events }: CallbackWish, event: string): boolean =>
  events.includes(event) || events.includes('all');

/** Where events go, for people: up to the host, for receivers take their keys in path and query. */
export const redactCallbackUrl = (url: string): string => {
  if (url === '') return 'the callback address of the account';
  const [, host = '', path = ''] = /^([a-z]+:\/\/[^/?#]*)\/?([^?#]*)/i.exec(url) ?? [];
  return `${host}/${path === '' ? '' : '…'}`;
};
