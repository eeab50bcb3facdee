/** Which caller id of a pool a call shows. What was shown is counted for all processes together. */
import type { DialClearanceEvent, DialRuleAnswers } from '../../../machines/contracts/clearance.ts';
import { withTtlCache } from '../../lib/withTtlCache.ts';
import { type CallerIdHour, type CallerIdPool, chooseCallerId } from '../../rules/trunks/chooseCallerId.ts';
import { mayTrunkShowCallerId } from '../../rules/trunks/whyTrunkExcluded.ts';
import type { TrunkCandidates, Trunk } from '../../rules/trunks/trunkTypes.ts';
import type { CallMachineRef } from '../contracts/dialClearance.ts';
import type { DialClearanceRequest } from './checkDialRules.ts';

/** The account that shows them. */
export type CallerIdAccount = Pick<CallMachineRef, 'shard' | 'account'>;

type Uses = ReadonlyMap<string, Pick<CallerIdHour, 'calls' | 'freeAt'>>;
type Answers = ReadonlyMap<string, Pick<CallerIdHour, 'ended' | 'answered'>>;

/** What was shown in the last hour before `at`, epoch milliseconds. Rejections mean the database is away. */
export interface CallerIdUseRepository {
  uses(of: CallerIdAccount, at: number): Promise<Uses>;
  /** Counts what `choose` answers, unless it is undefined; no other process chooses for the account meanwhile. */
  take(of: CallerIdAccount, at: number, choose: (uses: Uses) => string | undefined): Promise<void>;
  answers(of: CallerIdAccount, at: number): Promise<Answers>;
}

export interface CallerIdQuestion {
  of: CallerIdAccount;
  pool: CallerIdPool;
  number: string;
  /** The trunk that carries the call. */
  trunk: string;
  /** Time of the shard, epoch milliseconds. */
  at: number;
  /** What another leg of the same attempt has shown: it is kept where it may be. */
  kept?: string;
}

/** `until`: all have had their calls of the hour; one may be shown again then. */
export type ShownCallerId = { callerId: string } | { until: number };

export interface CallerIdChooser {
  /** The one to be shown, counted as shown. Undefined: the trunk may show none of them. */
  take(question: CallerIdQuestion): Promise<ShownCallerId | undefined>;
  /** The one that would be shown now. */
  wouldTake(question: CallerIdQuestion): Promise<ShownCallerId | undefined>;
}

export interface CallerIdChoiceDeps {
  repository: CallerIdUseRepository;
  /** A trunk by its name; undefined: there is none. */
  trunk(name: string): Trunk | undefined;
  /** Milliseconds of a monotonic clock. */
  now(): number;
}

/** How many calls were answered is looked at again after this long. */
const BELIEVED_MS = 15_000;

export const openCallerIds = ({ repository, trunk, now }: CallerIdChoiceDeps): CallerIdChooser => {
  const answersOf = withTtlCache(({ of, at }: CallerIdQuestion) => repository.answers(of, at), {
    keyOf: ({ of: { shard, account } }) => `${shard} ${account}`,
    now,
    forMs: BELIEVED_MS,
  });

  const chooser = async (question: CallerIdQuestion) => {
    const { pool, number } = question;
    const shown = shownOn(pool, trunk(question.trunk));
    if (shown.length === 0) return undefined;
    const answers = pool.restBelow === null ? new Map<string, never>() : await answersOf(question);
    return (uses: Uses) => chooseCallerId(pool, number, shown, hoursOf(shown, uses, answers));
  };

  return {
    take: async (question) => {
      const { of, at, pool, kept } = question;
      if (kept !== undefined && shownOn(pool, trunk(question.trunk)).includes(kept))
        return { callerId: kept };
      const choose = await chooser(question);
      if (!choose) return undefined;
      let chosen: ShownCallerId | undefined;
      await repository.take(of, at, (uses) => {
        chosen = choose(uses);
        return 'callerId' in chosen ? chosen.callerId : undefined;
      });
      return chosen;
    },
    wouldTake: async (question) => {
      const choose = await chooser(question);
      return choose?.(await repository.uses(question.of, question.at));
    },
  };
};

/** What is asked about the caller id of a call on this trunk; undefined: no pool is for it. `at`: time of the shard. */
export const callerIdQuestion = (
  {
    question,
    caller,
    choice: { pool },
  }: { question: DialClearanceRequest; caller: CallMachineRef; choice: TrunkCandidates },
  trunk: string,
  at: number,
): CallerIdQuestion | undefined =>
  pool && {
    ...{ of: { shard: caller.shard, account: caller.account }, pool, trunk, at },
    number: question.destination,
    ...(question.tried && question.callerId !== undefined && { kept: question.callerId }),
  };

/** What a call is told when all caller ids of its pool have had their calls of the hour. */
export const callerIdsFull = (
  { pool }: TrunkCandidates,
  until: number,
  answers: DialRuleAnswers,
): Extract<DialClearanceEvent, { type: 'postponed' }> => ({
  ...{ type: 'postponed', reason: 'callerId', until },
  detail: `all caller ids of pool ${pool?.id ?? 0} have had their ${pool?.callsPerHour ?? 0} calls of the hour`,
  answers: { ...answers, callerId: 'full' },
});

const shownOn = ({ callerIds }: CallerIdPool, trunk: Trunk | undefined): readonly string[] =>
  trunk ? callerIds.filter((one) => mayTrunkShowCallerId(trunk, one)) : callerIds;

const NOT_SHOWN = { calls: 0, freeAt: 0 };
const NOT_ENDED = { ended: 0, answered: 0 };

const hoursOf = (shown: readonly string[], uses: Uses, answers: Answers): Map<string, CallerIdHour> =>
  new Map(shown.map((one) => [one, { ...(uses.get(one) ?? NOT_SHOWN), ...(answers.get(one) ?? NOT_ENDED) }]));
