/** Who sends messages in a run, what they cost and what they are. */
import type { BalanceBooking } from '../../../src/engine/contract/effect.ts';
import type { MessageInput, MessageRoute } from '../../../machines/message/input.ts';
import { wishOf } from '../callbacks/wishes.ts';
import type { Dice } from '../dice.ts';

/** Resellers by account: what one sends is paid by all above it as well. */
const RESELLERS: Readonly<Record<number, number>> = { 32: 31, 33: 32, 34: 32, 35: 31 };
const SENDERS: readonly number[] = [32, 33, 34, 35];
export const PAYERS: readonly number[] = [31, 32, 33, 34, 35];

export const BALANCE = 'balance';
/** A balance that counts what is allowed, and of which no ledger hears; this account has one. */
export const ALLOWANCE = 'night';
export const ALLOWED = 33;

/** Price of an SMS segment, and of a chat message; ten-thousandths. */
const SEGMENT = 800;
const CHAT = 350;

/** The account and everyone above it. */
const payersOf = (account: number): number[] => {
  const above = RESELLERS[account];
  return above === undefined ? [account] : [account, ...payersOf(above)];
};

export interface SimulatedMessage {
  account: number;
  input: MessageInput;
  bookings: readonly BalanceBooking[];
}

/** A message of any channel, paid for up the chain as an operation would have it. */
export const messageOf = (dice: Dice, name: string): SimulatedMessage => {
  const account = dice.pick(SENDERS);
  const isSms = dice.chance(0.6);
  const segments = isSms ? dice.pick([1, 1, 1, 2, 3]) : 1;
  const price = isSms ? SEGMENT * segments : CHAT;
  const charges = payersOf(account).map((payer) => ({
    ...{ account: payer, balance: BALANCE, amount: -price, entry: 'charge' },
  }));
  const takes = account === ALLOWED ? [{ account, balance: ALLOWANCE, amount: -1 }] : [];
  return {
    account,
    bookings: [...charges, ...takes],
    input: {
      ...(isSms ? sms(dice, account) : chat(dice)),
      destination: '5511987650000',
      sender: '',
      body: name,
      correlation: name,
      related: '',
      campaignId: '',
      callId: '',
      segments,
      price,
      ...wishOf(dice),
      refund: charges.map(({ amount, ...charge }) => ({ ...charge, amount: -amount, entry: 'refund' })),
    },
  };
};

type Carried = Pick<MessageInput, 'channel' | 'contentType' | 'routes'>;

const sms = (dice: Dice, owner: number): Carried => {
  const routes = Array.from({ length: dice.pick([1, 1, 2, 3]) }, (_, index) => index + 1);
  const to = { owner, to: '5511987650000', from: '', text: 'hello' };
  return {
    channel: 'sms',
    contentType: 'text',
    routes: routes.map((route): MessageRoute => ({ by: 'sms', submission: { ...to, route } })),
  };
};

const chat = (dice: Dice): Carried => {
  const channel = dice.pick(['msgapp', 'pagechat', 'photodm'] as const);
  const body = { to: '5511987650000', type: 'text', text: { body: 'hello' } };
  return { channel, contentType: 'text', routes: [{ by: 'chat', submission: { channel, line: 1, body } }] };
};
