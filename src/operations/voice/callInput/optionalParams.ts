/** Wishes that are not granted without stopping the call: it goes on, and `return.warning` says so. */
import type { CallInput } from '../../../../machines/call/input.ts';
import { readNumber } from '../../../rules/voice/numbering.ts';
import { readCallback } from '../../deliveries/callbackWish.ts';
import type { CallAsked } from './params.ts';

/** The caller id asked for when the account may show it, else the account's own. */
export const callerIdOf = ({ account, params: given, warn }: CallAsked): string => {
  const asked = given.callerId;
  if (asked === undefined) return account.caller_id;
  const allowed = [account.caller_id, ...(account.caller_ids as string[])].filter((number) => number !== '');
  const wish = sameForm(asked, given.brazil);
  const found = allowed.find((number) => sameForm(number, given.brazil) === wish);
  if (found === undefined) warn(`callerid ${asked} is not allowed; the account's default is used`);
  return found ?? account.caller_id;
};

/** Numbers are compared as they would be dialled; what is no number, letter by letter. */
const sameForm = (written: string, brazil: boolean): string => {
  const read = readNumber(written, { brazil });
  return read.kind === 'refused' ? written.trim() : read.number;
};

/** The forced routes, for accounts that may force them. */
export const fixedRoutesOf = ({
  account,
  params: given,
}: Pick<CallAsked, 'account'> & { params: { fixedRoutes: string | undefined } }): string[] => {
  if (given.fixedRoutes === undefined || !account.fixed_routes) return [];
  return given.fixedRoutes
    .split('|')
    .map((route) => route.trim())
    .filter((route) => route !== '');
};

/** Who hears of the call's events; a call whose callback address may not be called goes on without. */
export const callbackOf = (asked: CallAsked): Pick<CallInput, 'callback'> => {
  const { account, services, warn } = asked;
  const wish = readCallback(asked);
  if (wish === undefined) return {};
  if ('url' in wish) return { callback: { ...wish, delivery: services.engine.mintId(account.shard) } };
  warn(`rurl ${wish.refused}; the call goes on without status callbacks`);
  return {};
};
