/** What the destinations of a campaign wait for, counted by reason; and who was left out. */
import * as z from 'zod';
import type { CampaignContext } from '../../../machines/campaign/context.ts';
import type { Explanation } from '../../engine/contract/kind.ts';
import type { MachineView } from '../../engine/contract/api.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import type { CampaignRow } from '../../store/reads/campaigns/campaigns.ts';
import { countSkippedDestinations } from '../../store/reads/campaigns/skippedAndDialledRecords.ts';
import {
  type PostponedCallCount,
  countCampaignCallsByWaitReason,
} from '../../store/reads/why/countWaitingCampaignCalls.ts';
import { campaignPathLookup } from '../campaigns/campaignInPath.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import { type Language, negotiateLanguage } from '../explained/language.ts';
import { describeCallRule } from '../explained/rules.ts';
import { describeMachineState } from '../explained/states.ts';
import { at, neverRefusedQueryField } from '../fieldSchemas.ts';

interface OfCampaign {
  account: AccountRow;
  row: CampaignRow;
}

const group = z.object({
  what: z.enum(['row', 'call']).describe('row: of the list, without a call so far.'),
  reason: z.string().describe('A word for the rule, or the state of the calls.'),
  name: z.string().describe('In words.'),
  region: z.string().nullable().describe('Where they ring, if the reason is one of a region.'),
  count: z.int(),
  until: at.nullable().describe('The earliest moment at which one of them goes on.'),
});

type Group = z.output<typeof group>;

export const countWaitingDestinationsRoutes = {
  'GET /accounts/:account/campaigns/:campaign/waiting': defineRoute({
    role: 'operator',
    summary: 'Counts what the destinations of a campaign wait for, by reason, and who was left out.',
    scope: campaignPathLookup,
    query: z.object({
      lang: neverRefusedQueryField.describe('`en` or `pt`; default: as the request accepts, else `en`.'),
    }),
    answer: z.object({
      destinations: z.int(),
      ended: z.int(),
      under_way: z.int().describe('Their calls are being dialled, or up.'),
      waiting: z.array(group).describe('The most first.'),
      left_out: z.array(z.object({ reason: z.string(), name: z.string(), count: z.int() })),
      uncounted: z.boolean().describe('Its calls are so many that their reasons were not counted.'),
    }),
    example: {
      answer: {
        ...{ destinations: 1200, ended: 700, under_way: 20 },
        waiting: [
          {
            ...{ what: 'row', reason: 'turn', name: 'it waits for its turn in the campaign' },
            ...{ region: null, count: 480, until: null },
          },
        ],
        left_out: [{ reason: 'duplicate', name: 'numbers stand in the list more than once', count: 3 }],
        uncounted: false,
      },
    },
    handle: async ({ deps, ctx, account, row, query }) =>
      waitingOf(deps, { account, row }, negotiateLanguage(query.lang, ctx.get('accept-language'))),
  }),
};

const isUp = (state: string): boolean => ['dialing', 'checking', 'answered', 'closing', 'filing', 'settling', 'texting'].includes(state); // prettier-ignore

const waitingOf = async (deps: AdminDeps, { account, row }: OfCampaign, language: Language) => {
  const pool = deps.pool(account.shard);
  const view = await deps.engine.view({ shard: account.shard, account: account.id, id: row.id });
  const calls = await countCampaignCallsByWaitReason(pool, account.id, row.id);
  const skipped = await countSkippedDestinations(pool, account.id, row.id);
  const context = contextOf(view);
  const rows = context ? rowsWaiting(deps, context, language) : [];
  const under = calls?.filter(({ state }) => isUp(state)) ?? [];
  const others = calls?.filter(({ state }) => !isUp(state)) ?? uncounted(context);
  return {
    destinations: row.destinations,
    ended: row.ended,
    under_way: under.reduce((sum, { count }) => sum + count, 0),
    waiting: [...rows, ...others.map((one) => callsGroup(one, language))].toSorted(
      (one, other) => other.count - one.count,
    ),
    left_out: Object.entries(skipped)
      .map(([reason, count]) => ({ reason, name: named(`skipped:${reason}`, language), count }))
      .toSorted((one, other) => other.count - one.count),
    uncounted: calls === undefined,
  };
};

const contextOf = (view: MachineView | undefined): CampaignContext | undefined =>
  view && !view.pending ? (view.context as CampaignContext) : undefined;

/** All of them under one word: the campaign knows how many calls have not ended. */
const uncounted = (context: CampaignContext | undefined): PostponedCallCount[] => {
  const count = context ? context.counts.started - context.counts.ended : 0;
  return count > 0 ? [{ state: 'born', rule: '', count, until: null }] : [];
};

const named = (rule: string, language: Language): string => describeCallRule(rule)?.says[language] ?? rule;

const callsGroup = ({ state, rule, count, until }: PostponedCallCount, language: Language): Group => ({
  what: 'call',
  reason: rule || state,
  name: rule === '' ? (describeMachineState('call', state)?.says[language] ?? state) : named(rule, language),
  region: null,
  ...{ count, until: until === null ? null : until },
});

/** Rules that hold back all that has no call yet, the one that decides first. */
const holding = ['loading', 'failed', 'paused', 'completed', 'max_answered', 'date_end', 'lig_min', 'pas'];

/** Rows of the list that no call was made of: by region where its window is closed, else by what holds the campaign. */
const rowsWaiting = (deps: AdminDeps, context: CampaignContext, language: Language): Group[] => {
  const said = deps.kind('campaign')?.explain?.(context) ?? [];
  const held = holding.flatMap((rule) => said.filter((reason) => reason.rule === rule))[0];
  const left = Object.entries(context.regions)
    .map(([region, { count, cursor }]) => ({ region, count: count - cursor }))
    .filter(({ count }) => count > 0);
  const closed = held ? [] : left.flatMap((one) => closedGroup(one, said, language));
  const inClosed = new Set(closed.map(({ region }) => region));
  const open = left.filter(({ region }) => !inClosed.has(region)).reduce((sum, { count }) => sum + count, 0);
  const rule = held?.rule ?? 'turn';
  const until = held?.until ?? null;
  return [
    ...closed,
    ...(open > 0
      ? [
          {
            what: 'row' as const,
            reason: rule,
            name: named(rule, language),
            region: null,
            count: open,
            until,
          },
        ]
      : []),
  ];
};

/** As the campaign's own explanation says it: `12 destinations SP: …`. */
const closedGroup = (
  { region, count }: { region: string; count: number },
  said: readonly Explanation[],
  language: Language,
): Group[] => {
  const of = ` destinations ${region || 'without a region'}: `;
  const closed = said.find(({ rule, detail }) => rule === 'window' && detail.includes(of));
  if (!closed) return [];
  const name = named('window', language);
  return [{ what: 'row', reason: 'window', name, region, count, until: closed.until ?? null }];
};
