/** The answers of the rules as they were written down, each as a line: what was asked, and what it said. */
import type { DialRuleAnswers } from '../../../machines/contracts/clearance.ts';
import type { Both, Language } from '../explained/language.ts';
import { both } from '../explained/words.ts';
import type { CampaignHoursNow } from './campaignHoursNow.ts';
import { type RuleName, ruleNames } from './numberStoryTexts.ts';

export interface DialRuleAnswerLine {
  rule: RuleName;
  /** Its name. */
  title: string;
  answer: 'yes' | 'no' | 'notAsked';
  says: string;
}

/** What is known beside the answers. */
export interface DialRuleExplanationContext {
  /** The call is one of a campaign. */
  ofCampaign: boolean;
  attempt: number;
  /** It was dialled. */
  dialled: boolean;
  /** The rule that said no; empty: none did. */
  rule: string;
  /** The reason given for the entry of the block list, or by the rule that said no. */
  detail: string;
  /** The hours that the campaign keeps now; absent: the answers are of a dial in the past, or of a single call. */
  campaignHours?: CampaignHoursNow;
}

type Said = [answer: DialRuleAnswerLine['answer'], says: Both];
type Asked = DialRuleExplanationContext & { answers: DialRuleAnswers };

const notReached: Said = ['notAsked', both('not asked any more', 'não foi mais perguntado')];
const notAsked = (en: string, pt: string): Said => ['notAsked', both(en, pt)];
const yes = (en: string, pt: string): Said => ['yes', both(en, pt)];
const no = (en: string, pt: string): Said => ['no', both(en, pt)];

/** A rule that was not asked: the one before it said no, or the call has no such rule. */
const absent = ({ dialled }: Asked, why: Said): Said => (dialled ? why : notReached);

const limited = (pair: readonly [number, number] | undefined, asked: Asked): Said => {
  if (!pair) return absent(asked, notAsked('the call has no such limit', 'a ligação não tem esse limite'));
  const [count, limit] = pair;
  const said = count >= limit ? no : yes;
  return said(`${count} before this one, limit ${limit}`, `${count} antes desta, limite ${limit}`);
};

const optedOut = 'opted out by key';

/**
 * A campaign keeps its hours itself, and its calls are dialled whatever the account's window says: that one is written
 * with them all the same.
 */
const isBinding = ({ ofCampaign, rule }: Asked): boolean =>
  !ofCampaign || rule === 'window' || rule === 'holiday';

const notBinding = (en: string, pt: string): Said =>
  notAsked(
    `${en}; it does not apply: the campaign keeps its own hours`,
    `${pt}; não se aplica: a campanha segue o próprio horário`,
  );

const windowSaid = (asked: Asked): Said => {
  if (asked.campaignHours) return campaignWindowSaid(asked.campaignHours);
  const { window } = asked.answers;
  if (window === undefined)
    return absent(
      asked,
      notAsked('the call does not wait for one (bkddd)', 'a ligação não aguarda uma (bkddd)'),
    );
  if (window === 'any')
    return yes('the number has no region: at any time', 'o número não tem região: a qualquer hora');
  const [state = '', ...hours] = window.split(' ');
  if (hours[0] !== 'closed')
    return yes(`${state}, ${hours.join(', ')}: open`, `${state}, ${hours.join(', ')}: aberta`);
  const day = hours.slice(1).join(', ');
  const [en, pt] =
    day === ''
      ? [`${state}: closed that day`, `${state}: fechada nesse dia`]
      : [`${state}, ${day}: closed at that hour`, `${state}, ${day}: fechada nessa hora`];
  return isBinding(asked) ? no(en, pt) : notBinding(en, pt);
};

/** As the campaign plans it at this moment. */
const campaignWindowSaid = ({ hours, keepsTable, objection }: CampaignHoursNow): Said => {
  const [en, pt] = keepsTable
    ? [
        `hours of the campaign, ${hours}, within the account’s`,
        `horário da campanha, ${hours}, dentro do horário da conta`,
      ]
    : [`hours of the campaign, ${hours}`, `horário da campanha, ${hours}`];
  return objection ? no(`${en}: closed now`, `${pt}: fechado agora`) : yes(`${en}: open`, `${pt}: aberto`);
};

const holidaySaid = (asked: Asked): Said => {
  const { answers, campaignHours } = asked;
  const { holiday, window } = answers;
  if (campaignHours && !campaignHours.keepsTable)
    return notAsked('the campaign calls on holidays too', 'a campanha liga também em feriados');
  if (holiday === undefined)
    return window === 'any'
      ? notAsked('the number has no region', 'o número não tem região')
      : absent(asked, notAsked('not asked', 'não foi perguntado'));
  const [state = ''] = (window ?? '').split(' ');
  if (holiday === 'none') return yes(`none in ${state}`, `nenhum em ${state}`);
  if (!window?.includes('closed')) return yes(holiday, holiday);
  return isBinding(asked) ? no(holiday, holiday) : notBinding(holiday, holiday);
};

