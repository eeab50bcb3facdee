/**
 * The sandbox carrier's log, line by line: JSON, one line an originate or a command, in the order they were taken.
 *
 *     {"at":1767225600000,"do":"originate","channel":"a.7.123.1","number":"5511999990000","attempt":1,…}
 *     {"at":1767225604000,"do":"play","channel":"a.7.123.1","playback":"opening","lastsMs":3200,"says":true,…}
 *
 * Everything a channel does follows from its lines, so they carry what the carrier cannot look up later: the length
 * of the prompts, the speed it was opened at. To count dials, count the lines with `"do":"originate"`.
 */
import type { HoldMusic, TelephonyEffects } from '../../../../machines/contracts/telephony.ts';
import type { SimulatedPersonAction } from '../phone.ts';
import type { SimulatedChannel } from './channelStateTypes.ts';
import type { SandboxCarrierName } from './numberBehaviour.ts';

/** What every line says. */
export interface SandboxCallLogCommonFields {
  /** Epoch milliseconds at which the carrier took it. */
  at: number;
  /** The channel it concerns (`legId`). */
  channel: string;
  /** The effect that asked for it; the carrier does not do the same one twice. */
  effect: string;
  /** The writing process, so that it need not read its own lines. */
  by: string;
}

/** Opens a channel: one dial. */
export interface SandboxOriginateLogLine {
  do: 'originate';
  /** The number, SIP user or URL that was dialled; its last two digits decide. */
  number: string;
  attempt: number;
  callerId: string;
  ringSeconds: number;
  limitSeconds: number;
  /** `SANDBOX_SPEED` at the time; it stays with the channel. */
  speed: number;
  /** The trunk's name, and the carrier that it leads to; absent: the first. */
  trunk?: string;
  carrier?: SandboxCarrierName;
}

/** Asks something of an open channel. */
export type SimulatedChannelCommand =
  | { do: 'hangUp'; reason: TelephonyEffects['hangUp']['reason'] }
  /**
   * `says`: there is more in it than silence and beeps. `missing`: the media that could not be found. `media`: what is
   * heard, on a channel that a person has in hand.
   */
  | { do: 'play'; playback: string; lastsMs: number; says: boolean; missing?: string; media?: string[] }
  | { do: 'stopPlay'; playback: string }
  | { do: 'detectMachine' }
  | { do: 'hold'; music: HoldMusic }
  /** `speaks`: the other leg's far end talks. */
  | { do: 'bridge'; with: string; speaks: boolean }
  | { do: 'unbridge' }
  | { do: 'sendDigits'; digits: string }
  | ({ do: 'record' } & Pick<
      TelephonyEffects['record'],
      'recording' | 'scope' | 'maxSeconds' | 'beep' | 'endOnDigit'
    >)
  | { do: 'stopRecord'; recording: string }
  /** The called person, played by a page of the console. */
  | { do: 'person'; act: SimulatedPersonAction }
  /** From now on the writer reports this channel's facts. */
  | { do: 'adopt' };

/** A channel as it stood when the log was cut; first in a new log, for every channel that must be remembered. */
export interface SandboxChannelSnapshotLogLine {
  do: 'carried';
  state: SimulatedChannel;
}

/** A channel that was looked for and is not there: it is not taken any more, should its dial still be on its way. */
export interface Void {
  do: 'void';
}

/** A process that writes here began; its channel is empty. */
export interface SandboxProcessStartLogLine {
  do: 'open';
  /** The process as nodes are known by. */
  process: string;
}

export type Body =
  | SandboxOriginateLogLine
  | SimulatedChannelCommand
  | SandboxChannelSnapshotLogLine
  | Void
  | SandboxProcessStartLogLine;
export type Line<Of extends Body = Body> = SandboxCallLogCommonFields & Of;

/** Reads lines; what is not one (a write that a crash cut short) is passed over. */
export const parseSandboxCallLogLines = (text: string): Line[] => {
  const lines: Line[] = [];
  for (const piece of text.split('\n')) {
    const line = piece === '' ? undefined : readLine(piece);
    if (line) lines.push(line);
  }
  return lines;
};

const readLine = (text: string): Line | undefined => {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return undefined;
  }
};

/** Lines as they stand in the file. */
export const serializeSandboxCallLogLines = (lines: readonly Line[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join('');
