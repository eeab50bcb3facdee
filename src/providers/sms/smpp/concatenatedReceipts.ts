/**
 * Receipts of texts that travelled in parts. The last part's id stands for the message: it is delivered when all parts
 * are, and fails with the first that does. This is remembered in memory only; after a restart the last part tells.
 */
import { lruOf } from '../../../lib/lru.ts';
import type { SmsReceipt } from '../../contracts/sms.ts';

interface Whole {
  providerId: string;
  parts: number;
  delivered: Set<string>;
  told: boolean;
}

/** Parts that are remembered. */
const mostParts = 50_000;

export class MultipartSmsReceipts {
  readonly #wholes = lruOf<string, Whole>(mostParts);

  /** A text was taken in parts, under these ids. */
  expect(ids: readonly string[]): void {
    if (ids.length < 2) return;
    const whole: Whole = { providerId: ids.at(-1)!, parts: ids.length, delivered: new Set(), told: false };
    for (const id of ids) this.#wholes.set(id, whole);
  }

  /** What a part's receipt says of the whole text; undefined: nothing yet, or nothing new. */
  whole<Receipt extends SmsReceipt>(receipt: Receipt): Receipt | undefined {
    const whole = this.#wholes.get(receipt.providerId);
    if (!whole) return receipt;
    if (whole.told) return undefined;
    if (receipt.status === 'delivered' && !this.#isComplete(whole, receipt.providerId)) return undefined;
    if (receipt.status === 'sent') return undefined;
    return { ...receipt, providerId: whole.providerId };
  }

  /** What it says was heard; more need not be told. */
  told(providerId: string): void {
    const whole = this.#wholes.get(providerId);
    if (whole) whole.told = true;
  }

  #isComplete(whole: Whole, part: string): boolean {
    whole.delivered.add(part);
    return whole.delivered.size === whole.parts;
  }
}