const says: Readonly<Record<RuleName, (asked: Asked) => Said>> = {
  account: ({ answers: { account } }) => {
    switch (account) {
      case 'off':
        return no('switched off', 'desativada');
      case 'closed':
        return no('calls no such numbers (closed_prefixes)', 'não liga para números assim (closed_prefixes)');
      case 'spent':
        return no('has spent its limit of the day (spend_per_day)', 'já gastou o limite do dia (spend_per_day)');
      case 'unfunded':
        return no('its balance, or one above it, covers no call (charge_calls)', 'o saldo dela, ou de uma revenda acima, não cobre a ligação (charge_calls)');
      default:
        return yes('active', 'ativa');
    }
  },
  campaign: (asked) => {
    const { campaign } = asked.answers;
    if (campaign === 'paused') return no('paused', 'pausada');
    if (campaign === 'active')
      return yes(`active; attempt ${asked.attempt} granted`, `ativa; tentativa ${asked.attempt} concedida`);
    return asked.ofCampaign ? notReached : notAsked('the call is one of no campaign', 'a ligação não é de campanha');
  },
  list: (asked) => {
    switch (asked.answers.list) {
      case 'none':
        return yes('on neither the account’s nor the global one', 'nem na da conta nem na global');
      case 'account':
        return no('on the account’s block list', 'na lista de bloqueio da conta');
      case 'global':
        return no('on the global block list', 'na lista global de bloqueio');
      case 'passed':
        return notAsked('the call passes block lists (free)', 'a ligação passa pelas listas de bloqueio (free)');
      default:
        return notReached;
    }
  },
  optOut: (asked) => {
    switch (asked.answers.list) {
      case 'account':
        return asked.detail.endsWith(`: ${optedOut}`)
          ? no('pressed: the number is on the account’s block list for it', 'apertado: por isso o número está na lista da conta')
          : yes('the entry of the block list is not one by key', 'o bloqueio na lista não veio de uma tecla');
      case 'none':
      case 'global':
        return yes('never pressed: that would be on the account’s block list', 'nunca apertado: estaria na lista de bloqueio da conta');
      case 'passed':
        return notAsked('the call passes block lists (free)', 'a ligação passa pelas listas de bloqueio (free)');
      default:
        return notReached;
    }
  },
  rest: (asked) => {
    const { rest } = asked.answers;
    if (rest === undefined)
      return absent(asked, notAsked('counted by campaign or cpid only, and it has neither', 'só conta por campanha ou cpid, e ela não tem'));
    if (rest === 'none') return yes('not against calls of this campaign', 'não é contra ligações desta campanha');
    return rest === 'rejected'
      ? no('its network took a call of this campaign for spam', 'a rede dela tratou uma ligação desta campanha como spam')
      : no('it wants no calls of this campaign', 'não quer ligações desta campanha');
  },
  calls: (asked) => limited(asked.answers.calls, asked),
  audio: (asked) => limited(asked.answers.audio, asked),
  window: windowSaid,
  holiday: holidaySaid,
  other: (asked) => {
    if (!asked.dialled) return notReached;
    return asked.ofCampaign
      ? yes('none going on', 'nenhuma em curso')
      : notAsked('asked for campaigns only', 'só se pergunta em campanhas');
  },
  trunk: ({ answers: { trunks, line }, dialled }) => {
    if (dialled || line !== undefined) return yes('one may carry it', 'há um que pode levá-la');
    return trunks ? no(trunks.join(', '), trunks.join(', ')) : notReached;
  },
  callerId: (asked) => {
    const { callerId } = asked.answers;
    if (callerId === undefined)
      return absent(asked, notAsked('the call shows its own, out of no pool', 'a ligação exibe o próprio, fora de grupos'));
    return callerId === 'full'
      ? no('all of its pool have had their calls of the hour', 'todos do grupo já fizeram as ligações da hora')
      : yes(`${callerId}, chosen by its pool`, `${callerId}, escolhido pelo grupo`);
  },
  line: (asked) => {
    const { line } = asked.answers;
    if (line === undefined) return notReached;
    if (line === 'full') return no('too many calls wait for the carrier', 'há chamadas demais à espera da operadora');
    const seconds = (line / 1000).toFixed(1);
    return line < 100
      ? yes('free at once', 'livre na hora')
      : yes(`free after ${seconds} s`, `livre após ${seconds.replace('.', ',')} s`);
  },
}; // prettier-ignore

/** A line a rule, in the order in which they are asked. */
export const toRuleAnswerLines = (
  answers: DialRuleAnswers,
  asked: DialRuleExplanationContext,
  language: Language,
): DialRuleAnswerLine[] =>
  (Object.keys(ruleNames) as RuleName[]).map((rule) => {
    const [answer, words] = says[rule]({ ...asked, answers });
    return { rule, title: ruleNames[rule][language], answer, says: words[language] };
  });

const isPair = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.length === 2 && value.every(Number.isFinite));
const isWord = (value: unknown): boolean => value === undefined || typeof value === 'string';

/** The answers in an event, as far as they are of this form; undefined: none were written. */
export const parseDialRuleAnswers = (payload: unknown): DialRuleAnswers | undefined => {
  const answers = (payload as { answers?: unknown } | null)?.answers;
  if (typeof answers !== 'object' || answers === null) return undefined;
  const { account, campaign, list, rest, window, holiday, callerId, calls, audio, line } = answers as Record<string, unknown>;
  const words = [account, campaign, list, rest, window, holiday, callerId].every(isWord);
  const isLine = line === undefined || line === 'full' || Number.isFinite(line);
  return words && isPair(calls) && isPair(audio) && isLine ? answers : undefined;
}; // prettier-ignore
