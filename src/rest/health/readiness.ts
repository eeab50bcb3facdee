/** Whether this node should be given work: `/readyz`. One shard that is away is not all away. */
import type { ShardReadiness } from '../../engine/engine.ts';
import type { MachineCount } from '../../store/reads/machines/machineCounts.ts';
import { cachedRead } from '../../lib/cachedRead.ts';
import { redactShardProblem, shardProblemSentence, shardProblemSentences } from './shardSentences.ts';

export interface ReadinessDeps {
  /** Settles when the control database answers; rejects when it does not in time. */
  ping(): Promise<void>;
  shardStates(): ShardReadiness[];
  /** Unfinished machines of a shard, as they were lately. */
  counts(shard: string): Promise<readonly MachineCount[] | 'pending' | 'failed'>;
  /** Chart versions of this build, as `kind:version`. */
  versions: ReadonlySet<string>;
  /** Sentences for what is not as it should be and keeps no work away. */
  degraded(): string[];
  /** Whether it still makes what a first start begins with. Default: it does not. */
  isFurnishing?: (() => boolean) | undefined;
  /** Milliseconds of any clock. */
  now(): number;
}

export interface Readiness {
  /** At least one shard takes new work here, and who asks for it can be known. */
  ready: boolean;
  /** What keeps it from being ready; empty: it is. */
  reasons: string[];
  shards: Record<string, { ready: boolean; reason?: string }>;
  /** Absent: nothing. */
  degraded?: string[];
}

/** Balancers may ask as often as they like, milliseconds. */
const believedMs = 1_000;

export const readiness = (needs: ReadinessDeps): (() => Promise<Readiness>) =>
  cachedRead(() => look(needs), { forMs: believedMs, now: needs.now });

const look = async (needs: ReadinessDeps): Promise<Readiness> => {
  const [control, states] = await Promise.all([
    needs.ping().then(
      () => [],
      () => ['the database does not answer'],
    ),
    Promise.all(needs.shardStates().map(async (state) => redactShardProblem(await stateOf(needs, state)))),
  ]);
  const lost = states.filter(({ problem }) => problem !== undefined);
  const isAnyServed = lost.length < states.length;
  const reasons = [
    ...control,
    ...(isAnyServed ? [] : shardProblemSentences(lost)),
    ...(needs.isFurnishing?.() ? ['it furnishes the demo account'] : []),
  ];
  const degraded = needs.degraded();
  return {
    ready: reasons.length === 0,
    reasons,
    shards: Object.fromEntries(
      states.map((state) => {
        const reason = shardProblemSentence(state);
        return [state.shard, reason === undefined ? { ready: true } : { ready: false, reason }];
      }),
    ),
    ...(degraded.length > 0 && { degraded }),
  };
};

const stateOf = async (
  { counts, versions }: ReadinessDeps,
  state: ShardReadiness,
): Promise<ShardReadiness> => {
  if (state.problem !== undefined) return state;
  const counted = await counts(state.shard);
  if (counted === 'pending') return { ...state, problem: 'is still being looked through for its machines' };
  if (counted === 'failed') return state;
  const lacking = counted
    .map(({ kind, version }) => `${kind}:${version}`)
    .filter((version, index, all) => !versions.has(version) && all.indexOf(version) === index);
  if (lacking.length === 0) return state;
  const charts = lacking.join(', ');
  return { ...state, problem: `has unfinished machines of charts that this build lacks: ${charts}` };
};
