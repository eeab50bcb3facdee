/**
 * The engine as a library: durable XState machines over a store. Import from here; what is behind the rooms' doors may
 * change. `docs/guides/engine.md` begins with a machine of forty lines.
 */
export { RamalEngine, type EngineOptions } from './engine.ts';
export { singleNodeShardOptions } from './localShard.ts';
export * from './contract/api.ts';
export {
  declareEffect,
  engineEffects,
  type MachineEvent,
  type EffectDeliveryPolicy,
  type EventTimestamp,
} from './contract/effect.ts';
export type { Explanation, Kind, MachineIdentity, MachineRecordTable } from './contract/kind.ts';
export { type EffectPerformer, Retryable, NotRetryable } from './contract/performer.ts';
export {
  type Clock,
  type EngineLog,
  type EngineMetrics,
  type WakeUpHints,
  hostClock,
  noopWakeUpHints,
  noopEngineLog,
  noopEngineMetrics,
  type EffectPerformers,
} from './contract/ports.ts';
export type { ShardMachineStore } from './contract/store.ts';
