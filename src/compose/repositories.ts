/** What the desks look up, from the control database and from each account's shard. */
import { type Engine, UnknownShard } from '../engine/contract/api.ts';
import type { ClearanceBooks } from '../providers/clearance.ts';
import type { DiallerBooks } from '../providers/dialler.ts';
import type { BookedVoice, VoiceBook } from '../providers/speech/catalogue.ts';
import type { TargetBooks } from '../providers/target.ts';
import { builtInProvider, readVoiceName } from '../rules/voiceName.ts';
import { keepAnswer } from '../store/claims.ts';
import type { Control } from '../store/control.ts';
import { accountBlock, allGlobalBlocks, globalBlock } from '../store/reads/blocklist.ts';
import { callsBefore } from '../store/reads/callLimits.ts';
import { claimAnswer } from '../store/reads/claims.ts';
import { campaignPaused } from '../store/reads/campaigns.ts';
import { nextDestinations } from '../store/reads/destinations.ts';
import { liveCalls } from '../store/reads/liveCalls.ts';
import { lostCalls } from '../store/reads/lostCalls.ts';
import { agentActive, queueActive } from '../store/reads/targets.ts';
import { generateDestinations } from '../store/sql/generateDestinations.ts';
import type { VoiceRow, VoiceTable } from '../store/voices.ts';
import type { Databases } from './databases.ts';

export const admissionRepository = (
  databases: Databases,
  control: Control,
  keep: Engine['keep'],
): ClearanceBooks => ({
  account: async ({ account }) => {
    const row = await control.account(account);
    if (!row) return undefined;
    const { calling_windows: callingWindows, concurrent_calls: concurrentCalls } = row;
    const active = (await control.switchedOff(row)) === undefined;
    return { active, callingWindows, concurrentCalls };
  },
  blocked: async ({ shard, account }, number) => {
    const [own, global] = await Promise.all([
      accountBlock(poolOf(databases, shard), { account, number }),
      globalBlock(databases.control.pool, number),
    ]);
    if (own !== undefined) return { list: 'account', reason: own };
    return global === undefined ? undefined : { list: 'global', reason: global };
  },
  campaignPaused: ({ shard, account }, campaign) =>
    campaignPaused(poolOf(databases, shard), account, campaign),
  callsBefore: ({ shard, account, id }, query) =>
    callsBefore(poolOf(databases, shard), { ...query, account, id }),
  rested: ({ shard, account }, { number, scope }) =>
    claimAnswer(poolOf(databases, shard), account, restKey(scope, number), Date.now()),
  rest: async ({ shard, account, id }, { number, scope, reason }) => {
    const claim = { key: restKey(scope, number), forMs: REST_MS, answer: reason };
    await keepAnswer(poolOf(databases, shard), account, claim, { owner: String(id), at: Date.now() });
  },
  block: async ({ shard, account }, number, reason) => {
    await keep(shard, { blocked: [{ account, number, reason, at: Date.now(), replaces: false }] });
  },
});

/** A number rests longer than any campaign lasts. */
const REST_MS = 366 * 86_400_000;
const restKey = (scope: string, number: string): string => `rest:${scope}:${number}`;

export const targetRepository = (databases: Databases): TargetBooks => ({
  agentActive: ({ shard, account }, agent) => agentActive(poolOf(databases, shard), account, agent),
  queueActive: ({ shard, account }, queue) => queueActive(poolOf(databases, shard), account, queue),
});

export const diallerRepository = (databases: Databases, control: Control): DiallerBooks => ({
  account: async ({ account }) => {
    const row = await control.account(account);
    return row
      ? {
          active: (await control.switchedOff(row)) === undefined,
          zone: row.time_zone,
          keepsTable: row.campaign_windows,
          table: row.calling_windows,
        }
      : undefined;
  },
  generate: async ({ shard, account, id }, { list, selection }, signal) => {
    const globalBlocks = selection.skipBlocklist ? [] : await allGlobalBlocks(databases.control.pool);
    return generateDestinations(
      shardOf(databases, shard).bulk,
      { account, campaign: id, list, selection, globalBlocks },
      signal,
    );
  },
  destinations: ({ shard, account, id }, query) =>
    nextDestinations(poolOf(databases, shard), { ...query, account, campaign: id }),
  lostCalls: ({ shard, account, id }, calls) =>
    lostCalls(poolOf(databases, shard), { account, campaign: id, calls }),
  liveCalls: ({ shard, account, id }, query) =>
    liveCalls(poolOf(databases, shard), { ...query, account, campaign: id }),
});

/** Voices that an operator adds for all accounts stay beside the built-in ones; a third party's list is its own. */
export const voiceRepository = (voices: VoiceTable): VoiceBook => ({
  of: async (account) => (await voices.of(account)).map(bookedVoice),
  keep: (provider, listed) =>
    voices.keep(
      provider,
      listed.map(({ name, ...voice }) => ({ ...voice, provider, name: readVoiceName(name).voice })),
      { only: provider !== builtInProvider },
    ),
});

const bookedVoice = ({ gender, name, ...row }: VoiceRow): BookedVoice => ({
  ...row,
  name: `${row.provider}|${name}`,
  short: name,
  gender: gender === 'M' ? 'M' : 'F',
});

/** Throws `UnknownShard` for a shard this process was not given. */
export const poolOf = (databases: Databases, shard: string) => shardOf(databases, shard).pool;

export const shardOf = (databases: Databases, shard: string) => {
  const found = databases.shards.get(shard);
  if (!found) throw new UnknownShard(shard);
  return found;
};
