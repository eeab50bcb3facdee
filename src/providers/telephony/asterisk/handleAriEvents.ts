/** What Asterisk says, turned into facts of our legs. */
import { sendAriCommand } from './ariRestClient.ts';
import { runInBackground, type AriContext } from './ariContext.ts';
import type { AriEvent } from './events.ts';
import { leaveBridge } from './bridges.ts';
import { farEndSipStatus, legOutcomeOf } from './outcome.ts';
import { forgetAsteriskPlaybacks, handlePlaybackStarted, handlePlaybackFinished } from './playback.ts';
import {
  endRecordingOnDigit,
  expectEndOfGoneLegRecordings,
  handleAsteriskRecordingEnded,
} from './recording.ts';
import type { Leg } from './legTypes.ts';

type Of<Type extends AriEvent['type']> = Extract<AriEvent, { type: Type }>;

/** Takes one event. Those of channels that are not ours to look after, or not any more, pass by. */
export const handleAriEvent = (context: AriContext, event: AriEvent): void => {
  switch (event.type) {
    case 'PlaybackStarted':
      return onPlayback(context, event, (leg) => handlePlaybackStarted(leg, event.playback.id));
    case 'PlaybackFinished':
      return onPlayback(context, event, (leg) => playbackEnded(context, leg, event));
    case 'RecordingFinished':
    case 'RecordingFailed':
      return handleAsteriskRecordingEnded(context, event.recording.name);
    case 'StasisStart':
      context.arrivals.get(event.channel.id)?.();
      return onLeg(context, event.channel.id, (leg) => entered(context, leg, event));
    case 'Dial':
      return onLeg(context, event.peer.id, (leg) => dialled(context, leg, event));
    case 'ChannelStateChange':
      if (event.channel.state !== 'Ringing') return;
      return onLeg(context, event.channel.id, (leg) => rang(context, leg, event.timestamp));
    case 'StasisEnd':
      // Not the end of the leg: machine detection takes it out of the application and brings it back.
      return onLeg(context, event.channel.id, (leg) => {
        leg.inControl = false;
      });
    case 'ChannelLeftBridge':
      return onLeg(context, event.channel.id, (leg) => leg.hasLeft?.());
    case 'ChannelDtmfReceived':
      return onLeg(context, event.channel.id, (leg) => pressed(context, leg, event));
    case 'ChannelHangupRequest':
      return onLeg(context, event.channel.id, (leg) => {
        leg.hangingUp ??= event.soft ? 'soft' : 'far';
      });
    case 'ChannelDestroyed':
      return onLeg(context, event.channel.id, (leg) => destroyed(context, leg, event));
    case 'ApplicationReplaced':
      return context.log.warn(
        { app: context.app },
        'another process uses our application name: every node needs a NODE_NAME of its own',
      );
  }
};

const onLeg = ({ legs }: AriContext, channel: string, tell: (leg: Leg) => void): void => {
  const leg = legs.find(channel);
  if (leg) tell(leg);
};

const onPlayback = (
  context: AriContext,
  { playback }: { playback: { id: string } },
  tell: (leg: Leg) => void,
): void => {
  const channel = /^(.+)\.play\.[^.]+\.\d+$/.exec(playback.id)?.[1];
  if (channel) onLeg(context, channel, tell);
};

const playbackEnded = (context: AriContext, leg: Leg, { playback }: Of<'PlaybackFinished'>): void =>
  handlePlaybackFinished(context, leg, playback.id, playback.state === 'done');

const dialled = (context: AriContext, leg: Leg, { dialstatus, timestamp }: Of<'Dial'>): void => {
  if (dialstatus) leg.dialStatus = dialstatus;
  // Early media without a ringing tone of its own is alerting, too.
  if (dialstatus === 'RINGING' || dialstatus === 'PROGRESS') rang(context, leg, timestamp);
};

