/** What the console's first page shows: read once for all who look, each part as often as it may be for what it costs. */
import type { Pool } from 'pg';
import type { MachineEngine } from '../../engine/contract/api.ts';
import { firstIdAt } from '../../engine/contract/idGenerator.ts';
import type { ControlDatabase } from '../../store/controlDatabase.ts';
import { findMachines, type MachineListRow } from '../../store/reads/machines/machines.ts';
import { knownNodes } from '../../store/reads/machines/nodes.ts';
import {
  findLowBalances,
  findQueueDepths,
  findRejectedTemplates,
} from '../../store/reads/machines/lowBalanceTemplateAndQueueAlerts.ts';
import {
  countDeadLetters,
  countCallAttemptsByMinute,
  countMessageOutcomes,
  countMachineStates,
  runningCampaigns,
} from '../../store/reads/machines/consoleOverviewCounts.ts';
import { writeCallId } from '../../wire/callId.ts';
import type { CampaignEndForecasts } from '../campaigns/campaignEndForecasts.ts';
import { lastErrorInWords } from '../deliveries/lastErrorInWords.ts';
import { attentionInWords } from '../explained/attentionInWords.ts';
import type { LiveHub } from './liveUpdateHub.ts';
import { staleWhileRevalidate } from './staleWhileRevalidate.ts';
import { type MachineStateCount, MachineStateCounter } from './stateCounts.ts';

export interface ConsoleOverviewSources {
  engine: MachineEngine;
  control: ControlDatabase;
  live: LiveHub;
  /** Names of the data shards. */
  shards: readonly string[];
  pool(shard: string): Pool;
  /** Why shards are not served here, a sentence each. */
  shardSentences(): string[];
  health(): Promise<{ ok: boolean; body: object }>;
  /** Name of this node. */
  node: string;
  /** Callbacks that wait for their turn in this process. */
  callbacksWaiting(): number;
  campaignEnds: CampaignEndForecasts;
  /** Milliseconds of any monotonic clock. */
  clock(): number;
}

/** Between two reads at least, milliseconds. */
const every = { counts: 1_000, soon: 1_000, seldom: 5_000, names: 30_000, money: 30_000 } as const;
/** Pages that ask within so long are told the same, milliseconds. */
const sharedMs = 200;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const minuteMs = 60_000;
const minutes = 60;
const mostTroubled = 50;
const mostNames = 2_000;
const mostCampaigns = 50;

export class ConsoleOverviewReader {
  readonly #sources: ConsoleOverviewSources;
  readonly #parts: ReturnType<typeof partsOf>;
  #last: { at: number; answer: ReturnType<typeof overviewOf> } | undefined;

  constructor(sources: ConsoleOverviewSources) {
    this.#sources = sources;
    this.#parts = partsOf(sources);
  }

