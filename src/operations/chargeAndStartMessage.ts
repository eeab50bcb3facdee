/** Places a message of any channel: paid for and started in one commit, then its provider's first word is awaited. */
import type { BalanceBooking } from '../engine/contract/effect.ts';
import type { MessageInput } from '../../machines/message/input.ts';
import type { ExclusiveKeyClaimRequest } from '../engine/contract/api.ts';
import type { AccountRow } from '../store/controlDatabase.ts';
import { withSortedKeys } from '../lib/sortedKeys.ts';
import { MONEY_BALANCE_NAME } from '../store/balances.ts';
import {
  type MessageSubmissionOutcome,
  loadMessageOutcome,
} from '../store/reads/sms/submissionOutcomeAndFollowedCall.ts';
import { callbackOfAccount } from './deliveries/callbackRequest.ts';
import { digest } from './idempotency.ts';
import type { Services } from './services.ts';

/** What placing needs. */
export type ServicesToStartMessage = Pick<Services, 'engine' | 'database' | 'payersOf'>;

export interface MessageToStart {
  account: AccountRow;
  services: ServicesToStartMessage;
  /** Minted by the engine beforehand: the answer of an Idempotency-Key names it. */
  id: number;
  input: Omit<MessageInput, 'price' | 'refund' | 'freedWhenRefused' | 'callback'>;
  /** What the account and everyone above it pays, ten-thousandths. */
  price: number;
  /** What else is used up, e.g. the night's messages; never given back. */
  takes?: readonly BalanceBooking[];
  claims: ExclusiveKeyClaimRequest[];
}

export type BeginMessageResult =
  | { outcome: 'begun' }
  /** Another request holds this key. */
  | { outcome: 'claimed'; key: string; owner: string }
  /** This balance of this account holds too little. */
  | { outcome: 'insufficientBalance'; account: number; balance: string };

export type StartMessageResult =
  | { outcome: 'placed'; heard: MessageSubmissionOutcome }
  | Exclude<BeginMessageResult, { outcome: 'begun' }>;

/** How long a caller waits for the provider; what is slower is answered `WR`, and goes on. */
const patienceMs = 8_000;

/** The claim of a duplicate window, whatever the order of keys; one that is refused gives it back. */
export const duplicateMessageClaimKey = (operation: string, content: object): string =>
  `${duplicates}${operation}:${digest(withSortedKeys(content) as object)}`;

const duplicates = 'duplicate:';

/** Pays for a message, starts it, and waits for what its provider says. */
export const startMessageAndAwaitProvider = async (message: MessageToStart): Promise<StartMessageResult> => {
  const begun = await beginMessage(message);
  return begun.outcome === 'begun'
    ? { outcome: 'placed', heard: await waitForProviderResponse(message) }
    : begun;
};

/** Pays for a message and starts it. */
export const beginMessage = async (message: MessageToStart): Promise<BeginMessageResult> => {
  const { account, services, id, claims, takes = [], price } = message;
  const charges = price === 0 ? [] : await chargesOf(message);
  const refund = charges.map(({ amount, ...charge }) => ({ ...charge, amount: -amount, entry: 'refund' }));
  const freedWhenRefused = claims.map(({ key }) => key).filter((key) => key.startsWith(duplicates));
  const started = await services.engine.start({
    ...{ kind: 'message', shard: account.shard, account: account.id, id, claims },
    input: {
      ...message.input,
      price,
      refund,
      freedWhenRefused,
      ...callbackOf(message),
    } satisfies MessageInput,
    bookings: [...charges, ...takes],
  });
  if (started.outcome === 'claimed') return { outcome: 'claimed', key: started.key, owner: started.owner };
  return started.outcome === 'insufficientBalance' ? started : { outcome: 'begun' };
};

/** The account's own callback address hears of it, when there is one. */
const callbackOf = ({ account, services }: MessageToStart): Pick<MessageInput, 'callback'> => {
  const wish = callbackOfAccount(account);
  return wish ? { callback: { ...wish, delivery: services.engine.mintId(account.shard) } } : {};
};

/** What was heard of a message by now, or within a caller's patience. */
export const waitForProviderResponse = async ({
  account,
  services,
  id,
}: Pick<MessageToStart, 'account' | 'services' | 'id'>): Promise<MessageSubmissionOutcome> => {
  const ref = { shard: account.shard, account: account.id, id };
  await services.engine.waitFor(ref, 'answered', patienceMs);
  const heard = await loadMessageOutcome(services.database(account.shard), { account: account.id, id });
  if (!heard || heard.code === '')
    return { state: 'submitted', code: '1', text: 'WR', providerId: '', sandbox: heard?.sandbox ?? false };
  return heard;
};

/** The account pays, its reseller pays, and so on up: all of them, or none. */
const chargesOf = async ({ account, services, price }: MessageToStart): Promise<BalanceBooking[]> => {
  const payers = await services.payersOf(account);
  return payers.map(({ id }) => ({
    account: id,
    balance: MONEY_BALANCE_NAME,
    amount: -price,
    entry: 'charge',
  }));
};
