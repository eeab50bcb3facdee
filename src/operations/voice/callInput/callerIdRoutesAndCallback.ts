/** Wishes that are not granted without stopping the call: it goes on, and `return.warning` says so. */
import type { CallInput } from '../../../../machines/call/input.ts';
import { readPhoneNumber } from '../../../rules/voice/parsePhoneNumber.ts';
import { readRequestedCallbackTarget } from '../../deliveries/callbackRequest.ts';
import type { CallRequestContext } from './params.ts';

/** A leg of the request: who is called, by which trunks it is forced to go, and when. */
interface Leg {
  number: string;
  fixedRoutes: readonly string[];
  at: number;
}

/** spec 4.2 `callerid`: the one asked for when the account and a trunk that carries the call may show it, else the account's own. */
export const resolveRequestedCallerId = (
  ctx: CallRequestContext,
  { number, fixedRoutes: forced, at }: Leg,
): string => {
  const { account, services, params, warn } = ctx;
  const wish = requestedCallerId(ctx);
  const isOwn = wish === account.caller_id;
  if (isOwn || !services.isShownNowhere({ number, account: account.id, callerId: wish, forced, at }))
    return wish;
  warn(
    `callerid ${params.callerId} may be shown by no trunk that carries this call; the account's default is used`,
  );
  return account.caller_id;
};

const requestedCallerId = ({ account, params, warn }: CallRequestContext): string => {
  const requested = params.callerId;
  if (requested === undefined) return account.caller_id;
  const allowed = [account.caller_id, ...(account.caller_ids as string[])].filter((number) => number !== '');
  const wish = sameForm(requested, params.brazil);
  const found = allowed.find((number) => sameForm(number, params.brazil) === wish);
  if (found === undefined) warn(`callerid ${requested} is not allowed; the account's default is used`);
  return found ?? account.caller_id;
};

/** Numbers are compared as they would be dialled; what is no number, letter by letter. */
const sameForm = (written: string, brazil: boolean): string => {
  const read = readPhoneNumber(written, { brazil });
  return read.kind === 'refused' ? written.trim() : read.number;
};

/** A request that may name trunks. */
type MayForce = Pick<CallRequestContext, 'account' | 'services' | 'warn'> & {
  params: { fixedRoutes: string | undefined };
};

/** spec 4.2 `tfix`: the trunks that the call is forced to, for accounts that may force them; unknown ones are left out. */
export const readForcedTrunksParam = ({
  account,
  services,
  warn,
  params: { fixedRoutes = '' },
}: MayForce): string[] => {
  const named = fixedRoutes.split('|').map((name) => name.trim());
  const wanted = [...new Set(named)].filter((name) => name !== '');
  if (wanted.length === 0) return [];
  if (!account.fixed_routes) {
    warn('tfix does nothing: this account may not force routes');
    return [];
  }
  const known = wanted.filter((name) => services.isTrunk(name));
  const unknown = wanted.filter((name) => !known.includes(name));
  const rest = known.length > 0 ? 'the others are used' : 'the call goes by the usual routes';
  if (unknown.length > 0) warn(`tfix names no trunk that is here: ${unknown.join(', ')}; ${rest}`);
  return known;
};

/** Who hears of the call's events; a call whose callback address may not be called goes on without. */
export const readCallCallback = (ctx: CallRequestContext): Pick<CallInput, 'callback'> => {
  const { account, services, warn } = ctx;
  const wish = readRequestedCallbackTarget(ctx);
  if (wish === undefined) return {};
  if ('url' in wish) return { callback: { ...wish, delivery: services.engine.mintId(account.shard) } };
  warn(`rurl ${wish.refused}; the call goes on without status callbacks`);
  return {};
};
