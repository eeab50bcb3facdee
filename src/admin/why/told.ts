/** In which language and on whose clock a number's story is told. */
import { moment } from '../../lib/moment.ts';
import type { Explanation } from '../../engine/contract/kind.ts';
import type { AccountRow } from '../../store/control.ts';
import type { Language } from '../explained/language.ts';
import { inWords, quoted } from '../explained/particulars.ts';
import { ruleWords } from '../explained/rules.ts';
import { whyWords, type WhyWords } from './words.ts';

export interface Teller {
  language: Language;
  words: WhyWords;
  account: AccountRow;
  when(at: number): string;
}

export const tellerOf = (account: AccountRow, language: Language): Teller => ({
  language,
  words: whyWords[language],
  account,
  when: (at) => moment(at, account.time_zone),
});

/** Why, in words: the particulars of this service, else the rule's own words with those of others. */
export const whyOf = (
  { language }: Teller,
  { rule, detail }: Pick<Explanation, 'rule' | 'detail'>,
): string => {
  const said = inWords(detail, language);
  if (said !== undefined) return said;
  const words = ruleWords(rule)?.says[language];
  return [words, detail === '' ? undefined : quoted(detail)].filter(Boolean).join(': ') || rule;
};

/** The name of a rule as a list shows it: its sentence without particulars. */
export const ruleNamed = ({ language }: Teller, rule: string): string =>
  ruleWords(rule)?.says[language] ?? rule;
