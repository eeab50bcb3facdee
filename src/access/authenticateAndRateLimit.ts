/**
 * Who comes in at a door, and how often (decisions "authentication codes", "rate limits"): an address that failed too
 * often is kept out, then the token is asked for, then the token's allowance.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'koa';
import type { ApiClientIdentity } from '../operations/declare.ts';
import type {
  RateLimitStatus,
  RequestLimitsOfAllEndpoints,
  RateLimitsAndLockouts,
  LockoutSeverity,
  LockoutLevel,
} from '../providers/contracts/rateLimitsAndLockouts.ts';
import type { Rate } from '../lib/tokenBucket.ts';
import type { ControlDatabase } from '../store/controlDatabase.ts';
import {
  type AccessRefusal,
  accessErrors,
  authenticate,
  type PresentedApiCredentials,
  type ApiEntryPointAndPermission,
  extractRequestToken,
  carriesApiToken,
} from './authenticate.ts';
import { setResponseOwner } from './unsentResponseLimits.ts';
import { clientAddress } from './clientAddress.ts';
import { authFailureAddress, tellWhenLockoutEnds } from './keptOut.ts';
import { isPlaceholderToken } from './placeholder.ts';
import { setAccessRecord } from './accessRecord.ts';

export interface RequestAccessControlDeps {
  control: ControlDatabase;
  limits: RequestLimitsOfAllEndpoints;
  trustedProxies: readonly string[];
  /** Epoch milliseconds. */
  now(): number;
}

export type AuthenticateApiRequest = (
  provided: PresentedApiCredentials['provided'],
) => Promise<ApiClientIdentity | AccessRefusal>;

/** How one request comes in. */
export interface RequestAccessControl {
  /** Who is really asking. */
  address: string;
  /** Admits it. Asked twice with the same parameters of access, it answers once: a request counts once. */
  admit: AuthenticateApiRequest;
  /**
   * Before its body is read: why it is not read. A blocked address is refused; one that is throttled too, where the body
   * may be long. `asked`: parameters of the query string.
   */
  refuseUnread(provided: PresentedApiCredentials['provided']): Promise<AccessRefusal | undefined>;
  /** Who these parameters show; undefined: no caller that may come in. Counts and notes nothing. */
  recognise(provided: PresentedApiCredentials['provided']): Promise<ApiClientIdentity | undefined>;
}

/** Of a throttled address shorter bodies are read: their tokens are counted, until the address is blocked. */
const shortBodyBytes = 16 * 1024;

export const createRequestAccessControl = (
  needs: RequestAccessControlDeps,
  ctx: Context,
  entry: ApiEntryPointAndPermission,
): RequestAccessControl => {
  const address = clientAddress(ctx.req, needs.trustedProxies);
  const authorization = ctx.get('authorization');
  let last: { key: string; answer: Promise<ApiClientIdentity | AccessRefusal> } | undefined;
  const visitor: Visitor = {
    address,
    ...standingOf(needs.limits, authFailureAddress(ctx.req, needs.trustedProxies)),
  };
  const admit: AuthenticateApiRequest = (provided) => {
    const key = `${carriesApiToken(provided, authorization)} ${extractRequestToken({ provided, authorization })}`;
    if (last?.key !== key) last = { key, answer: admitNoted(needs, ctx, entry, provided, visitor) };
    return last.answer;
  };
  return {
    address,
    admit,
    refuseUnread: async (provided) => {
      const stands = await visitor.standing();
      if (stands === 'free' || (stands === 'throttled' && hasShortBody(ctx))) return undefined;
      const answer = await admit(provided);
      return 'code' in answer ? answer : undefined;
    },
    recognise: async (provided) => {
      const caller = await authenticate(
        needs.control,
        { provided, authorization, address, at: needs.now() },
        entry,
      );
      return 'code' in caller ? undefined : caller;
    },
  };
};

interface Visitor {
  address: string;
  /** As whom its wrong tokens are counted. */
  counted: string;
  standing(): Promise<LockoutLevel>;
}

/** Where it stands is asked once a request, and again when a wrong token was counted since. */
const standingOf = (
  limits: RequestLimitsOfAllEndpoints,
  counted: string,
): Pick<Visitor, 'counted' | 'standing'> => {
  let known: { standing: Promise<LockoutLevel>; failures: number } | undefined;
  return {
    counted,
    standing: () => {
      const { failures } = limits;
      if (known?.failures !== failures) known = { standing: limits.standing(counted), failures };
      return known.standing;
    },
  };
};

const hasShortBody = (ctx: Context): boolean =>
  ctx.get('transfer-encoding') === '' && Number(ctx.get('content-length')) <= shortBodyBytes;

