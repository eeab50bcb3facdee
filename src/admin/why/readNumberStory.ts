/** All that is known of a number: what happened, what holds now, and the answer in a sentence. */
import { regionOfNumber } from '../../rules/voice/parsePhoneNumber.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { findAccountsThatBlock } from '../../store/reads/lists/blocklist.ts';
import {
  callsToNumber,
  countDialsSince,
  type CallInNumberHistory,
  readDialDecisionSteps,
  type Step,
} from '../../store/reads/why/callsToNumber.ts';
import {
  type CampaignListNumber,
  findNumberInCampaignLists,
  recentCampaignMs,
} from '../../store/reads/why/numberInCampaignLists.ts';
import type { AdminDeps } from '../deps.ts';
import type { Language } from '../explained/language.ts';
import { type NumberInquiry, accountIdsInShard } from './numberFromPhoneOrCallId.ts';
import { type NumberHistoryEvent, callHistoryEvents } from './callHistoryEvents.ts';
import { explainUncalledListedNumber } from './explainUncalledListedNumber.ts';
import { loadCalledNumberOriginDescriber } from './numberOrigin.ts';
import { type NumberDialableNowVerdict, checkNumberDialableNow } from './checkCallPermissionNow.ts';
import { type AccountLocalizer, createAccountLocalizer } from './told.ts';
import { liveCallNumberHistoryEvent } from './underWay.ts';
import { numberStoryTexts } from './numberStoryTexts.ts';

const pageSize = 20;
/** Accounts of which it is said whether they may call. */
const mostPresent = 10;

export interface NumberStoryOptions extends NumberInquiry {
  language: Language;
  /** Only calls with ids below; undefined: from the newest on. */
  below: number | undefined;
  /** An account was asked for. */
  isOfOne: boolean;
}

interface Shard {
  name: string;
  calls: CallInNumberHistory[];
  steps: Step[];
  /** Undefined: too long to be read. */
  listed: CampaignListNumber[] | undefined;
  /** Accounts whose block lists have it. */
  blockedBy: number[];
  dialled: number;
  last: number | null;
}

export interface NumberStory {
  number: string;
  call: string | null;
  region: string | null;
  answer: string[];
  now: NumberDialableNowVerdict[];
  happened: NumberHistoryEvent[];
  /** Lists are so long that they were not searched. */
  unsearched: boolean;
  accounts: Record<string, string>;
  zones: Record<string, string>;
  cursor: string | null;
}

export const readNumberStory = async (deps: AdminDeps, options: NumberStoryOptions): Promise<NumberStory> => {
  const shards = await Promise.all(deps.shards.map((shard) => readShard(deps, shard, options)));
  const page = newest(shards);
  const accounts = accountsIn(shards, options);
  const tellers = new Map(
    accounts.map((account) => [account.id, createAccountLocalizer(account, options.language)]),
  );
  const happened = await tell(deps, page, tellers);
  const number = options.numbers[0]!;
  const now = options.below === undefined ? await presentAll(deps, number, page, tellers) : [];
  return {
    number,
    call: options.call ?? null,
    region: regionOfNumber(number)?.state ?? null,
    answer: answerOf(shards, now, tellers, options),
    now,
    happened,
    unsearched: shards.some(({ listed }) => listed === undefined),
    accounts: Object.fromEntries(accounts.map(({ id, name }) => [id, name])),
    zones: Object.fromEntries(accounts.map(({ id, time_zone }) => [id, time_zone])),
    cursor: cursorOf(shards, page),
  };
};

const readShard = async (
  deps: AdminDeps,
  name: string,
  { numbers, accounts, below }: NumberStoryOptions,
): Promise<Shard> => {
  const query = { accounts: accountIdsInShard(accounts, name), numbers };
  if (query.accounts.length === 0)
    return { name, calls: [], steps: [], listed: [], blockedBy: [], dialled: 0, last: null };
  const pool = deps.pool(name);
  const now = deps.engine.now(name);
  const calls = await callsToNumber(pool, {
    ...query,
    below: below ?? Number.MAX_SAFE_INTEGER,
    limit: pageSize + 1,
  });
  const steps = await readDialDecisionSteps(pool, calls.slice(0, pageSize));
  const counts = await countDialsSince(pool, { ...query, since: now - recentCampaignMs });
  const listed =
    below === undefined
      ? await findNumberInCampaignLists(pool, { ...query, since: now - recentCampaignMs })
      : [];
  const blockedBy = below === undefined ? await findAccountsThatBlock(pool, query) : [];
  return { name, calls, steps, listed, blockedBy, ...counts };
};

