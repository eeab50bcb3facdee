/** What needs an operator, from what the service counts, each with where to look next and what to do. Pure. */
import { language } from '../../browserPreferences.ts';
import type { ServiceOverview } from '../../data.ts';
import { formatDay, span } from '../../format.ts';
import type { HealthWords } from '../../healthInPageLanguage.ts';
import { kindName } from '../../kindName.ts';
import { showInstants } from '../../showInstants.ts';
import type { StatusTone } from '../../ui/mark.tsx';
import { formatLocalizedNumber, type Say } from '../../words/index.ts';

export const alertGroups = ['voice', 'deliveries', 'messages', 'service'] as const;

export interface OperatorAlert {
  key: string;
  feeling: StatusTone;
  /** How the list is filtered. */
  group: (typeof alertGroups)[number];
  title: string;
  text: string;
  /** Whose it is; absent: of the service. */
  account?: number;
  /** Since when, epoch milliseconds. */
  since?: number;
  /** Where an operator looks next. */
  href?: string;
  /** Dead letters that can be sent again: of this receiver, all of them. */
  replay?: { account: number; target: string; count: number };
}

/** All that needs an operator, the worst first. */
export const listOperatorAlerts = (
  overview: ServiceOverview,
  say: Say,
  health: HealthWords,
): OperatorAlert[] => [
  ...overview.shards.map((text) => ({
    ...{ key: text, feeling: 'bad' as const, group: 'service' as const, title: say('shardNotServed') },
    text: health.detail(text),
    href: '/admin/nodes',
  })),
  ...overview.checks.filter(({ ok }) => !ok).map((check) => failedCheck(check, say, health)),
  ...overview.nodes.flatMap((node) => silentOrLostNode(node, overview.at, say) ?? []),
  ...overview.deadLetters.map((letters) => deadLettersOf(letters, overview, say)),
  ...overview.troubled
    .filter(({ kind, state }) => kind !== 'delivery' || state !== 'deadLetter')
    .map((machine) => troubledMachine(machine, say)),
  ...overview.balances.map((balance) => lowBalance(balance, overview, say)),
  ...overview.rejected.map((template) => rejectedTemplate(template, overview, say)),
  ...overview.campaigns.filter(isDry).map((campaign) => dryCampaign(campaign, overview, say)),
];

/** Where a part of the service that is not well is looked at; the others on the page of nodes. */
const placesOfChecks: Readonly<Record<string, string>> = {
  carrier: '/admin/trunk-servers',
  trunks: '/admin/trunks',
  sms: '/admin/accounts',
  speech: '/admin/voices',
};

const failedCheck = (
  { name, detail }: ServiceOverview['checks'][number],
  say: Say,
  health: HealthWords,
): OperatorAlert => ({
  ...{ key: `check ${name}`, feeling: 'bad', group: 'service' },
  ...{ title: say('checkFails', { name: health.name(name) }), text: health.detail(detail) },
  href: placesOfChecks[name] ?? '/admin/nodes',
});

/** Others take over a node's machines after ten seconds of silence; so old a beat is news, milliseconds. */
export const silentMs = 30_000;

const silentOrLostNode = (
  { name, shard, beat_at: beat, lost_at: lost }: ServiceOverview['nodes'][number],
  now: number,
  say: Say,
): OperatorAlert | undefined => {
  const node = { feeling: 'bad', group: 'service', href: '/admin/nodes' } as const;
  if (lost !== null)
    return {
      ...{ ...node, key: `lost ${shard} ${name} ${lost}`, since: lost },
      ...{ title: say('nodeLost', { name }), text: say('nodeLostText') },
    };
  if (now - beat <= silentMs) return undefined;
  return {
    ...{ ...node, key: `node ${shard} ${name}`, since: beat },
    ...{ title: say('nodeSilent', { name }), text: say('nodeSilentText', { time: span(now - beat) }) },
  };
};

const nameOf = ({ accounts }: ServiceOverview, account: number): string =>
  accounts[account] ?? String(account);

const deadLettersOf = (
  {
    account_id: account,
    target,
    count,
    last_error_in_words: error,
    since,
  }: ServiceOverview['deadLetters'][number],
  overview: ServiceOverview,
  say: Say,
): OperatorAlert => ({
  ...{ key: `dead ${account} ${target}`, feeling: 'bad', group: 'deliveries', account, since },
  title: say(count === 1 ? 'deadLetter' : 'deadLetters', { count, target }),
  text: say('deadLettersText', { account: nameOf(overview, account), error: error[language.get()] }),
  href: `/admin/deliveries?${new URLSearchParams({ account: String(account), target })}`,
  replay: { account, target, count },
});

const groupOf = (kind: string): OperatorAlert['group'] => {
  if (kind === 'delivery') return 'deliveries';
  if (kind === 'message' || kind === 'template') return 'messages';
  return 'voice';
};

const troubledMachine = (
  { id, account, kind, attention_in_words: why, created_at }: ServiceOverview['troubled'][number],
  say: Say,
): OperatorAlert => ({
  ...{ key: `${account} ${id}`, feeling: 'bad', group: groupOf(kind), account, since: created_at },
  title: say('machineTroubled', { kind: kindName(kind, say), id }),
  text: showInstants(why[language.get()]),
  href: `/admin/machines/${id}?account=${account}`,
});

/** Balances are kept in ten-thousandths. */
const money = (amount: number): string => formatLocalizedNumber(amount / 10_000, 2);

const lowBalance = (
  { account_id: account, amount, spent }: ServiceOverview['balances'][number],
  overview: ServiceOverview,
  say: Say,
): OperatorAlert => ({
  ...{ key: `balance ${account}`, feeling: amount <= 0 ? 'bad' : 'warn', group: 'service', account },
  title: say('balanceLow', { account: nameOf(overview, account) }),
  text: say('balanceLowText', { amount: money(amount), spent: money(spent) }),
  href: `/admin/accounts/${account}/credits`,
});

const rejectedTemplate = (
  { account_id: account, id, name, reason, since }: ServiceOverview['rejected'][number],
  overview: ServiceOverview,
  say: Say,
): OperatorAlert => ({
  ...{ key: `template ${account} ${id}`, feeling: 'warn', group: 'messages', account, since },
  title: say('templateRejected', { name }),
  text: say('templateRejectedText', { account: nameOf(overview, account), reason: reason || '–' }),
  href: `/admin/accounts/${account}/templates/${id}`,
});

type Campaign = ServiceOverview['campaigns'][number];

/** Its days go on, and no number is left that was not called. */
const isDry = ({ state, phase }: Campaign): boolean => state === 'active' && phase === 'draining';

const dryCampaign = (
  { account_id: account, id, name, date_end: end }: Campaign,
  overview: ServiceOverview,
  say: Say,
): OperatorAlert => ({
  ...{ key: `dry ${account} ${id}`, feeling: 'warn', group: 'voice', account },
  title: say('listDry', { name }),
  text: say('listDryText', { account: nameOf(overview, account), end: formatDay(end) }),
  href: `/admin/campaigns/${id}`,
});
