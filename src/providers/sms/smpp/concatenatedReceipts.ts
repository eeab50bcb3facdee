/**
 * Receipts of texts that travelled in parts. The last part's id stands for the message: it is delivered when all parts
 * are, and fails with the first that does. This is remembered in memory only; after a restart the last part tells. So its
 * receipt is left with the carrier while others are missing, for a minute at most: some carriers send one receipt a text.
 */
import { lruOf } from '../../../lib/lru.ts';
import type { SmsReceipt } from '../../contracts/sms.ts';

interface Whole {
  providerId: string;
  parts: number;
  delivered: Set<string>;
  told: boolean;
}

interface Held {
  receipt: SmsReceipt;
  dueAt: number;
}

/** Parts that are remembered. */
const mostParts = 50_000;
/** How long the last part's receipt waits for the others, milliseconds; then it tells by itself. */
const patienceMs = 60_000;

export class MultipartSmsReceipts {
  readonly #wholes = lruOf<string, Whole>(mostParts);
  /** Receipts of last parts that wait for the others, by their ids; those that are due first stand first. */
  readonly #held = new Map<string, Held>();
  readonly #now: () => number;

  /** `now`: milliseconds of any monotonic clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A text was taken in parts, under these ids. */
  expect(ids: readonly string[]): void {
    if (ids.length < 2) return;
    const whole: Whole = { providerId: ids.at(-1)!, parts: ids.length, delivered: new Set(), told: false };
    for (const id of ids) this.#wholes.set(id, whole);
  }

  /**
   * What a part's receipt says of the whole text. `heard`: nothing yet, or nothing new; `later`: nothing yet, and the
   * carrier should keep it, because it is the one that tells after a restart.
   */
  whole<Receipt extends SmsReceipt>(receipt: Receipt): Receipt | 'heard' | 'later' {
    const whole = this.#wholes.get(receipt.providerId);
    if (!whole) return receipt;
    if (whole.told || receipt.status === 'sent') return 'heard';
    if (receipt.status === 'delivered' && !this.#isComplete(whole, receipt.providerId)) {
      if (receipt.providerId !== whole.providerId) return 'heard';
      this.#hold(receipt);
      return 'later';
    }
    return { ...receipt, providerId: whole.providerId };
  }

  /** What it says was heard; more need not be told. `providerId`: of the whole text. */
  told(providerId: string): void {
    this.#held.delete(providerId);
    const whole = this.#wholes.get(providerId);
    if (whole) whole.told = true;
  }

  /** Receipts that have waited long enough, so many at most, to be told now. What `told` does not hear of is due again. */
  due(most: number): SmsReceipt[] {
    const due: SmsReceipt[] = [];
    for (const [providerId, { receipt, dueAt }] of this.#held) {
      if (dueAt > this.#now() || due.length >= most) break;
      this.#held.delete(providerId);
      due.push(receipt);
    }
    for (const receipt of due) this.#hold(receipt);
    return due;
  }

  /** All receipts that wait. */
  held(): SmsReceipt[] {
    return [...this.#held.values()].map(({ receipt }) => receipt);
  }

  /** The first of its kind counts: when the carrier brings it again, it is not due later. */
  #hold(receipt: SmsReceipt): void {
    const { providerId } = receipt;
    if (this.#held.has(providerId) || this.#held.size >= mostParts) return;
    this.#held.set(providerId, { receipt, dueAt: this.#now() + patienceMs });
  }

  #isComplete(whole: Whole, part: string): boolean {
    whole.delivered.add(part);
    return whole.delivered.size === whole.parts;
  }
}
