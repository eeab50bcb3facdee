/** Caller ids of a pool: which one is shown to whom. Pure, so that calls, forecasts and explanations agree. */
import { regionOfNumber } from '../voice/parsePhoneNumber.ts';

/** Caller ids that an account shows where a request names none. */
export interface CallerIdPool {
  id: number;
  account: number;
  /** Null: every call of the account. */
  campaign: number | null;
  /**
   * `areaCode`: of the called number's area code, else of its state, else any. `turns`: the one that was shown least in the
   * last hour. `fixed`: the first that may be shown.
   */
  order: 'areaCode' | 'turns' | 'fixed';
  /** Digits in international format. */
  callerIds: readonly string[];
  /** A person sees the same one again, as long as it may be shown. */
  sameForPerson: boolean;
  /** Of each caller id, in any sixty minutes; null: as many as there are. */
  callsPerHour: number | null;
  /** One of whose calls fewer are answered, in percent, is rested; null: none is. */
  restBelow: number | null;
  active: boolean;
}

/** What became of a caller id in the last hour. */
export interface CallerIdHour {
  /** Calls that showed it, or were about to. */
  calls: number;
  /** Epoch milliseconds when the oldest of them counts no more. */
  freeAt: number;
  /** Calls that ended, and those of them that were answered. */
  ended: number;
  answered: number;
}

/** So many calls must have ended before a caller id can be rested. */
const ENOUGH_TO_JUDGE = 20;

/** The pool of a campaign comes before that of its account; of several the oldest. Undefined: none is for such a call. */
export const chooseCallerIdPool = (
  { account, campaign }: { account: number; campaign?: number },
  pools: readonly CallerIdPool[],
): CallerIdPool | undefined => {
  const own = pools.filter((pool) => pool.active && pool.account === account);
  const ofCampaign = own.filter((pool) => pool.campaign !== null && pool.campaign === campaign);
  const named = ofCampaign.length > 0 ? ofCampaign : own.filter((pool) => pool.campaign === null);
  return named.toSorted((one, other) => one.id - other.id)[0];
};

/** Whether a caller id is rested: too few of its calls were answered in the last hour. */
export const isCallerIdResting = (
  { restBelow }: Pick<CallerIdPool, 'restBelow'>,
  hour: CallerIdHour | undefined,
): boolean =>
  restBelow !== null &&
  hour !== undefined &&
  hour.ended >= ENOUGH_TO_JUDGE &&
  hour.answered * 100 < restBelow * hour.ended;

/**
 * The caller id for a call to this number. `shown`: those that the trunk may show. Where all that are left are rested, they
 * are used. `until`: all have had their calls of the hour; one may be shown again then, epoch milliseconds.
 */
export const chooseCallerId = (
  pool: CallerIdPool,
  number: string,
  shown: readonly string[],
  hours: ReadonlyMap<string, CallerIdHour>,
): { callerId: string } | { until: number } => {
  const left = shown.filter((id) => (hours.get(id)?.calls ?? 0) < (pool.callsPerHour ?? Infinity));
  if (left.length === 0) return { until: Math.min(...shown.map((id) => hours.get(id)!.freeAt)) };
  const fit = left.filter((id) => !isCallerIdResting(pool, hours.get(id)));
  const ranks = new Map((fit.length > 0 ? fit : left).map((id) => [id, rankOf(pool, number, id, hours)]));
  return { callerId: [...ranks].reduce((best, one) => (isBefore(one[1], best[1]) ? one : best))[0] };
};

/** The smallest first difference comes first; alike: as the pool lists them. */
const rankOf = (
  { order, sameForPerson }: CallerIdPool,
  number: string,
  callerId: string,
  hours: ReadonlyMap<string, CallerIdHour>,
): readonly number[] => {
  if (order === 'fixed') return [0];
  const nearness = order === 'areaCode' ? distance(number, callerId) : 0;
  return [nearness, sameForPerson ? personRank(number, callerId) : (hours.get(callerId)?.calls ?? 0)];
};

const isBefore = (one: readonly number[], other: readonly number[]): boolean => {
  const differing = one.findIndex((rank, nth) => rank !== other[nth]);
  return differing >= 0 && one[differing]! < other[differing]!;
};

/** 0: the same area code, 1: the same state, 2: neither. */
const distance = (number: string, callerId: string): number => {
  const [ours, theirs] = [regionOfNumber(number), regionOfNumber(callerId)];
  if (!ours || !theirs) return 2;
  if (number.slice(2, 4) === callerId.slice(2, 4)) return 0;
  return ours.state === theirs.state ? 1 : 2;
};

/**
 * Rendezvous hashing: each person ranks the caller ids in an order of his own, which stays as it is when others come and go
 * (FNV-1a).
 */
const personRank = (number: string, callerId: string): number => {
  let hash = 0x811c9dc5;
  for (const char of `${number} ${callerId}`) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};
