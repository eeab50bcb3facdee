/**
 * What refusals have in common, and who is at fault. A machine whose write is refused while it stands alone may carry bad
 * data, or the database may have been broken for all: by a migration, a permission, a trigger. The refusal itself does not
 * tell; what else is written meanwhile does. Writes are alike when they are of one kind of machine, and both starts or
 * both steps; for errors that no value causes (permissions, functions that raise) they must be of one account as well.
 *
 *   others like it are written           its data is at fault
 *   it alone is refused for a while      its data is at fault, until another is refused as well
 *   others like it are refused as well   the database is at fault
 *   it is refused without its data too   the database is at fault, until something like it is written
 */
import type { CommitBatchItem } from './batchItem.ts';
import { backoffPauseMs } from '../contract/backoff.ts';
import type { Mail } from '../contract/machineMail.ts';
import type { Random } from '../contract/ports.ts';
import type { CachedMachine } from './cachedMachine.ts';
import type { BadBatch } from '../contract/store.ts';

/** Between tries of machines that are held for one cause. */
const TRIES_MS = { firstMs: 250, longestMs: 5_000 };
/** So many tries come before the pauses grow while there are machines that were never tried: one may well be written. */
const TRIES_OF_OTHERS = 6;
/** The only machine that is refused, with nothing like it written meanwhile, is held so long before its data is blamed. */
const ALONE_MS = 2_500;

/** A fault of the database is a problem that readiness shows after so long. */
const SHOWN_AFTER_MS = 4_000;

/** Errors that lie in what is written: values, constraints, limits of sizes. */
const OF_VALUES = /^(2[1-3]|54)/;

/** A table, a column, a function or a permission is missing: no account's data causes that. */
const OF_SCHEMA = /^42(501|703|883|P01)$/;

/** A write that stands alone and takes too long says nothing of its data: a lock, or a slow disk. */
export const QUERY_CANCELED_SQLSTATE = '57014';

/** Mail that was set aside before another machine was refused for the same cause. */
export interface SetAsideMail {
  account: number;
  id: number;
  mails: readonly Mail[];
}

/** Writes that are alike, and what became of them since the fault began. Sets hold two at most: one, or several. */
interface Likes {
  machines: Set<number>;
  accounts: Set<number>;
  written: boolean;
}

export type RefusedWriteFaultSide = 'data' | 'database' | 'unknown';

/** One cause of refusals, from the first until it is over. */
export class OngoingCommitFailure {
  readonly error: BadBatch;
  /** Machines that wait for it to pass; true: refused by themselves, and not only like those that were. */
  readonly held = new Map<CachedMachine, boolean>();
  /** When one of them is tried again, monotonic. */
  dueAt: number;
  /** When something was refused for it last, monotonic. */
  lastAt: number;
  /** What was set aside while only one machine was known to be refused. */
  setAside: SetAsideMail | null = null;
  readonly #since: number;
  readonly #random: Random;
  readonly #likes: Map<string, Likes>;
  /** Likes of which it is known here that they were written. */
  readonly #noticed = new Set<string>();
  #failures = 0;
  #isOfAnyData = false;

  /** `elsewhere`: the same cause in another lane; what is known of the one is known of the other. */
  constructor(error: BadBatch, at: number, random: Random, elsewhere: OngoingCommitFailure | undefined) {
    this.error = error;
    this.#likes = elsewhere ? elsewhere.#likes : new Map<string, Likes>();
    this.#since = at;
    this.#random = random;
    this.dueAt = at;
    this.lastAt = at;
  }

  /** One was refused by itself. */
  refused(item: CommitBatchItem, at: number): void {
    this.lastAt = at;
    for (const key of this.#keysOf(item)) {
      const likes = this.#likes.get(key) ?? { machines: new Set(), accounts: new Set(), written: false };
      addFew(likes.machines, item.tx.id);
      addFew(likes.accounts, item.tx.account);
      this.#likes.set(key, likes);
    }
  }

