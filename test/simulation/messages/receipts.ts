/** What a carrier tells of a message that it took, and when. */
import type { MessageReceiptStatus } from '../../../machines/contracts/message.ts';
import type { Dice } from '../dice.ts';

export type Failure = 'failed' | 'undelivered';

export interface ToldReceipt {
  status: MessageReceiptStatus;
  code?: string;
  text?: string;
  /** After it was taken; before the answer, now and then. */
  afterMs: number;
}

const TWICE = 0.15;
const LATE = 0.1;
const LATE_MS = [60_000, 240_000] as const;

const SMS = { delivered: 72, undelivered: 9, failed: 7, nothing: 12 };
const CHAT = { read: 45, delivered: 30, failed: 13, nothing: 12 };

/** The receipts of a message, in any order, some twice, some never. */
export const receiptsOf = (
  dice: Dice,
  by: 'sms' | 'chat',
): { receipts: ToldReceipt[]; failure: Failure | undefined } => {
  const end = by === 'sms' ? dice.weighed(SMS) : dice.weighed(CHAT);
  const receipts = [...(dice.chance(0.4) ? ['sent' as const] : []), ...statusesOf(dice, end)]
    .flatMap((status) => (dice.chance(TWICE) ? [status, status] : [status]))
    .map((status) => ({ status, ...reasonOf(status), afterMs: Math.round(delayOf(dice)) }));
  return { receipts, failure: isFailure(end) ? end : undefined };
};

/** What is read was delivered, though nobody may say so. */
const statusesOf = (dice: Dice, end: keyof typeof SMS | keyof typeof CHAT): MessageReceiptStatus[] => {
  if (end === 'nothing') return [];
  return end === 'read' && dice.chance(0.8) ? ['delivered', 'read'] : [end];
};

const isFailure = (end: string): end is Failure => end === 'failed' || end === 'undelivered';

const reasonOf = (status: MessageReceiptStatus): { code?: string; text?: string } =>
  isFailure(status) ? { code: '131026', text: 'cannot be delivered' } : {};

const delayOf = (dice: Dice): number =>
  dice.chance(LATE) ? dice.between(...LATE_MS) : dice.between(0, 20_000);
