/** Limits as the doors use them: counted by whom an address belongs to, with lock-outs told to an operator. */
import type {
  RequestLimitsOfAllEndpoints,
  RateLimitsAndLockouts,
} from '../providers/contracts/rateLimitsAndLockouts.ts';
import { ipAddressGroup } from '../lib/ipAddressRanges.ts';
import { type LockoutLogger, LockedOutAddresses, tellLockOut } from './reportRecentLockouts.ts';

/** Addresses are counted by whom they belong to: an IPv6 network of a customer is one. */
export const limitsPerAddressGroup = (
  limits: RateLimitsAndLockouts,
  log: LockoutLogger,
): RequestLimitsOfAllEndpoints => {
  const lockOuts = new LockedOutAddresses(limits);
  let failures = 0;
  return {
    ...turns(),
    take: (key, rate) => limits.take(key, rate),
    standing: (address) => limits.standing(ipAddressGroup(address)),
    lockedMs: (address) => limits.lockedMs(ipAddressGroup(address)),
    failed: async (address) => {
      const group = ipAddressGroup(address);
      const lockOut = await limits.failed(group);
      failures += 1;
      if (lockOut) {
        lockOuts.add(group);
        tellLockOut(log, group, lockOut);
      }
      return lockOut;
    },
    reset: (address) => limits.reset(ipAddressGroup(address)),
    lockOuts: () => lockOuts.list(),
    get failures() {
      return failures;
    },
    problem: () => limits.problem(),
    stop: () => limits.stop(),
  };
};

/** Work of one address after the other. What fails fails for those that wait behind it: their turn would fail as well. */
const turns = (): Pick<RequestLimitsOfAllEndpoints, 'oneByOne' | 'isBusy'> => {
  const last = new Map<string, Promise<unknown>>();
  return {
    oneByOne: (address, work) => {
      const group = ipAddressGroup(address);
      const turn = (last.get(group) ?? Promise.resolve()).then(work);
      const ended = () => {
        if (last.get(group) === turn) last.delete(group);
      };
      last.set(group, turn);
      turn.then(ended, ended);
      return turn;
    },
    isBusy: (address) => last.has(ipAddressGroup(address)),
  };
};
