/** A leg that this process looks after: what is known of it. */
import type { AudioPrompt } from '../../../../machines/contracts/prompt.ts';
import type { HoldMusic } from '../../../../machines/contracts/telephony.ts';

/** What was asked to be heard on a leg; the first of a leg's plays is the one being heard. */
export interface LegPlayback {
  name: string;
  /** The effect that asked, so that a repeat of it is not heard twice. */
  effect: string;
  prompts: AudioPrompt[];
  /** Asterisk's id of the playback being heard. */
  current: string | undefined;
  /** Looks for it: whether it has begun, then whether it still goes on. */
  guard: NodeJS.Timeout | undefined;
  /** To be told when it begins; undefined: that is known. */
  began?: (() => void) | undefined;
  /** It is to stop: nothing of it follows, and its end is not told. */
  isStopping?: true;
}

/** A call's machine, without its kind. */
export interface LegMachineRef {
  shard: string;
  account: number;
  id: number;
}

/** One leg of a call, which is one channel of Asterisk. */
export interface Leg {
  /** The channel's id. */
  readonly channel: string;
  readonly machine: LegMachineRef;
  readonly number: number;
  phase: 'dialing' | 'ringing' | 'up' | 'gone';
  /** When Asterisk accepted the originate, epoch milliseconds here; undefined: not yet. */
  placedAt: number | undefined;
  /** The channel is in our application and hears commands. */
  inControl: boolean;
  dialStatus: string;
  /** We asked for its end. */
  ending: boolean;
  /** A hang-up is under way: `us` as Asterisk sees it (any soft hang-up), or the far end. */
  hangingUp: 'soft' | 'far' | undefined;
  held: HoldMusic | undefined;
  /** The bridge it is in, and the leg it talks to. */
  bridge: { id: string; with: number } | undefined;
  /** It is leaving a bridge; settles when it has left. */
  leaving: Promise<void> | undefined;
  /** Asterisk says that it has left a bridge. */
  hasLeft?: (() => void) | undefined;
  plays: LegPlayback[];
  /** The last note of what plays that is on its way to the channel. */
  noting?: Promise<unknown> | undefined;
  lastSeq: number;
  /** Asterisk's time of the last digit; the same event comes once per subscription. */
  lastDigitAt: string;
  /** The dialplan was told that this process inherits the channel. */
  hasNewOwner: boolean;
  /** Ends the audio of a realtime agent. */
  disconnect?: (() => void) | undefined;
}
