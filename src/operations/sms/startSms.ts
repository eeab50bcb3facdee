/** An SMS under the rules of its account (spec 4.12): each may refuse it, and nothing is kept of one that was refused. */
import type { BalanceBooking } from '../../engine/contract/effect.ts';
import { looksLikeABank, matchesApprovedText } from '../../rules/sms/bankImpersonationFilter.ts';
import { smsNightWindowAt } from '../../rules/sms/quietHours.ts';
import { amountToTenThousandths } from '../../rules/accounts/pricing.ts';
import { segmentSms } from '../../rules/sms/smsEncoding.ts';
import { openNightlyMessageAllowance } from '../../store/nightMessageAllowance.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { MONEY_BALANCE_NAME } from '../../store/balances.ts';
import {
  readApprovedSmsTexts,
  type SmsPriceAndRoutes,
  findSmsPriceAndRoutes,
  type SmsRouteRow,
} from '../../store/reads/sms/smsPriceAndRoutes.ts';
import type { Services } from '../services.ts';
import {
  beginMessage,
  type BeginMessageResult,
  type ServicesToStartMessage,
  type MessageToStart,
} from '../chargeAndStartMessage.ts';

export type SmsOperationServices = ServicesToStartMessage & Pick<Services, 'isBlockedForAll' | 'firstIdAt'>;

export interface SmsToStart {
  account: AccountRow;
  services: SmsOperationServices;
  id: number;
  /** E.164 without `+`. */
  number: string;
  text: string;
  /** Empty: the route's own. */
  sender: string;
  correlation: string;
  campaignId: string;
  callId: string;
  /** Only routes of this name. */
  provider?: string | undefined;
  claims: MessageToStart['claims'];
}

/** Why the account's rules do not let it go. */
export type SmsRuleRefusalReason =
  | 'blocked'
  | 'impersonation'
  | 'noTariff'
  | 'nightCap'
  | 'noRoute'
  | 'noBalance';

export type BeginSmsResult =
  | Exclude<BeginMessageResult, { outcome: 'insufficientBalance' }>
  | { outcome: 'refused'; word: SmsRuleRefusalReason };

/** Asks the rules, the first that refuses is told, then pays for the message and starts it. */
export const beginSms = async (sms: SmsToStart): Promise<BeginSmsResult> => {
  const [isBlockedForAll, { blocked, price: ofSegment, routes }] = await Promise.all([
    sms.services.isBlockedForAll(sms.number),
    rulesOf(sms),
  ]);
  if (blocked || isBlockedForAll) return refused('blocked');
  if (await isImpersonation(sms)) return refused('impersonation');
  if (ofSegment === undefined) return refused('noTariff');
  const { parts } = segmentSms(sms.text);
  const price = Number(amountToTenThousandths(ofSegment) * BigInt(parts.length));
  const takes = await nightTakes(sms);
  if (!takes) return refused('nightCap');
  if (routes.length === 0) return refused('noRoute');
  const begun = await beginMessage({ ...sms, input: inputOf(sms, routes, parts.length), price, takes });
  if (begun.outcome !== 'insufficientBalance') return begun;
  return refused(begun.balance === MONEY_BALANCE_NAME ? 'noBalance' : 'nightCap');
};

const refused = (word: SmsRuleRefusalReason): BeginSmsResult => ({ outcome: 'refused', word });

const poolOf = ({ account, services }: SmsToStart) => services.database(account.shard);

const isImpersonation = async (sms: SmsToStart): Promise<boolean> => {
  if (!looksLikeABank(sms.text)) return false;
  const models = await readApprovedSmsTexts(poolOf(sms), sms.account.id);
  return !models.some((model) => matchesApprovedText(sms.text, model));
};

const day = 86_400_000;

/** What the night takes from its balance, if it is night; undefined when nothing is left in it. */
const nightTakes = async (sms: SmsToStart): Promise<BalanceBooking[] | undefined> => {
  const { account, services } = sms;
  const night = smsNightWindowAt(services.engine.now(account.shard), account.time_zone);
  if (!night) return [];
  const { balance, left } = await openNightlyMessageAllowance(poolOf(sms), {
    ...{ account: account.id, date: night.date, cap: account.sms_night_cap },
    firstId: services.firstIdAt(night.startsAt),
    until: night.endsAt + day,
  });
  return left > 0 ? [{ account: account.id, balance, amount: -1 }] : undefined;
};

/** Accounts that have no routes of their own send by those of their reseller. */
const rulesOf = async (sms: SmsToStart): Promise<SmsPriceAndRoutes> => {
  const { account, number, provider: name, services } = sms;
  const accounts = (await services.payersOf(account)).map(({ id }) => id);
  return findSmsPriceAndRoutes(poolOf(sms), { accounts, number, name });
};

const inputOf = (
  { number: to, sender: from, text, correlation, campaignId, callId }: SmsToStart,
  routes: readonly SmsRouteRow[],
  segments: number,
): MessageToStart['input'] => ({
  channel: 'sms',
  routes: routes.map(({ sandbox, ...route }, nth) => ({
    by: 'sms',
    submission: { ...route, to, from, text, ...(nth === routes.length - 1 && { last: true }) },
    ...(sandbox && { sandbox }),
  })),
  destination: to,
  sender: from,
  contentType: 'text',
  body: text,
  ...{ correlation, related: '', campaignId, callId, segments },
});
