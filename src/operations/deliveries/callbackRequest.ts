/**
 * Where the events of a call or a message are posted: to the address of the request (`rurl`), else the account's own.
 */
import type { CallbackWish } from '../../../machines/contracts/callback.ts';
import { readEventList } from '../../rules/deliveries/callbackEvents.ts';
import { type UrlCheckResult, addUrlAllowingSettingHint } from '../../rules/deliveries/checkOutboundUrl.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';

/** A wish without the delivery that serves it: each call has one of its own. */
export type CallbackTarget = Omit<CallbackWish, 'delivery'>;

interface CallbackRequestContext {
  account: AccountRow;
  params: { callbackUrl: string | undefined; callbackEvents: string | undefined };
  services: { readTarget(written: string): UrlCheckResult };
}

/** The wish of a request; undefined: there is no address. `refused` completes "rurl …". */
export const readRequestedCallbackTarget = (
  ctx: CallbackRequestContext,
): CallbackTarget | { refused: string } | undefined => {
  const { account, params, services } = ctx;
  const events = readEventList(params.callbackEvents ?? account.callback_events);
  if (params.callbackUrl !== undefined) {
    const read = services.readTarget(params.callbackUrl);
    return 'href' in read
      ? { url: read.href, events }
      : { refused: addUrlAllowingSettingHint(read.refused, params.callbackUrl) };
  }
  return account.callback_url === '' ? undefined : { url: '', events };
};

/** The account's own wish, for what no request names an address: messages. Undefined: it has none. */
export const callbackOfAccount = (account: AccountRow): CallbackTarget | undefined =>
  account.callback_url === '' ? undefined : { url: '', events: readEventList(account.callback_events) };
