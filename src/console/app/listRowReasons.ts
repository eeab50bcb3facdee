/** Why the service refuses rows of a list, and why a campaign leaves rows out, in words of the page. */
import type { Word } from './words/index.ts';

/** Other reasons are said as refusals are (`refusalInPageLanguage.ts`). */
const refused: ReadonlyMap<string, Word> = new Map([
  ['phone is missing', 'whyNoPhone'],
  ['phone is not a telephone number', 'whyNotPhone'],
  ['a quoted field goes on behind its closing quote', 'whyStrayQuote'],
]);

export const refusedRowWord = (reason: string): Word | undefined => refused.get(reason);

const skipped: ReadonlyMap<string, Word> = new Map([
  ['rejected', 'leftRejected'],
  ['filter', 'leftFilter'],
  ['mobile', 'leftMobile'],
  ['blocklist', 'leftBlocklist'],
  ['duplicate', 'leftDuplicate'],
  ['name', 'leftName'],
]);

/** In the order in which a campaign looks for them. `rejected`: the row never came as far as the campaign. */
export const skippedRowReasons: readonly string[] = [...skipped.keys()];

export const skippedRowWord = (reason: string): Word | undefined => skipped.get(reason);
