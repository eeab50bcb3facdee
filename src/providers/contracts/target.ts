/**
 * The target contract: where does a second leg go, as things are now? (spec 4.2 `dest2`) The words stand in
 * `machines/contracts/targetResolutionAndQueue.ts`; `target/secondLegDestinationResolver.ts` implements it.
 */
import type { LegTargetEffects } from '../../../machines/contracts/targetResolutionAndQueue.ts';
import type { EffectPerformer } from '../../engine/contract/performer.ts';

export interface LegTargetResolver {
  performers: { [Name in keyof LegTargetEffects]: EffectPerformer<LegTargetEffects[Name]> };
}

/** What the resolver looks up; undefined: there is none. Rejections mean the database is away. */
export interface AgentAndQueueStatusRepository {
  agentActive(machine: { shard: string; account: number }, agent: number): Promise<boolean | undefined>;
  queueActive(machine: { shard: string; account: number }, queue: number): Promise<boolean | undefined>;
}
