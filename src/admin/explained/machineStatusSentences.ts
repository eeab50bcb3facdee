/** A machine in sentences for people: where it stands, why, what it waits for, and what to do. */
import type { DeliveryContext } from '../../../machines/delivery/contextAndAssigns.ts';
import type { Explanation } from '../../engine/contract/kind.ts';
import type { MessageContext } from '../../../machines/message/contextAndAssigns.ts';
import type { TemplateContext } from '../../../machines/template/context.ts';
import type { MachineView } from '../../engine/contract/api.ts';
import type { CallbackDeliveryRow } from '../../store/reads/deliveries/deliveryRecords.ts';
import { attentionInWords } from './attentionInWords.ts';
import { callbackSentence, type When } from './callbackAndUnstartedSentences.ts';
import { explainDeliveryDelay } from './deliveryFailure.ts';
import type { Both, Language } from './language.ts';
import { messageFailureSentence } from './messageFailure.ts';
import { translateKnownText, quoted } from './translateKnownPhrases.ts';
import { goesOnByItselfText, describeCallRule } from './rules.ts';
import { describeMachineState, unknownStateText } from './states.ts';
import { explainTemplateStatus } from './templatePlatformStatus.ts';
import { describeMachineEffect, describeMachineTimer } from './waits.ts';

export interface MachineSentenceFacts {
  view: MachineView;
  /** The living columns of its record; undefined: it has none. */
  record: Readonly<Record<string, unknown>> | undefined;
  /** How it ended, from its record; undefined: the record tells of no end. */
  outcome: string | undefined;
  isOfSandbox: boolean;
  reasons: readonly Explanation[];
  /** Something outside holds it (`accountAndCampaignHolds.ts`), first among the reasons: it does not go on by itself. */
  isHeld: boolean;
  waitsFor: readonly Wait[];
  callbacks: CallbackDeliveryRow | undefined;
}

export interface Wait {
  what: 'timer' | 'effect';
  name: string;
  until: number;
  tries?: number;
}

/** `zone`: of every moment in them; the last sentence names it. */
export const writeMachineStatusSentences = (
  story: MachineSentenceFacts,
  language: Language,
  { when, zone }: { when: When; zone: string },
): string[] => {
  const { view, outcome, waitsFor, callbacks } = story;
  return [
    standingSentence(story, language, when),
    ...(outcome ? [outcome] : []),
    ...(story.isOfSandbox ? [sandboxNotice[language]] : []),
    ...reasonSentences(story, language, when),
    ...waitsFor.map((wait) => waitSentence(view.kind, wait, language, when)),
    ...(callbacks ? [callbackSentence(callbacks, language, when)] : []),
    ...(view.attention ? [attentionSentence(view.attention, language)] : []),
    timeZoneNotice[language](zone),
  ];
};

export const sandboxNotice: Both = {
  en: 'A sandbox carries it: it reaches no telephone and no network outside.',
  pt: 'Um sandbox cuida disso: nenhum telefone e nenhuma rede de fora é alcançada.',
};

/** Whose clock the moments of an explanation are on. */
export const timeZoneNotice: Readonly<Record<Language, (zone: string) => string>> = {
  en: (zone) => `Times are those of ${zone}.`,
  pt: (zone) => `Os horários são os de ${zone}.`,
};

const told = {
  en: {
    ended: 'It ended at',
    until: 'until',
    at: 'At',
    request: (what: string, tries: string, when: string) =>
      `Its request ${what} is not confirmed yet${tries}; the answer is due at ${when}.`,
    tries: (count: number) => `, after ${count} tries`,
    attention: 'Needs attention:',
    attentionTodo: 'Mend the cause, then move the machine on: the guide about stuck machines says how.',
  },
  pt: {
    ended: 'Terminou em',
    until: 'até',
    at: 'Em',
    request: (what: string, tries: string, when: string) =>
      `O pedido ${what} ainda não foi confirmado${tries}; a resposta é esperada até ${when}.`,
    tries: (count: number) => `, após ${count} tentativas`,
    attention: 'Precisa de atenção:',
    attentionTodo: 'Corrija a causa e faça a máquina continuar: o guia de máquinas paradas diz como.',
  },
} as const;

const standingSentence = (
  { view, record, isHeld }: MachineSentenceFacts,
  language: Language,
  when: When,
): string => {
  const { kind, state, endedAt } = view;
  // The log knows how far a message of which nothing more is heard has come.
  const path = kind === 'message' && state === 'done' ? `done.${String(record?.['state'])}` : state;
  const words = describeMachineState(kind, path);
  const says = words?.says[language] ?? unknownStateText[language](state);
  const todo = words?.todo && !isHeld ? ` ${words.todo[language]}` : '';
  if (endedAt === null) return `${says}${todo}`;
  const ended = `${told[language].ended} ${when(endedAt)}.`;
  // Of a call the outcome follows: that it has ended is said.
  return kind === 'call' && state === 'ended' ? ended : `${ended} ${says}${todo}`;
};

const reasonSentences = (
  { view: { kind, context, state }, reasons, isHeld }: MachineSentenceFacts,
  language: Language,
  when: When,
): string[] => {
  switch (kind) {
    case 'message':
      return reasons.map(
        ({ at }) => `${when(at)}: ${messageFailureSentence(context as MessageContext, language)}`,
      );
    case 'template': {
      const said = state === 'removed' ? '' : explainTemplateStatus(context as TemplateContext, language);
      const { changes, bornAt } = context as TemplateContext;
      return said === '' ? [] : [`${when(changes.at(-1)?.at ?? bornAt)}: ${said}`];
    }
    case 'delivery':
      return reasons.map((reason) => {
        const { says, todo } = explainDeliveryDelay(reason, context as DeliveryContext, language);
        return `${when(reason.at)}: ${says}${upTo(reason, language, when)}. ${todo}`;
      });
    default:
      return reasons.map((reason) => ruleSentence(reason, isHeld, language, when));
  }
};

/** Of a call, a campaign or a line. */
const ruleSentence = (reason: Explanation, isHeld: boolean, language: Language, when: When): string => {
  const words = describeCallRule(reason.rule);
  const particulars = translateKnownText(reason.detail, language);
  const says = particulars ?? [words?.says[language], quoted(reason.detail)].filter(Boolean).join(': ');
  const todo =
    words?.todo && !(isHeld && words.todo === goesOnByItselfText) ? ` ${words.todo[language]}` : '';
  return `${when(reason.at)}: ${says}${upTo(reason, language, when)}.${todo}`;
};

const upTo = ({ until }: Explanation, language: Language, when: When): string =>
  until === undefined ? '' : `; ${told[language].until} ${when(until)}`;

const waitSentence = (kind: string, wait: Wait, language: Language, when: When): string => {
  const words = told[language];
  if (wait.what === 'timer') {
    const does = describeMachineTimer(kind, wait.name)?.[language] ?? quoted(wait.name);
    return `${words.at} ${when(wait.until)} ${does}.`;
  }
  const what = describeMachineEffect(wait.name)?.[language] ?? quoted(wait.name);
  return words.request(what, wait.tries ? words.tries(wait.tries) : '', when(wait.until));
};

const attentionSentence = (attention: string, language: Language): string => {
  const words = told[language];
  return `${words.attention} ${attentionInWords(attention)[language]}. ${words.attentionTodo}`;
};
