/** May the number be called now, and when: the rules are asked as admission asks them, and nothing is granted. */
import type { CampaignContext } from '../../../machines/campaign/context.ts';
import type { MachineView } from '../../engine/contract/api.ts';
import type { AdminDeps } from '../deps.ts';
import { describeMachineState } from '../explained/states.ts';
import type { CallInNumberHistory } from '../../store/reads/why/callsToNumber.ts';
import { writeCallId } from '../../wire/callId.ts';
import { type DialRuleAnswerLine, toRuleAnswerLines } from './formatRecordedRuleAnswers.ts';
import { campaignHoursNow } from './campaignHoursNow.ts';
import { contextOf, questionOfNextDial } from './nextDialClearanceRequest.ts';
import { type AccountLocalizer, ruleExplanationText } from './told.ts';

export interface NumberDialableNowVerdict {
  account: number;
  name: string;
  may: 'now' | 'later' | 'never' | 'inCall';
  rule: string;
  until: number | null;
  sentence: string;
  rules: DialRuleAnswerLine[];
  /** An entry of the account's own block list, or the global one, has it. */
  blocked: 'account' | 'global' | null;
}

interface Objection {
  type: string;
  reason?: string;
  detail?: string;
  /** Absent: for good. */
  until?: number;
}

export interface NumberDialableNowQuery {
  deps: AdminDeps;
  teller: AccountLocalizer;
  number: string;
  /** Sentences name the account: there are several. */
  isOneOfMany: boolean;
  /** The newest call of the account to the number. */
  newest: CallInNumberHistory | undefined;
  /** A campaign that goes on and has the number. */
  campaign: number | undefined;
}

export const checkNumberDialableNow = async (
  standing: NumberDialableNowQuery,
): Promise<NumberDialableNowVerdict> => {
  const { deps, teller, newest } = standing;
  const { account } = teller;
  const ref = newest && { shard: account.shard, account: account.id, id: newest.id };
  const view = ref && (await deps.engine.view(ref));
  const running = await runningCampaign(standing);
  const question = questionOfNextDial(standing, view, running);
  const caller = { shard: account.shard, account: account.id, id: 0 };
  const { objection: refusal, answers } = await deps.wouldClear(caller, question);
  const hours =
    running && campaignHoursNow(standing.number, deps.engine.now(account.shard), running, account);
  const objection = decisive(refusal, hours?.objection);
  const rules = toRuleAnswerLines(
    answers,
    {
      ...{ ofCampaign: question.campaign !== undefined, attempt: 1, dialled: !refusal },
      ...{ rule: refusal ? ruleOf(refusal) : '', detail: refusal?.detail ?? '' },
      ...(hours && { campaignHours: hours }),
    },
    teller.language,
  ).filter(({ rule }) => rule !== 'line' && rule !== 'other');
  const blocked = answers.list === 'account' || answers.list === 'global' ? answers.list : null;
  const about = { account: account.id, name: account.name, rules, blocked };
  const who = standing.isOneOfMany ? teller.words.of(account.name) : '';
  if (view && isUp(view)) return { ...about, ...inCall(teller, who, view) };
  return { ...about, ...(objection ? held(teller, who, objection) : free(teller, who)) };
};

/** The campaign that goes on and has the number; undefined: there is none, or it has not begun. */
const runningCampaign = async ({
  deps,
  teller: { account },
  campaign,
}: NumberDialableNowQuery): Promise<CampaignContext | undefined> => {
  if (campaign === undefined) return undefined;
  const view = await deps.engine.view({ shard: account.shard, account: account.id, id: campaign });
  return contextOf<CampaignContext>(view);
};

/** What holds the call the longest: for good, or until the later moment. */
const decisive = (rules: Objection | undefined, hours: Objection | undefined): Objection | undefined => {
  if (!rules || !hours) return rules ?? hours;
  const [one, other] = [rules.until ?? Infinity, hours.until ?? Infinity];
  return other > one ? hours : rules;
};

const isUp = ({ state, endedAt }: MachineView): boolean =>
  endedAt === null && /^(?:dialing|checking|answered)/.test(state);

const inCall = ({ language, words }: AccountLocalizer, who: string, { shard, id, state }: MachineView) => {
  const says = describeMachineState('call', state)?.says[language] ?? state;
  const named = `${writeCallId(shard, id)}, ${says.charAt(0).toLowerCase()}${says.slice(1)}`;
  return {
    may: 'inCall' as const,
    ...{ rule: 'busyNumber', until: null },
    sentence: words.goingOn(who, named.replace(/\.$/, '')),
  };
};

const free = ({ words }: AccountLocalizer, who: string) => ({
  may: 'now' as const,
  ...{ rule: '', until: null, sentence: words.mayNow(who) },
});

/** The grant is taken back: its campaign is paused. */
const ruleOf = ({ type, reason = '' }: Objection): string => (type === 'attemptRevoked' ? 'paused' : reason);

const held = (teller: AccountLocalizer, who: string, objection: Objection) => {
  const { words, when } = teller;
  const rule = ruleOf(objection);
  const why =
    rule === 'paused' ? words.paused : ruleExplanationText(teller, { rule, detail: objection.detail ?? '' });
  const { until } = objection;
  return until === undefined
    ? { may: 'never' as const, rule, until: null, sentence: words.never(who, why) }
    : { may: 'later' as const, rule, until, sentence: words.mayFrom(who, when(until), why) };
};