  /** A machine whose event was set aside was refused again: it was not what the event said. */
  refusedWithoutData(): void {
    this.#isOfAnyData = true;
  }

  /** The next try comes after a longer pause. `item`: one for which it comes at once, where that tells who is at fault. */
  putOff(at: number, item?: CommitBatchItem): void {
    this.#failures += 1;
    const tells = item !== undefined && this.#isWritten(item);
    const hasUntried = [...this.held.values()].includes(false);
    const failures = Math.max(1, this.#failures - (hasUntried ? TRIES_OF_OTHERS : 0));
    this.dueAt = tells ? at : at + backoffPauseMs(failures, TRIES_MS, this.#random());
  }

  /** Something was written; when it is like what is held, a try will tell. */
  written(item: CommitBatchItem, at: number): void {
    // That an event was set aside can be written where what the event says can not.
    if (item.mails.some(({ what }) => what === 'broken')) return;
    for (const key of this.#keysOf(item)) {
      const likes = this.#likes.get(key);
      if (!likes || this.#noticed.has(key)) continue;
      likes.written = true;
      this.#noticed.add(key);
      if (key === this.#narrowest(item)) this.dueAt = Math.min(this.dueAt, at);
    }
  }

  /** Who is at fault for a machine that was just refused, and was refused before. */
  blame(item: CommitBatchItem, at: number): RefusedWriteFaultSide {
    if (this.error.code === QUERY_CANCELED_SQLSTATE) return 'database';
    if (this.error.certain || this.#isWritten(item)) return 'data';
    const [broad] = this.#keysOf(item);
    if (this.#isOfAnyData || this.#isOfSchema || this.#likes.get(broad)!.machines.size > 1) return 'database';
    return at - this.#since >= ALONE_MS ? 'data' : 'unknown';
  }

  /** Whether such a write need not be sent: several like it were refused, and none written. */
  covers(item: CommitBatchItem): boolean {
    const [broad, narrow] = this.#keysOf(item).map((key) => this.#likes.get(key));
    if (broad !== undefined && broad.accounts.size > 1 && !broad.written) return true;
    return !this.#isOfValues && narrow !== undefined && narrow.machines.size > 1 && !narrow.written;
  }

  /**
   * Writes of several accounts are refused, and none like them was written, for so long that an operator should look.
   * Where the schema is at fault, or no data is, one account is enough: it may be the only one there is.
   */
  isOfDatabase(at: number): boolean {
    if (at - this.#since < SHOWN_AFTER_MS) return false;
    if (this.#isOfAnyData || this.#isOfSchema) return !this.isOfData;
    return [...this.#likes.values()].some(({ accounts, written }) => accounts.size > 1 && !written);
  }

  /** Something like what was refused has been written since. */
  get isOfData(): boolean {
    return [...this.#likes.values()].some(({ written }) => written);
  }

  #isWritten(item: CommitBatchItem): boolean {
    return this.#likes.get(this.#narrowest(item))?.written ?? false;
  }

  #narrowest(item: CommitBatchItem): string {
    const [broad, narrow] = this.#keysOf(item);
    return this.#isOfValues ? broad : narrow;
  }

  get #isOfValues(): boolean {
    return OF_VALUES.test(this.error.code);
  }

  get #isOfSchema(): boolean {
    return OF_SCHEMA.test(this.error.code);
  }

  #keysOf({ tx }: CommitBatchItem): [broad: string, narrow: string] {
    const broad = `${tx.chart.kind.name} ${tx.base ? 'step' : 'start'}`;
    return [broad, `${broad} ${tx.account}`];
  }
}

/** Names a cause. */
export const commitFailureKey = ({ code, where }: BadBatch): string => `${code} ${where}`;

const addFew = (set: Set<number>, one: number): void => {
  if (set.size < 2) set.add(one);
};
