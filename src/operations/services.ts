/** What operations are handed: verbs and reads, never a way back to the composition. */
import type { Pool } from 'pg';
import type { Engine } from '../engine/verbs.ts';

export interface Services {
  engine: Engine;
  /** The database of a shard; throws `RangeError` for a shard that does not exist. */
  database(shard: string): Pool;
  /** The smallest id that may be minted at a moment (epoch milliseconds): ids ascend with time. */
  firstIdAt(at: number): number;
  /** The full name of a voice (`Espeak|…`, `fad`); empty: the usual one. Undefined: cannot be spoken here. */
  voiceNamed(name: string): string | undefined;
  /** Whether the account has this agent (ccba_id) and it is active. */
  agentIsActive(shard: string, account: number, agent: number): Promise<boolean>;
  /** The address under which a customer fetches a recording. */
  mediaUrl(account: number, media: string): string;
  /** Private ranges (CIDRs) that callbacks may reach. */
  openTargets: readonly string[];
  log: { error(fields: object, message: string): void };
}
