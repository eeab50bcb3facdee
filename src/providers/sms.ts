/**
 * The SMS contract: one short message goes out, and its receipt comes back. `sms/sandbox.ts` is the first carrier.
 * The words stand in `machines/vocabulary/sms.ts`.
 */
import type { SmsEffects } from '../../machines/vocabulary/sms.ts';
import type { Performer } from './performer.ts';

/** A carrier: one performer, and a life to manage. The effect's id is its idempotency key. */
export interface Sms {
  performers: { [Name in keyof SmsEffects]: Performer<SmsEffects[Name]> };
  /** Connects, and reports receipts that came while nobody listened. */
  start(): Promise<void>;
  stop(): Promise<void>;
}
