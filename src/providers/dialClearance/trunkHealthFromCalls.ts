/** Follows the callees' legs from dial to end, and keeps of each trunk how it fares. In memory, of this process. */
import { outcomeOfCause } from '../../../machines/contracts/legOutcomeBySipAndCause.ts';
import type { Fact } from '../../engine/contract/performer.ts';
import { lruOf } from '../../lib/lru.ts';
import { type Fate, type TrunkHealthFigures, TrunkHealth } from '../../rules/trunks/health.ts';
import type { CallMachineRef } from '../contracts/dialClearance.ts';

interface Followed {
  trunk: string;
  dialledAt: number;
  rangAt?: number;
  answered: boolean;
  /** It tries whether a trunk that rested is well again, and nothing was heard of it yet. */
  tries: boolean;
}

/** More legs are not followed at a time; the oldest are forgotten. */
const MOST_LEGS = 250_000;

export interface TrunkHealthTracker {
  /** A callee's leg is about to be dialled. */
  dialled(caller: CallMachineRef, leg: number, trunk: string, number: string): void;
  /** The request for it failed. `isTrunks`: since its server or network had no way for it. */
  failed(caller: CallMachineRef, leg: number, isTrunks: boolean): void;
  hear(caller: CallMachineRef, fact: Fact): void;
  rests(trunk: string): boolean;
  figuresOf(trunk: string): TrunkHealthFigures;
}

export const trackTrunkHealth = (now: () => number): TrunkHealthTracker => {
  const legs = lruOf<string, Followed>(MOST_LEGS);
  const trunks = new Map<string, TrunkHealth>();
  const healthOf = (trunk: string): TrunkHealth => {
    const known = trunks.get(trunk);
    if (known) return known;
    const health = new TrunkHealth();
    trunks.set(trunk, health);
    return health;
  };

  const end = (
    key: string,
    { trunk, dialledAt, rangAt, answered, tries }: Followed,
    fact: Fact | undefined,
  ): void => {
    legs.delete(key);
    // How it ended is not known, or it was ended by us: that says nothing of the trunk.
    if (fact?.['lost'] === true || (fact?.['by'] === 'us' && !answered)) return;
    const fate: Fate = answered ? 'answered' : fact && !isRefusal(fact, rangAt) ? 'unanswered' : 'failed';
    const rang = rangAt === undefined ? {} : { rangAfterMs: rangAt - dialledAt };
    healthOf(trunk).ended(now(), fate, { cause: causeOf(fact), tries, ...rang });
  };

  /** A trunk that rested has carried it. */
  const prove = (followed: Followed): void => {
    if (!followed.tries) return;
    followed.tries = false;
    healthOf(followed.trunk).proved(now());
  };

  return {
    dialled: (caller, leg, trunk) => {
      const tries = healthOf(trunk).began(now());
      legs.set(keyOf(caller, leg), { trunk, dialledAt: now(), answered: false, tries });
    },
    failed: (caller, leg, isTrunks) => {
      const key = keyOf(caller, leg);
      const followed = legs.get(key);
      if (followed && isTrunks) end(key, followed, undefined);
      else legs.delete(key);
    },
    hear: (caller, fact) => {
      if (typeof fact['leg'] !== 'number') return;
      const key = keyOf(caller, fact['leg']);
      const followed = legs.get(key);
      if (!followed) return;
      if (fact.type === 'ringing') followed.rangAt ??= now();
      else if (fact.type === 'answered')
        Object.assign(followed, { answered: true, rangAt: followed.rangAt ?? now() });
      else if (fact.type === 'hungUp') return end(key, followed, fact);
      if (followed.rangAt !== undefined) prove(followed);
    },
    rests: (trunk) => trunks.get(trunk)?.rests(now()) ?? false,
    figuresOf: (trunk) => healthOf(trunk).figures(now()),
  };
};

const keyOf = ({ shard, account, id }: CallMachineRef, leg: number): string =>
  `${shard}.${account}.${id}.${leg}`;

/**
 * The network had no way for it, or said nothing of it until its time was over; a callee who is busy or says no is no failure of
 * the trunk.
 */
const isRefusal = ({ sipStatus, cause }: Fact, rangAt: number | undefined): boolean => {
  if (rangAt !== undefined) return false;
  if (typeof sipStatus === 'number' && sipStatus > 0)
    return (sipStatus >= 500 && sipStatus < 600) || sipStatus === NO_ANSWER;
  return outcomeOfCause(Number(cause)) === 'congestion' || SILENT.includes(Number(cause));
};

/** The server's own word where a carrier does not answer at all. */
const NO_ANSWER = 408;
/** Q.850: the network did not respond, or nothing rang. */
const SILENT: readonly number[] = [18, 19];

const causeOf = (fact: Fact | undefined): string => {
  if (!fact) return 'unreachable';
  const { sipStatus, cause } = fact;
  return typeof sipStatus === 'number' && sipStatus > 0 ? String(sipStatus) : `Q${String(cause)}`;
};
