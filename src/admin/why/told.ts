/** In which language and on whose clock a number's story is told. */
import { formatLocalDateTime } from '../../lib/formatLocalDateTime.ts';
import type { Explanation } from '../../engine/contract/kind.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import type { Language } from '../explained/language.ts';
import { translateKnownText, quoted } from '../explained/translateKnownPhrases.ts';
import { describeCallRule } from '../explained/rules.ts';
import { numberStoryTexts, type NumberStoryTexts } from './numberStoryTexts.ts';

export interface AccountLocalizer {
  language: Language;
  words: NumberStoryTexts;
  account: AccountRow;
  when(at: number): string;
}

export const createAccountLocalizer = (account: AccountRow, language: Language): AccountLocalizer => ({
  language,
  words: numberStoryTexts[language],
  account,
  when: (at) => formatLocalDateTime(at, account.time_zone),
});

/** Why, in words: the particulars of this service, else the rule's own words with those of others. */
export const ruleExplanationText = (
  { language }: AccountLocalizer,
  { rule, detail }: Pick<Explanation, 'rule' | 'detail'>,
): string => {
  const said = translateKnownText(detail, language);
  if (said !== undefined) return said;
  const words = describeCallRule(rule)?.says[language];
  return [words, detail === '' ? undefined : quoted(detail)].filter(Boolean).join(': ') || rule;
};

/** The name of a rule as a list shows it: its sentence without particulars. */
export const ruleDisplayName = ({ language }: AccountLocalizer, rule: string): string =>
  describeCallRule(rule)?.says[language] ?? rule;
