/** What is said about a number, in both languages. */
import type { Both, Language } from '../explained/language.ts';
import { both } from '../explained/words.ts';

/** Counted in both languages. */
const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

export interface NumberStoryTexts {
  notDialled: string;
  dialled(count: number, last: string): string;
  dialledBefore(last: string): string;
  mayNow(who: string): string;
  mayFrom(who: string, when: string, why: string): string;
  never(who: string, why: string): string;
  goingOn(who: string, call: string): string;
  of(account: string): string;
  nothing: string;
  called(by: string, attempt: number): string;
  calledSingle(attempt: number): string;
  notCalled(why: string): string;
  postponed(why: string, until: string): string;
  askedAgain(why: string): string;
  over(why: string): string;
  busyNumber: string;
  paused: string;
  notCleared: string;
  waits(campaign: string, why: string, until: string | undefined): string;
  until(why: string, until: string): string;
  waitsTurn: string;
  unreached(campaign: string): string;
  leftOut(campaign: string, why: string): string;
  fromList(row: string, list: string, uploaded: string, campaign: string, started: string): string;
  by(actor: string): string;
  single(when: string, by: string): string;
  campaignOnly(campaign: string, started: string): string;
  asked(when: string): string;
  written: string;
  unwritten: string;
  copied(number: string, account: string): string;
}

const en: NumberStoryTexts = {
  notDialled: 'Never called.',
  dialled: (count, last) => `Called ${count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`} in 30 days, last at ${last}.`,
  dialledBefore: (last) => `Not called in 30 days; the last call was at ${last}.`,
  mayNow: (who) => `It may be called now${who}.`,
  mayFrom: (who, when, why) => `It is not called${who} before ${when}: ${why}.`,
  never: (who, why) => `It is not called${who}: ${why}.`,
  goingOn: (who, call) => `It is in a call now${who}: ${call}.`,
  of: (account) => ` for ${account}`,
  nothing: 'Nothing is known of this number.',
  called: (by, attempt) => `Called by ${by}, attempt ${attempt}.`,
  calledSingle: (attempt) => `Called, attempt ${attempt}.`,
  notCalled: (why) => `Not called: ${why}.`,
  postponed: (why, until) => `Not called at that moment: ${why}. Postponed to ${until}.`,
  askedAgain: (why) => `Not called at that moment: ${why}. It was asked again.`,
  over: (why) => `Not called any more: ${why}.`,
  busyNumber: 'another call to the same number was going on',
  paused: 'its campaign was paused',
  notCleared: 'the permission to dial could not be obtained',
  waits: (campaign, why, until) => `Waits in the list of ${campaign}: ${why}${until === undefined ? '' : `, until ${until}`}.`,
  until: (why, until) => `Until ${until}: ${why}.`,
  waitsTurn: 'it has not had its turn yet',
  unreached: (campaign) => `Not called: ${campaign} ended before its turn came.`,
  leftOut: (campaign, why) => `Left out of ${campaign}: ${why}.`,
  fromList: (row, list, uploaded, campaign, started) =>
    `The number stood in row ${row} of ${list}, uploaded at ${uploaded}, for the campaign ${campaign}, created at ${started}.`,
  by: (actor) => ` by ${actor}`,
  single: (when, by) => `The call was asked for at ${when}${by}, for this number alone.`,
  campaignOnly: (campaign, started) => `The number came from the list of the campaign ${campaign}, created at ${started}; the list is not there any more.`,
  asked: (when) => `Asked before the dial, ${when}`,
  written: 'These are the answers of the rules as they were written down then. They are not worked out again.',
  unwritten: 'What the rules answered then was not written down.',
  copied: (number, account) => `Call to ${number}, ${account}`,
}; // prettier-ignore

const pt: NumberStoryTexts = {
  notDialled: 'Nunca chamado.',
  dialled: (count, last) => `Chamado ${counted(count, 'vez', 'vezes')} em 30 dias, a última em ${last}.`,
  dialledBefore: (last) => `Não chamado em 30 dias; a última ligação foi em ${last}.`,
  mayNow: (who) => `Pode ser chamado agora${who}.`,
  mayFrom: (who, when, why) => `Não será chamado${who} antes de ${when}: ${why}.`,
  never: (who, why) => `Não será chamado${who}: ${why}.`,
  goingOn: (who, call) => `Está em uma ligação agora${who}: ${call}.`,
  of: (account) => ` por ${account}`,
  nothing: 'Nada se sabe deste número.',
  called: (by, attempt) => `Chamado por ${by}, tentativa ${attempt}.`,
  calledSingle: (attempt) => `Chamado, tentativa ${attempt}.`,
  notCalled: (why) => `Não chamado: ${why}.`,
  postponed: (why, until) => `Não chamado naquele momento: ${why}. Adiado para ${until}.`,
  askedAgain: (why) => `Não chamado naquele momento: ${why}. Foi perguntado de novo.`,
  over: (why) => `Não será mais chamado: ${why}.`,
  busyNumber: 'outra ligação para o mesmo número estava em curso',
  paused: 'a campanha estava pausada',
  notCleared: 'não foi possível obter a permissão para discar',
  waits: (campaign, why, until) => `Aguarda na lista de ${campaign}: ${why}${until === undefined ? '' : `, até ${until}`}.`,
  until: (why, until) => `Até ${until}: ${why}.`,
  waitsTurn: 'ainda não teve a vez',
  unreached: (campaign) => `Não chamado: ${campaign} acabou antes da sua vez.`,
  leftOut: (campaign, why) => `Fora de ${campaign}: ${why}.`,
  fromList: (row, list, uploaded, campaign, started) =>
    `O número estava na linha ${row} de ${list}, enviada em ${uploaded}, para a campanha ${campaign}, criada em ${started}.`,
  by: (actor) => ` por ${actor}`,
  single: (when, by) => `A ligação foi pedida em ${when}${by}, só para este número.`,
  campaignOnly: (campaign, started) => `O número veio da lista da campanha ${campaign}, criada em ${started}; a lista não existe mais.`,
  asked: (when) => `Perguntado antes de discar, ${when}`,
  written: 'São as respostas das regras como foram gravadas na hora. Nada foi recalculado.',
  unwritten: 'O que as regras responderam não foi gravado.',
  copied: (number, account) => `Ligação para ${number}, ${account}`,
}; // prettier-ignore

export const numberStoryTexts: Readonly<Record<Language, NumberStoryTexts>> = { en, pt };

/** Names of the rules, as a list of them shows them. */
export const ruleNames = {
  account: both('Account', 'Conta'),
  campaign: both('Campaign', 'Campanha'),
  list: both('Block lists', 'Listas de bloqueio'),
  optOut: both('Opt-out by key', 'Descadastro por tecla'),
  rest: both('Wish of the callee', 'Vontade da pessoa'),
  calls: both('Calls in 30 days', 'Ligações em 30 dias'),
  audio: both('With the same audio', 'Com o mesmo áudio'),
  window: both('Calling window', 'Janela de ligações'),
  holiday: both('Holidays', 'Feriados'),
  other: both('Other calls to it', 'Outras ligações a ele'),
  trunk: both('Trunk', 'Tronco'),
  callerId: both('Caller id', 'Número exibido'),
  line: both('Free line', 'Linha livre'),
} as const satisfies Readonly<Record<string, Both>>;

export type RuleName = keyof typeof ruleNames;
