/**
 * Who comes in at a door, and how often (decisions "authentication codes", "rate limits"): an address that failed too
 * often is kept out, then the token is asked for, then the token's allowance.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'koa';
import type { Caller } from '../operations/declare.ts';
import type { Allowance, Limits } from '../providers/limits.ts';
import type { Rate } from '../rules/tokenBucket.ts';
import type { Control } from '../store/control.ts';
import {
  type AccessRefusal,
  accessErrors,
  authenticate,
  type Credentials,
  type Entry,
  shownToken,
  showsToken,
} from './authenticate.ts';
import { noteOwner } from './answerRoom.ts';
import { clientAddress } from './clientAddress.ts';
import { noteVisit } from './visit.ts';

export interface AdmissionNeeds {
  control: Control;
  limits: Limits;
  trustedProxies: readonly string[];
  /** Epoch milliseconds. */
  now(): number;
}

export type Admit = (given: Credentials['given']) => Promise<Caller | AccessRefusal>;

/** Admits one request. Asked twice with the same parameters of access, it answers once: a request counts once. */
export const admission = (needs: AdmissionNeeds, ctx: Context, entry: Entry): Admit => {
  let last: { key: string; answer: Promise<Caller | AccessRefusal> } | undefined;
  return (given) => {
    const authorization = ctx.get('authorization');
    const key = `${showsToken(given, authorization)} ${shownToken({ given, authorization })}`;
    if (last?.key !== key) last = { key, answer: admitNoted(needs, ctx, entry, given) };
    return last.answer;
  };
};

/** Who came, or was turned away, is noted for the audit log. */
const admitNoted = async (
  needs: AdmissionNeeds,
  ctx: Context,
  entry: Entry,
  given: Credentials['given'],
): Promise<Caller | AccessRefusal> => {
  const address = clientAddress(ctx.req, needs.trustedProxies);
  const answer = await admit(needs, ctx, entry, given, address);
  const who = 'code' in answer ? answer.owner : answer;
  const actor = who ? `token ${who.token.id} ${who.token.label}`.trimEnd() : 'unknown';
  const account = who?.account.id ?? null;
  const code = 'code' in answer && { code: answer.code };
  noteVisit(ctx, { kind: 'token', actor, account, address, action: entry.action, ...code });
  return answer;
};

const admit = async (
  needs: AdmissionNeeds,
  ctx: Context,
  entry: Entry,
  given: Credentials['given'],
  address: string,
): Promise<Caller | AccessRefusal> => {
  const { control, limits } = needs;
  const standing = await limits.standing(address);
  if (standing === 'blocked') return accessErrors.blocked;
  const authorization = ctx.get('authorization');
  const caller = await authenticate(control, { given, authorization, address, at: needs.now() }, entry);
  if ('code' in caller && isGuess(caller) && showsToken(given, authorization)) await limits.failed(address);
  // Whoever is kept out learns nothing of the token that was tried.
  if (standing === 'throttled') return { ...accessErrors.tooManyFailures, ...ownerOf(caller) };
  return 'code' in caller ? caller : withinAllowance(limits, ctx, caller);
};

/** A token that is none, or none any more: what somebody sees who tries tokens out. */
const isGuess = ({ code }: AccessRefusal): boolean =>
  code === accessErrors.malformed.code || code === accessErrors.unknown.code;

const ownerOf = (caller: Caller | AccessRefusal): { owner?: Caller } =>
  'code' in caller ? (caller.owner ? { owner: caller.owner } : {}) : { owner: caller };

const withinAllowance = async (
  limits: Limits,
  ctx: Context,
  caller: Caller,
): Promise<Caller | AccessRefusal> => {
  const { rate, allowed, remaining, retryAfterMs, resetMs } = await takeTurn(limits, caller);
  noteOwner(ctx, tokenKey(caller));
  const resetSeconds = Math.ceil(resetMs / 1000);
  ctx.set('RateLimit-Limit', String(rate.burst));
  ctx.set('RateLimit-Remaining', String(remaining));
  ctx.set('RateLimit-Reset', String(resetSeconds));
  if (allowed) return caller;
  ctx.set('Retry-After', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  const text = `too many requests: this token may make ${rate.perSecond} a second`;
  return { ...accessErrors.tooMany, text, owner: caller };
};

const tokenKey = ({ token: { account_id, id } }: Caller): string => `${account_id}.${id}`;

/** Takes one request out of the allowance of a caller's token. */
export const takeTurn = async (limits: Limits, caller: Caller): Promise<Allowance & { rate: Rate }> => {
  const { requests_per_second: perSecond } = caller.token;
  const rate: Rate = { perSecond, burst: 2 * perSecond };
  return { rate, ...(await limits.take(tokenKey(caller), rate)) };
};

/** A page that does not get its turn in this time ends the answer, milliseconds. */
const mostPatienceMs = 60_000;

/**
 * A further page of a long answer counts as a request of its token. When the allowance is used up the page waits for its
 * turn; rejects when the caller has gone away meanwhile, or other requests took every turn.
 */
export const turnOfPage = async (
  limits: Limits,
  caller: Caller,
  { res }: Pick<Context, 'res'>,
): Promise<void> => {
  const until = performance.now() + mostPatienceMs;
  for (;;) {
    const { allowed, retryAfterMs } = await takeTurn(limits, caller);
    if (allowed) return;
    if (res.destroyed || performance.now() > until) throw new Error('no turn came for the next page');
    await sleep(Math.min(retryAfterMs, 1_000));
  }
};