  /** All of it, as of now: the same object for all who ask within a moment. Rejects where a database does not answer. */
  read(): ReturnType<typeof overviewOf> {
    const now = this.#sources.clock();
    if (this.#last === undefined || now - this.#last.at >= sharedMs)
      this.#last = { at: now, answer: overviewOf(this.#sources, this.#parts) };
    return this.#last.answer;
  }
}

const overviewOf = async (sources: ConsoleOverviewSources, parts: ReturnType<typeof partsOf>) => {
  const { live, node, shards, engine, callbacksWaiting, shardSentences, campaignEnds } = sources;
  const [states, hour, outcomes, deadLetters, troubled, campaigns, nodes, checks, accounts] =
    await Promise.all([
      parts.states(),
      parts.hour(),
      parts.outcomes(),
      parts.deadLetters(),
      parts.troubled(),
      parts.campaigns(),
      parts.nodes(),
      parts.checks(),
      parts.accounts(),
    ]);
  const [balances, rejected, queues] = await Promise.all([
    parts.balances(),
    parts.rejected(),
    parts.queues(),
  ]);
  return {
    at: engine.now(shards[0]!),
    shards: shardSentences(),
    ...{
      states,
      hour,
      outcomes,
      deadLetters,
      troubled,
      campaigns: campaignEnds.of(
        campaigns.map((one) => ({ ...one, time_zone: accounts.zones.get(one.account_id) ?? 'UTC' })),
      ),
      nodes,
      checks,
      balances,
      rejected,
      queues,
    },
    accounts: Object.fromEntries(
      namesTold(accounts.names, [troubled, campaigns, balances, rejected, queues, deadLetters].flat()),
    ),
    here: { node, ...live.figures(), callbacksWaiting: callbacksWaiting() },
  };
};

const partsOf = (sources: ConsoleOverviewSources) => {
  const { engine, shards, pool, health, clock, live } = sources;
  const ofShards = async <T extends object>(ask: (pool: Pool, shard: string) => Promise<T[]>) =>
    (
      await Promise.all(
        shards.map(async (shard) => (await ask(pool(shard), shard)).map((row) => ({ shard, ...row }))),
      )
    ).flat();
  const part = <T>(everyMs: number, read: () => Promise<T>) =>
    staleWhileRevalidate({ read, everyMs, now: clock });
  const states = new MachineStateCounter({
    count: (): Promise<MachineStateCount[]> => ofShards(countMachineStates),
    everyMs: every.counts,
    now: clock,
  });
  live.hearMoves((kind, from, to) => states.moved(kind, from, to));
  const accounts = part(every.names, () => accountsOf(sources.control));
  const ofKnown = async <T extends object>(
    ask: (pool: Pool, known: readonly number[], shard: string) => Promise<T[]>,
  ) => {
    const { ids } = await accounts();
    return ofShards((db, shard) => ask(db, ids, shard));
  };
  return {
    accounts,
    states: () => states.read(),
    hour: part(every.seldom, () => hourOf(ofShards, engine.now(shards[0]!))),
    outcomes: part(every.seldom, () =>
      ofKnown((db, known, shard) =>
        countMessageOutcomes(db, { accounts: known, fromId: firstIdAt(hourBefore(engine.now(shard))) }),
      ),
    ),
    balances: part(every.money, () =>
      ofKnown((db, known, shard) =>
        findLowBalances(db, { accounts: known, fromId: firstIdAt(engine.now(shard) - dayMs) }),
      ),
    ),
    rejected: part(every.seldom, () => ofKnown(findRejectedTemplates)),
    queues: part(every.soon, () => ofKnown(findQueueDepths)),
    deadLetters: part(every.seldom, async () =>
      (await ofShards(countDeadLetters)).map((letters) => ({
        ...letters,
        last_error_in_words: lastErrorInWords(letters.last_error),
      })),
    ),
    troubled: part(every.soon, async () =>
      (await ofShards((db) => findMachines(db, { attention: true, limit: mostTroubled })))
        .slice(0, mostTroubled)
        .map(showTroubled),
    ),
    campaigns: part(every.soon, () => ofShards((db) => runningCampaigns(db, mostCampaigns))),
    nodes: part(every.soon, () => ofShards((db, shard) => knownNodes(db, engine.now(shard) - hourMs))),
    checks: part(every.seldom, async () => checksOf((await health()).body)),
  };
};

const showTroubled = ({
  id,
  shard,
  account_id,
  kind,
  state,
  attention,
  created_at,
}: MachineListRow & { shard: string }) => ({
  ...{ id: writeCallId(shard, id), account: account_id, kind, state, created_at },
  // Only those that need an operator were asked for.
  attention: attention ?? '',
  attention_in_words: attentionInWords(attention ?? ''),
});

/** Accounts by id, with their names and time zones. */
const accountsOf = async (control: ControlDatabase) => {
  const rows = await control.everyAccount();
  return {
    ids: rows.map(({ id }) => id),
    names: rows.map(({ id, name }) => [id, name] as const),
    zones: new Map(rows.map(({ id, time_zone }) => [id, time_zone])),
  };
};

/** Every second, to every page: where there are many accounts, the names of those that own a row. */
const namesTold = <Name extends readonly [number, string]>(
  names: readonly Name[],
  rows: readonly object[],
): readonly Name[] => {
  if (names.length <= mostNames) return names;
  const owners = new Set(rows.flatMap((row) => Object.entries(row).map(ownerIn)));
  return names.filter(([id]) => owners.has(id));
};

const ownerIn = ([field, value]: [string, unknown]): unknown =>
  field === 'account' || field === 'account_id' ? value : undefined;

type OfShards = <T extends object>(ask: (pool: Pool) => Promise<T[]>) => Promise<T[]>;

/** When the last sixty whole minutes began. */
const hourBefore = (now: number): number => Math.floor(now / minuteMs - minutes) * minuteMs;

/** The last sixty whole minutes and the one that runs. */
const hourOf = async (ofShards: OfShards, now: number) => {
  const from = hourBefore(now);
  const series = (): number[] => Array.from({ length: minutes + 1 }, () => 0);
  const hour = { from, attempts: series(), answers: series(), drops: series(), failed: series() };
  for (const { minute, what, count } of await ofShards((db) => countCallAttemptsByMinute(db, from)))
    if (minute >= 0 && minute <= minutes) hour[what][minute]! += count;
  return hour;
};

const checksOf = (body: object) =>
  Object.entries((body as { checks?: Record<string, { ok: boolean; detail: string }> }).checks ?? {}).map(
    ([name, { ok, detail }]) => ({ name, ok, detail }),
  );
