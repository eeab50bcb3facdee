/** What is left to do about a call or a message, in a sentence for who asked for it. */
import type { Both, Language } from './language.ts';
import { describeCallEndReason } from './callEndReasons.ts';
import { describeCallRule } from './rules.ts';
import { both } from './words.ts';

/** It went as far as it goes, and nothing is to be mended. */
export const noNextStepText: Both = both('Nothing is left to do.', 'Não há mais nada a fazer.');

const told = {
  en: {
    stuck: 'Something went wrong inside: tell the operator of the service its id. Do not repeat it.',
    goesOn: (when: string) => `Nothing: it goes on by itself${when}. Do not place it again; ask again later.`,
    at: ' at ',
  },
  pt: {
    stuck: 'Algo deu errado internamente: informe o id ao operador do serviço. Não repita.',
    goesOn: (when: string) => `Nada: continua sozinha${when}. Não faça outra; pergunte de novo mais tarde.`,
    at: ' em ',
  },
} as const;

export interface CallNextStepFacts {
  ended: boolean;
  /** Something went wrong that an operator must mend. */
  stuck: boolean;
  /** Why it ended, from its record. */
  reason: string;
  /** The rule of what holds it from outside; undefined: nothing does. */
  heldBy: string | undefined;
  /** When it goes on, as people read it; undefined: it is under way. */
  until: string | undefined;
}

export const callNextStepSentence = (
  { ended, stuck, reason, heldBy, until }: CallNextStepFacts,
  language: Language,
): string => {
  const words = told[language];
  if (stuck) return words.stuck;
  const toRelease = heldBy === undefined ? undefined : describeCallRule(heldBy)?.todo;
  if (toRelease) return toRelease[language];
  if (!ended) return words.goesOn(until === undefined ? '' : `${words.at}${until}`);
  return (describeCallEndReason(reason).todo ?? noNextStepText)[language];
};