/** Who came, or was turned away, is noted for the audit log. */
const admitNoted = async (
  needs: RequestAccessControlDeps,
  ctx: Context,
  entry: ApiEntryPointAndPermission,
  provided: PresentedApiCredentials['provided'],
  visitor: Visitor,
): Promise<ApiClientIdentity | AccessRefusal> => {
  const { address } = visitor;
  const answer = await admit(needs, ctx, entry, provided, visitor);
  const who = 'code' in answer ? answer.owner : answer;
  const actor = who ? `token ${who.token.id} ${who.token.label}`.trimEnd() : 'unknown';
  const account = who?.account.id ?? null;
  const code = 'code' in answer && { code: answer.code };
  setAccessRecord(ctx, { kind: 'token', actor, account, address, action: entry.action, ...code });
  return answer;
};

const admit = async (
  needs: RequestAccessControlDeps,
  ctx: Context,
  entry: ApiEntryPointAndPermission,
  provided: PresentedApiCredentials['provided'],
  visitor: Visitor,
): Promise<ApiClientIdentity | AccessRefusal> => {
  const { control, limits } = needs;
  const { address, counted } = visitor;
  if ((await visitor.standing()) === 'blocked') return keptOut(needs, ctx, visitor, 'blocked');
  const authorization = ctx.get('authorization');
  const shown = extractRequestToken({ provided, authorization });
  const credentials = { provided, authorization, address, at: needs.now() };
  const look = async (): Promise<ApiClientIdentity | AccessRefusal> => {
    const standing = await visitor.standing();
    if (standing === 'blocked') return keptOut(needs, ctx, visitor, standing);
    const caller = await authenticate(control, credentials, entry);
    if ('code' in caller && isGuess(caller, shown)) await limits.failed(counted);
    // A client that is kept out learns nothing of the token that it tried.
    if (standing === 'free') return caller;
    return { ...(await keptOut(needs, ctx, visitor, standing)), ...ownerOf(caller) };
  };
  const isSure = control.isBelieved(shown) && !limits.isBusy(counted);
  const caller = await (isSure ? look() : limits.oneByOne(counted, look));
  return 'code' in caller ? caller : withinAllowance(limits, ctx, caller);
};

/** The refusal of an address that failed too often, with when it is let in again. */
const keptOut = async (
  { limits }: RequestAccessControlDeps,
  ctx: Context,
  { counted }: Visitor,
  standing: LockoutSeverity,
): Promise<AccessRefusal> => {
  const refusal = standing === 'blocked' ? accessErrors.blocked : accessErrors.tooManyFailures;
  return { ...refusal, text: `${refusal.text}: ${await tellWhenLockoutEnds(limits, ctx, counted)}` };
};

/**
 * Whether the refusal counts as guessing: a token was shown that is none, or none any more. A placeholder is no guess.
 */
const isGuess = ({ code }: AccessRefusal, shown: string): boolean =>
  (code === accessErrors.malformed.code || code === accessErrors.unknown.code) && !isPlaceholderToken(shown);

const ownerOf = (caller: ApiClientIdentity | AccessRefusal): { owner?: ApiClientIdentity } =>
  'code' in caller ? (caller.owner ? { owner: caller.owner } : {}) : { owner: caller };

const withinAllowance = async (
  limits: RateLimitsAndLockouts,
  ctx: Context,
  caller: ApiClientIdentity,
): Promise<ApiClientIdentity | AccessRefusal> => {
  const { rate, allowed, remaining, retryAfterMs, resetMs } = await takeTurn(limits, caller);
  setResponseOwner(ctx, tokenKey(caller));
  const resetSeconds = Math.ceil(resetMs / 1000);
  ctx.set('RateLimit-Limit', String(rate.burst));
  ctx.set('RateLimit-Remaining', String(remaining));
  ctx.set('RateLimit-Reset', String(resetSeconds));
  if (allowed) return caller;
  ctx.set('Retry-After', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  const text = `too many requests: this token may make ${rate.perSecond} a second`;
  return { ...accessErrors.tooMany, text, owner: caller };
};

const tokenKey = ({ token: { account_id, id } }: ApiClientIdentity): string => `${account_id}.${id}`;

/** Takes one request out of the allowance of a caller's token. */
const takeTurn = async (
  limits: RateLimitsAndLockouts,
  caller: ApiClientIdentity,
): Promise<RateLimitStatus & { rate: Rate }> => {
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
export const takeRateLimitTurnForNextPage = async (
  limits: RateLimitsAndLockouts,
  caller: ApiClientIdentity,
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
