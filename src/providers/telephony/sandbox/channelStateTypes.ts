/** What is known of a channel of the sandbox carrier. Plain JSON, so that it can be carried into a new log. */
import type { TelephonyEvent } from '../../../../machines/contracts/telephony.ts';
import type { SandboxNumberBehaviour } from './numberBehaviour.ts';

/** A stretch of time, milliseconds; without `to` while it lasts. */
export interface Span {
  from: number;
  to?: number;
}

/** A recording under way. */
export interface OngoingSimulatedRecording {
  recording: string;
  scope: 'leg' | 'call';
  /** When it began (after the beep); channel time. */
  from: number;
  endOnDigit?: string;
}

/** What a recording holds. */
export interface SimulatedRecordingTimeline {
  seconds: number;
  /** When there is speech; milliseconds from the start of the file. */
  voices: { from: number; to: number }[];
}

/** A fact and when it happened; a `recorded` one with the sound that its file must hold. */
export interface Told {
  /** Epoch milliseconds. */
  at: number;
  fact: TelephonyEvent & { source: string; seq: number };
  sound?: SimulatedRecordingTimeline;
}

/** Plain JSON, so that it can be carried into a new log. */
export interface SimulatedChannel {
  id: string;
  leg: number;
  openedAt: number;
  speed: number;
  behaviour: SandboxNumberBehaviour;
  state: 'dialing' | 'ringing' | 'up' | 'ended';
  /** How far it has lived. */
  time: number;
  seq: number;
  due: Due[];
  /** Plays in order; the first one is being heard. */
  plays: SimulatedPlayback[];
  recordings: OngoingSimulatedRecording[];
  /** What recordings under way have heard besides the far end: our prompts, and bridged legs that speak. */
  prompts: Span[];
  peers: Span[];
  answeredAt: number;
  /** The latest facts, for a process that takes the channel over. */
  told: Told[];
  /** The latest effects, so that none is done twice. */
  effects: string[];
}

/** How a leg ended. */
export type SimulatedLegEnding = Omit<
  Extract<TelephonyEvent, { type: 'hungUp' }>,
  'type' | 'leg' | 'source' | 'seq'
>;

/** What can happen on a channel without being asked for. */
export type SimulatedChannelEvent =
  | { do: 'ring' }
  | { do: 'answer' }
  | { do: 'end'; ending: SimulatedLegEnding }
  /** It was not answered in time. */
  | { do: 'ringOut' }
  | { do: 'limit' }
  | { do: 'played' }
  | { do: 'press'; digit: string }
  | { do: 'leave' }
  | { do: 'detected' }
  | { do: 'recorded'; recording: string };

export type Due = { at: number } & SimulatedChannelEvent;

/** Something to be heard, or being heard since `from`. */
export interface SimulatedPlayback {
  playback: string;
  lastsMs: number;
  says: boolean;
  missing?: string;
  media?: string[];
  from: number;
}