/** The far end is being alerted. Dial and the channel's state both say so, in either order. */
export const rang = ({ legs }: AriContext, leg: Leg, timestamp?: string): void => {
  if (leg.phase !== 'dialing') return;
  leg.phase = 'ringing';
  legs.tell(leg, { type: 'ringing' }, timestamp);
};

/** The channel came into our hands: answered, or back from machine detection. */
const entered = (context: AriContext, leg: Leg, { args, timestamp }: Of<'StasisStart'>): void => {
  if (args[0] !== 'amd') return reportLegAnswered(context, leg, timestamp);
  leg.inControl = true;
  leg.phase = 'up';
  const result = ({ HUMAN: 'human', MACHINE: 'machine' } as const)[args[1] ?? ''] ?? 'notSure';
  context.legs.tell(leg, { type: 'machineDetected', result }, timestamp);
};

/** An answered leg is told once it can be played to, not a moment before. */
export const reportLegAnswered = ({ legs }: AriContext, leg: Leg, timestamp?: string): void => {
  leg.inControl = true;
  if (leg.phase === 'up') return;
  leg.phase = 'up';
  legs.tell(leg, { type: 'answered' }, timestamp);
};

const pressed = (context: AriContext, leg: Leg, { digit, timestamp }: Of<'ChannelDtmfReceived'>): void => {
  if (leg.lastDigitAt === timestamp || !/^[0-9*#A-D]$/.test(digit)) return;
  leg.lastDigitAt = timestamp;
  context.legs.tell(leg, { type: 'digitReceived', digit }, timestamp);
  endRecordingOnDigit(context, leg, digit);
};

const destroyed = (context: AriContext, leg: Leg, event: Of<'ChannelDestroyed'>): void => {
  const wasUp = leg.phase === 'up';
  const ending = {
    answered: wasUp,
    rang: leg.phase === 'ringing',
    cancelled: leg.ending,
    dialStatus: leg.dialStatus,
    cause: codeOf(event.cause),
    sipStatus: codeOf(event.tech_cause),
  };
  forgetEndedAsteriskLeg(context, leg);
  context.legs.tell(
    leg,
    {
      ...{ type: 'hungUp', outcome: legOutcomeOf(ending), by: endedBy(leg, wasUp, ending.cause) },
      ...{ cause: ending.cause, sipStatus: farEndSipStatus(ending) },
    },
    event.timestamp,
  );
};

/** Of Q.850 or SIP; 0 for what is none. */
const codeOf = (told: unknown): number =>
  Number.isInteger(told) && Number(told) >= 0 && Number(told) < 1_000 ? Number(told) : 0;

/** Asterisk calls every hang-up of its own soft; ours have a cause, the one of the time limit has none. */
const endedBy = (leg: Leg, wasUp: boolean, cause: number): 'us' | 'them' | 'carrier' => {
  if (leg.ending || (cause === 16 && leg.hangingUp === 'soft')) return 'us';
  if (!wasUp) return cause === 17 || cause === 21 ? 'them' : 'carrier';
  return leg.hangingUp === 'soft' ? 'carrier' : 'them';
};

/** Forgets a leg that has ended; the caller tells the machine. */
export const forgetEndedAsteriskLeg = (context: AriContext, leg: Leg): void => {
  leg.phase = 'gone';
  leg.inControl = false;
  context.legs.forget(leg);
  forgetAsteriskPlaybacks(leg);
  expectEndOfGoneLegRecordings(context, leg);
  leaveBridge(context, leg);
  leg.disconnect?.();
  if (leg.hasNewOwner)
    runInBackground(context, 'clearing the new owner', tellAsteriskNewChannelOwner(context, leg.channel, ''));
};

/** Tells the dialplan's door which application a channel belongs to now, when it is not the one that dialled. */
export const tellAsteriskNewChannelOwner = (
  { ari }: AriContext,
  channel: string,
  app: string,
): Promise<unknown> =>
  sendAriCommand(ari, 'POST', '/asterisk/variable', { query: { variable: `HEIR_${channel}`, value: app } });
