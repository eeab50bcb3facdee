/** The last addresses that were locked out here, of which an operator hears. */
import {
  type RateLimitsAndLockouts,
  type LockedOutAddress,
  type LockoutSeverity,
  failedLoginThresholdsFor,
} from '../providers/contracts/rateLimitsAndLockouts.ts';
import { lruOf } from '../lib/lru.ts';

/** Of which an operator hears. */
const mostLockOuts = 100;

/** The last addresses that were locked out here. */
export class LockedOutAddresses {
  readonly #limits: RateLimitsAndLockouts;
  /** The last one comes first. */
  readonly #addresses = lruOf<string, true>(mostLockOuts);

  constructor(limits: RateLimitsAndLockouts) {
    this.#limits = limits;
  }

  add(address: string): void {
    this.#addresses.set(address, true);
  }

  async list(): Promise<LockedOutAddress[]> {
    const found: LockedOutAddress[] = [];
    for (const address of [...this.#addresses.keys()]) {
      const standing = await this.#limits.standing(address);
      if (standing === 'free') this.#addresses.delete(address);
      else found.push({ address, standing, lockedMs: await this.#limits.lockedMs(address) });
    }
    return found;
  }
}

/** Where lock-outs are told. */
export interface LockoutLogger {
  warn(fields: object, message: string): void;
}

/** Once a lock-out. */
export const tellLockOut = (log: LockoutLogger, address: string, lockOut: LockoutSeverity): void => {
  const rules = failedLoginThresholdsFor(address);
  const { failures, withinMs } = rules[lockOut === 'blocked' ? 'block' : 'throttle'];
  const forMs = lockOut === 'blocked' ? rules.block.forMs : withinMs;
  log.warn(
    { address, lockOut, failures, seconds: forMs / 1000 },
    `an address is kept out: ${failures} wrong tokens in ${withinMs / 60_000} minutes (npx ramal unlock lets it in)`,
  );
};
