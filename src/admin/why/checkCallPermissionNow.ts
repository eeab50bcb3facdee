/** May the number be called now, and when: the rules are asked as admission asks them, and nothing is granted. */
import type { DialClearanceEffects } from '../../../machines/contracts/clearance.ts';
import type { CallInput } from '../../../machines/call/input.ts';
import type { CampaignContext } from '../../../machines/campaign/context.ts';
import type { MachineView } from '../../engine/contract/api.ts';
import type { AdminDeps } from '../deps.ts';
import { describeMachineState } from '../explained/states.ts';
import type { CallInNumberHistory } from '../../store/reads/why/callsToNumber.ts';
import { writeCallId } from '../../wire/callId.ts';
import { type DialRuleAnswerLine, toRuleAnswerLines } from './formatRecordedRuleAnswers.ts';
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

type Question = DialClearanceEffects['requestClearance'];

export const checkNumberDialableNow = async (
  standing: NumberDialableNowQuery,
): Promise<NumberDialableNowVerdict> => {
  const { deps, teller, newest } = standing;
  const { account } = teller;
  const ref = newest && { shard: account.shard, account: account.id, id: newest.id };
  const view = ref && (await deps.engine.view(ref));
  const question = questionOf(standing, await termsOf(standing, view));
  const caller = { shard: account.shard, account: account.id, id: 0 };
  const { objection, answers } = await deps.wouldClear(caller, question);
  const detail = objection?.detail ?? '';
  const rules = toRuleAnswerLines(
    answers,
    { ofCampaign: question.campaign !== undefined, attempt: 1, dialled: !objection, detail },
    teller.language,
  ).filter(({ rule }) => rule !== 'line' && rule !== 'other');
  const blocked = answers.list === 'account' || answers.list === 'global' ? answers.list : null;
  const about = { account: account.id, name: account.name, rules, blocked };
  const who = standing.isOneOfMany ? teller.words.of(account.name) : '';
  if (view && isUp(view)) return { ...about, ...inCall(teller, who, view) };
  return { ...about, ...(objection ? held(teller, who, objection) : free(teller, who)) };
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

const held = (
  teller: AccountLocalizer,
  who: string,
  objection: { type: string; reason?: string; detail?: string; until?: number },
) => {
  const { words, when } = teller;
  // The grant is taken back: its campaign is paused.
  const rule = objection.type === 'attemptRevoked' ? 'paused' : (objection.reason ?? '');
  const why =
    rule === 'paused' ? words.paused : ruleExplanationText(teller, { rule, detail: objection.detail ?? '' });
  const { until } = objection;
  return until === undefined
    ? { may: 'never' as const, rule, until: null, sentence: words.never(who, why) }
    : { may: 'later' as const, rule, until, sentence: words.mayFrom(who, when(until), why) };
};

/** What a call brings along that rules ask for. */
type Terms = Partial<Pick<CallInput, 'callerId' | 'callerIdAsked' | 'fixedRoutes'>> & {
  policy?: Partial<CallInput['policy']>;
};

/** Those of the newest call; where a campaign has the number that has not called it, those of its calls. */
const termsOf = async (
  { deps, teller: { account }, newest, campaign }: NumberDialableNowQuery,
  view: MachineView | undefined,
): Promise<Terms> => {
  if (campaign === undefined || newest?.campaign_id === campaign)
    return contextOf<{ call?: Terms }>(view)?.call ?? {};
  const its = await deps.engine.view({ shard: account.shard, account: account.id, id: campaign });
  return contextOf<CampaignContext>(its)?.definition.call ?? {};
};

const contextOf = <Context>(view: MachineView | undefined): Context | undefined =>
  view && !view.pending ? (view.context as Context) : undefined;

/** The question of such a call. */
const questionOf = (
  { teller: { account }, number, newest, campaign }: NumberDialableNowQuery,
  { policy, callerId = account.caller_id, callerIdAsked, fixedRoutes = [] }: Terms,
): Question => {
  const customerCampaign = newest?.customer_campaign ?? '';
  const scope =
    campaign === undefined
      ? customerCampaign === ''
        ? undefined
        : `cpid ${customerCampaign}`
      : `campaign ${campaign}`;
  const waits = policy?.waitForWindow ?? account.regional_window !== 0;
  return {
    destination: number,
    ...{ attempt: 1, priority: 0, customerCampaign, audioKey: policy?.audioKey ?? '' },
    skipBlocklist: policy?.skipBlocklist ?? account.skip_blocklist,
    waitForWindow: waits || campaign !== undefined || newest === undefined,
    ...(policy?.numberLimit !== undefined && { numberLimit: policy.numberLimit }),
    ...(policy?.audioLimit !== undefined && { audioLimit: policy.audioLimit }),
    ...(campaign !== undefined && { campaign }),
    ...(scope !== undefined && { restScope: scope }),
    ...(callerId !== '' && { callerId }),
    ...(callerIdAsked && { callerIdAsked }),
    ...(fixedRoutes.length > 0 && { forcedRoutes: fixedRoutes }),
  };
};
