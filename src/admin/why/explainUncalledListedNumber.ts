/** A number in lists of campaigns that have not called it: it waits, or was left out. */
import type { Explanation } from '../../engine/contract/kind.ts';
import type { AdminDeps } from '../deps.ts';
import { describeCallRule } from '../explained/rules.ts';
import { both } from '../explained/words.ts';
import type { CampaignListNumber } from '../../store/reads/why/numberInCampaignLists.ts';
import type { NumberHistoryEvent } from './callHistoryEvents.ts';
import { ruleDisplayName, type AccountLocalizer, ruleExplanationText } from './told.ts';

const over = new Set(['completed', 'limitReached', 'expired', 'failed']);

/** Rules of a campaign that hold its destinations back, the one that decides first. */
const holding = ['loading', 'failed', 'paused', 'max_answered', 'date_end', 'window', 'lig_min', 'pas'];

interface Told {
  deps: AdminDeps;
  shard: string;
  teller: AccountLocalizer;
}

/** Undefined: it was called, and its calls say the rest. */
export const explainUncalledListedNumber = async (
  told: Told,
  one: CampaignListNumber,
): Promise<NumberHistoryEvent | undefined> => {
  if (one.called) return undefined;
  return one.skipped === null ? waiting(told, one) : leftOut(told.teller, one, one.skipped);
};

const of = (one: CampaignListNumber, at: number) => ({
  at,
  account: one.account_id,
  call: null,
  campaign: { id: one.campaign_id, name: one.campaign },
  times: 1,
  statement: null,
});

const leftOut = (teller: AccountLocalizer, one: CampaignListNumber, reason: string): NumberHistoryEvent => ({
  ...of(one, one.campaign_created_at),
  ...{ what: 'leftOut', rule: `skipped:${reason}`, until: null },
  ruleName: ruleDisplayName(teller, `skipped:${reason}`),
  sentence: teller.words.leftOut(one.campaign, leftOutWords(reason, teller)),
});

const ofOne = {
  filter: both('it has another value in the filtered column', 'tem outro valor na coluna filtrada'),
  mobile: both('it is a mobile number, and those are left out', 'é um número móvel, e esses ficam de fora'),
  blocklist: both('it was on a block list', 'estava em uma lista de bloqueio'),
  duplicate: both('the number stands before in the list', 'o número já estava na lista'),
  name: both('too many records have the same name', 'há registros demais com o mesmo nome'),
} as const;

const leftOutWords = (reason: string, { language }: AccountLocalizer): string =>
  Object.hasOwn(ofOne, reason)
    ? ofOne[reason as keyof typeof ofOne][language]
    : (describeCallRule(`skipped:${reason}`)?.says[language] ?? reason);

const waiting = async (told: Told, one: CampaignListNumber): Promise<NumberHistoryEvent> => {
  const { deps, shard, teller } = told;
  if (over.has(one.state)) return unreached(teller, one);
  const reason = await holdingBack(told, one);
  const rule = reason?.rule ?? 'turn';
  const until = reason?.until;
  const why = reason ? heldBackBy(teller, reason) : teller.words.waitsTurn;
  return {
    ...of(one, deps.engine.now(shard)),
    ...{ what: 'waiting', rule, ruleName: ruleDisplayName(teller, rule), until: until ?? null },
    sentence: teller.words.waits(one.campaign, why, until === undefined ? undefined : teller.when(until)),
  };
};

const unreached = (teller: AccountLocalizer, one: CampaignListNumber): NumberHistoryEvent => ({
  ...of(one, one.campaign_created_at),
  ...{
    what: 'notCalled',
    rule: one.state,
    ruleName: ruleDisplayName(teller, ruleOfEnd[one.state] ?? one.state),
  },
  ...{ sentence: teller.words.unreached(one.campaign), until: null },
});

const ruleOfEnd: Readonly<Record<string, string>> = { limitReached: 'max_answered', expired: 'date_end' };

/** What the campaign says of itself: the same sentences as its explanation. */
const holdingBack = async (
  { deps, shard }: Told,
  one: CampaignListNumber,
): Promise<Explanation | undefined> => {
  const ref = { shard, account: one.account_id, id: one.campaign_id };
  const view = await deps.engine.view(ref);
  if (!view || view.pending) return undefined;
  const said = deps.kind('campaign')?.explain?.(view.context) ?? [];
  return holding
    .flatMap((rule) => said.filter((reason) => reason.rule === rule))
    .find(({ rule, detail }) => rule !== 'window' || isOfRegion(detail, one.region));
};

const heldBackBy = (teller: AccountLocalizer, { rule, detail }: Explanation): string => {
  if (rule === 'window')
    return ruleExplanationText(teller, { rule, detail: detail.replace(/^\d+ destinations [^:]*: /, '') });
  return describeCallRule(rule)?.says[teller.language] ?? ruleExplanationText(teller, { rule, detail });
};

/** `12 destinations SP: …`, as the chart says it. */
const isOfRegion = (detail: string, region: string): boolean =>
  detail.includes(` destinations ${region || 'without a region'}: `);