/** The newest calls of all shards: their ids ascend with time. */
const newest = (shards: readonly Shard[]): Shard[] => {
  const ids = shards.flatMap(({ calls }) => calls.map(({ id }) => id)).toSorted((a, b) => b - a);
  const least = ids[pageSize - 1] ?? 0;
  return shards.map((shard) => ({ ...shard, calls: shard.calls.filter(({ id }) => id >= least) }));
};

const cursorOf = (all: readonly Shard[], page: readonly Shard[]): string | null => {
  const shown = page.flatMap(({ calls }) => calls.map(({ id }) => id));
  const count = all.reduce((sum, { calls }) => sum + calls.length, 0);
  return count > shown.length ? String(Math.min(...shown)) : null;
};

/** Those that have something to do with the number, or the one that was asked for. */
const accountsIn = (shards: readonly Shard[], { accounts, isOfOne }: NumberStoryOptions): AccountRow[] => {
  if (isOfOne) return [...accounts];
  const ids = new Set(
    shards.flatMap(({ calls, listed, blockedBy }) => [
      ...[...calls, ...(listed ?? [])].map(({ account_id }) => account_id),
      ...blockedBy,
    ]),
  );
  return accounts.filter(({ id }) => ids.has(id));
};

const tell = async (
  deps: AdminDeps,
  page: readonly Shard[],
  tellers: ReadonlyMap<number, AccountLocalizer>,
): Promise<NumberHistoryEvent[]> => {
  const origins = await loadCalledNumberOriginDescriber(
    deps,
    page.flatMap(({ calls }) => calls),
  );
  const told = page.flatMap(({ name, calls, steps }) =>
    calls.map(async (call) => {
      const teller = tellers.get(call.account_id)!;
      const own = steps.filter((step) => isOf(step, call));
      const past = callHistoryEvents({ call, shard: name, teller, origins }, own);
      const present = call.finished
        ? undefined
        : await liveCallNumberHistoryEvent({ deps, shard: name, teller }, call);
      return present ? [...past, present] : past;
    }),
  );
  const listed = page.flatMap(({ name, listed: found = [] }) =>
    found.map((one) =>
      explainUncalledListedNumber({ deps, shard: name, teller: tellers.get(one.account_id)! }, one),
    ),
  );
  const all = [...(await Promise.all(told)).flat(), ...(await Promise.all(listed))];
  return all.filter((one) => one !== undefined).toSorted((one, other) => other.at - one.at);
};

const isOf = (step: Step, call: CallInNumberHistory): boolean =>
  step.account_id === call.account_id && step.machine_id === call.id;

const presentAll = (
  deps: AdminDeps,
  number: string,
  page: readonly Shard[],
  tellers: ReadonlyMap<number, AccountLocalizer>,
): Promise<NumberDialableNowVerdict[]> =>
  Promise.all(
    [...tellers.values()].slice(0, mostPresent).map((teller) => {
      const isOwn = ({ account_id }: { account_id: number }): boolean => account_id === teller.account.id;
      const calls = page.flatMap((shard) => shard.calls).filter(isOwn);
      const listed = page.flatMap((shard) => shard.listed ?? []).filter(isOwn);
      const live = calls.find(({ finished, campaign_id }) => !finished && campaign_id !== 0);
      const waiting = listed.find(
        ({ skipped, called, state }) => skipped === null && !called && isGoingOn(state),
      );
      const campaign = live?.campaign_id ?? waiting?.campaign_id;
      return checkNumberDialableNow({
        ...{ deps, teller, number, isOneOfMany: tellers.size > 1, newest: calls[0] },
        campaign: campaign === undefined ? undefined : campaign,
      });
    }),
  );

const isGoingOn = (state: string): boolean => state === 'active' || state === 'paused' || state === 'loading';

/** When it was called, then for each account whether it may be called. */
const answerOf = (
  shards: readonly Shard[],
  now: readonly NumberDialableNowVerdict[],
  tellers: ReadonlyMap<number, AccountLocalizer>,
  { language, below }: NumberStoryOptions,
): string[] => {
  const words = numberStoryTexts[language];
  const [teller] = tellers.values();
  if (below !== undefined) return [];
  if (!teller) return [words.nothing];
  const dialled = shards.reduce((sum, shard) => sum + shard.dialled, 0);
  const last = Math.max(...shards.map((shard) => shard.last ?? 0));
  const called =
    last === 0
      ? words.notDialled
      : dialled === 0
        ? words.dialledBefore(teller.when(last))
        : words.dialled(dialled, teller.when(last));
  return [called, ...now.map(({ sentence }) => sentence)];
};
