/** What the parts of this provider share: one application at one Asterisk. */
import type { MediaStore } from '../../contracts/media.ts';
import type { DnsLookups } from '../../contracts/dns.ts';
import type { EffectCall } from '../../../engine/contract/performer.ts';
import type { Ari } from './ariRestClient.ts';
import type { Legs } from './legTable.ts';
import type { LegMachineRef, Leg } from './legTypes.ts';

/** Where warnings go; pino's own shape. */
export interface Log {
  warn(details: object, message: string): void;
}

export interface AriContext {
  ari: Ari;
  /** Our installation's name: what of an Asterisk is ours begins with it. */
  installation: string;
  /** The ARI application of this node. */
  app: string;
  legs: Legs;
  /** Recordings that Asterisk makes or keeps for us, by their name there. */
  recordings: Map<string, OngoingAriRecording>;
  /** Snoop channels whose arrival in our application is awaited, by channel id. */
  arrivals: Map<string, () => void>;
  /** Endpoints whose events this application hears. */
  subscribed: Set<string>;
  media: MediaStore;
  mediaUrl: (account: number, media: string) => string;
  log: Log;
  /** Finds the addresses of agents. */
  names: Pick<DnsLookups, 'of'>;
  /** False once the provider was stopped: nothing is told and no timer begun any more. */
  open(): boolean;
}

export type Call<Params> = EffectCall<Params>;

/** The machine of an effect, without its kind. */
export const machineRefOfEffect = ({ machine }: { machine: LegMachineRef }): LegMachineRef => ({
  shard: machine.shard,
  account: machine.account,
  id: machine.id,
});

/** Runs something in the background; a failure is logged. */
export const runInBackground = ({ log }: AriContext, what: string, work: Promise<unknown>): void => {
  work.catch((error: unknown) => log.warn({ err: error }, what));
};

export interface OngoingAriRecording {
  leg: Leg;
  recording: string;
  /** The name at Asterisk. */
  name: string;
  /** The channel that listens in, when the leg itself is not recorded directly. */
  snoop: string | undefined;
  endOnDigit: string | undefined;
  /** Looks for the file when no end was reported. */
  guard: NodeJS.Timeout | undefined;
  fetching: boolean;
  /** In a row, of looks for it and of attempts to bring it home. */
  failures: number;
}
