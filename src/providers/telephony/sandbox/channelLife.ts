/**
 * The life of one channel: what it does is a function of its number, its start and its commands, and of nothing else.
 *
 * A channel is opened by its first line, lives up to each further line, takes it, and lives on. The same lines give the
 * same life with the same `seq`s, in every process, before a restart and after it.
 */
import {
  nextDueSimulatedChannelEvent,
  simulatedTimeRoundingMs,
  newSimulatedChannel,
  plan,
  rememberEffect,
  tell,
} from './newChannelAndDueEvents.ts';
import type { SimulatedPersonAction } from '../phone.ts';
import type { SimulatedChannelCommand, Line } from './callLogLineFormat.ts';
import { simulateRecordedSound } from './simulatedRecordedSound.ts';
import type {
  OngoingSimulatedRecording,
  SimulatedChannel,
  SimulatedLegEnding,
  SimulatedChannelEvent,
  Told,
} from './channelStateTypes.ts';

const detectionMs = 1_800;
const beepMs = 500;
/** The far end presses, or leaves, at half a prompt, and in a long one after this. */
const patienceMs = 2_000;

const normal = { outcome: 'normal', cause: 16, sipStatus: 0 } as const;
const unanswered = { outcome: 'noAnswer', cause: 19, sipStatus: 480, by: 'carrier' } as const;
const rejected = { outcome: 'busy', cause: 17, sipStatus: 486, by: 'them' } as const;
const cancelled = {
  normal: { outcome: 'cancelled', cause: 16, sipStatus: 0, by: 'us' },
  busy: { outcome: 'busy', cause: 17, sipStatus: 0, by: 'us' },
  noAnswer: { outcome: 'noAnswer', cause: 19, sipStatus: 0, by: 'us' },
} as const;

/** All that happens on a channel until `until` (epoch milliseconds), from its lines. */
export const channelEventsFromLog = (lines: readonly Line[], until: number): Told[] => {
  let channel: SimulatedChannel | undefined;
  for (const line of lines) {
    if (line.at > until) break;
    if (line.do === 'open' || line.do === 'void') continue;
    if (line.do === 'carried') channel = structuredClone(line.state);
    else if (line.do === 'originate') channel = newSimulatedChannel(line);
    else if (channel) take(channel, line);
  }
  if (!channel) return [];
  live(channel, until);
  return channel.told;
};

/** Lets everything happen that is due by `now` (epoch milliseconds). */
export const live = (channel: SimulatedChannel, now: number): void => {
  const until = (now - channel.openedAt + simulatedTimeRoundingMs) * channel.speed;
  for (
    let next = nextDueSimulatedChannelEvent(channel);
    next && next.at <= until;
    next = nextDueSimulatedChannelEvent(channel)
  ) {
    channel.due.splice(channel.due.indexOf(next), 1);
    channel.time = Math.max(channel.time, next.at);
    applyDue(channel, next);
  }
  if (channel.state !== 'ended') channel.time = Math.max(channel.time, until);
};

/** Takes a command when it was given; a channel that has ended, and an effect it has seen, are passed over. */
export const take = (channel: SimulatedChannel, line: Line<SimulatedChannelCommand>): void => {
  live(channel, line.at);
  if (channel.state === 'ended' || channel.effects.includes(line.effect)) return;
  rememberEffect(channel, line.effect);
  applyCommand(channel, line);
};

const applyCommand = (channel: SimulatedChannel, command: SimulatedChannelCommand): void => {
  switch (command.do) {
    case 'hangUp':
      return end(channel, channel.state === 'up' ? { ...normal, by: 'us' } : cancelled[command.reason]);
    case 'play': {
      const { playback, lastsMs, says, missing, media } = command;
      channel.plays.push({
        ...{ playback, lastsMs, says, from: 0 },
        ...(missing !== undefined && { missing }),
        ...(media && { media }),
      });
      return channel.plays.length === 1 ? beginPlay(channel) : undefined;
    }
    case 'stopPlay':
      return stopPlay(channel, command.playback);
    case 'detectMachine':
      return plan(channel, detectionMs, { do: 'detected' });
    case 'bridge':
      partPeer(channel);
      if (command.speaks) channel.peers.push({ from: channel.time });
      return;
    case 'unbridge':
    case 'hold':
      return partPeer(channel);
    case 'record': {
      const from = channel.time + (command.beep ? beepMs : 0);
      const { recording, scope, maxSeconds, endOnDigit } = command;
      channel.recordings.push({ recording, scope, from, ...(endOnDigit !== undefined && { endOnDigit }) });
      return plan(channel, from + maxSeconds * 1000 - channel.time, { do: 'recorded', recording });
    }
    case 'stopRecord':
      return endRecordings(channel, ({ recording }) => recording === command.recording);
    case 'person':
      return act(channel, command.act);
    case 'sendDigits':
    case 'adopt':
  }
};

/** What the number would do by itself is dropped with the first act; one that does not ring yet rings. */
const takeInHand = (channel: SimulatedChannel): void => {
  if (channel.behaviour.inHand) return;
  const { presses: _presses, leaves: _leaves, ...rest } = channel.behaviour;
  channel.behaviour = { ...rest, inHand: true };
  channel.due = channel.due.filter(({ do: what }) => !BY_ITSELF.has(what));
};

const BY_ITSELF: ReadonlySet<SimulatedChannelEvent['do']> = new Set([
  'ring',
  'answer',
  'end',
  'press',
  'leave',
]);

/** Acts that do not fit the moment do nothing: a key before the answer, an answer after it. */
const act = (channel: SimulatedChannel, person: SimulatedPersonAction): void => {
  takeInHand(channel);
  if (channel.state === 'dialing') {
    channel.due = channel.due.filter(({ do: what }) => what !== 'ring');
    applyDue(channel, { do: 'ring' });
  }
  const isUp = channel.state === 'up';
  if (person.what === 'answer' && !isUp) applyDue(channel, { do: 'answer' });
  else if (person.what === 'press' && isUp) applyDue(channel, { do: 'press', digit: person.key });
  else if (person.what === 'hangUp' && isUp) applyDue(channel, { do: 'leave' });
  else if ((person.what === 'reject' || person.what === 'hangUp') && !isUp) end(channel, rejected);
};

const applyDue = (channel: SimulatedChannel, due: SimulatedChannelEvent): void => {
  switch (due.do) {
    case 'ring':
      channel.state = 'ringing';
      return tell(channel, { type: 'ringing', leg: channel.leg });
    case 'answer':
      channel.state = 'up';
      channel.answeredAt = channel.time;
      channel.due = channel.due.filter((other) => other.do !== 'ringOut');
      return tell(channel, { type: 'answered', leg: channel.leg });
    case 'end':
      return end(channel, due.ending);
    case 'ringOut':
      return end(channel, unanswered);
    case 'limit':
      return end(channel, channel.state === 'up' ? { ...normal, by: 'carrier' } : unanswered);
    case 'leave':
      return end(channel, { ...normal, by: 'them' });
    case 'played':
      tell(channel, { type: 'played', leg: channel.leg, playback: channel.plays[0]!.playback });
      return endPlay(channel);
    case 'press':
      tell(channel, { type: 'digitReceived', leg: channel.leg, digit: due.digit });
      return endRecordings(channel, ({ endOnDigit }) => endOnDigit === due.digit);
    case 'detected':
      return tell(channel, {
        type: 'machineDetected',
        leg: channel.leg,
        result: channel.behaviour.machine ? 'machine' : 'human',
      });
    case 'recorded':
      return endRecordings(channel, ({ recording }) => recording === due.recording);
  }
};

const beginPlay = (channel: SimulatedChannel): void => {
  const play = channel.plays[0];
  if (!play) return;
  play.from = channel.time;
  if (play.missing !== undefined) {
    const { playback, missing } = play;
    tell(channel, { type: 'playFailed', leg: channel.leg, playback, reason: `no media ${missing}` });
    return endPlay(channel);
  }
  plan(channel, play.lastsMs, { do: 'played' });
  if (!play.says) return;
  const reaction = Math.min(play.lastsMs / 2, patienceMs);
  const { presses, leaves } = channel.behaviour;
  if (presses !== undefined) plan(channel, reaction, { do: 'press', digit: presses });
  if (leaves) plan(channel, reaction, { do: 'leave' });
};

const endPlay = (channel: SimulatedChannel): void => {
  quietPlay(channel);
  channel.plays.shift();
  beginPlay(channel);
};

/** What was heard of the current play is kept for the recordings, and nothing more comes of it. */
const quietPlay = (channel: SimulatedChannel): void => {
  const play = channel.plays[0];
  if (play?.says && channel.recordings.length > 0)
    channel.prompts.push({ from: play.from, to: channel.time });
  channel.due = channel.due.filter(
    ({ do: what }) => !(what === 'played' || what === 'press' || what === 'leave'),
  );
};

const stopPlay = (channel: SimulatedChannel, playback: string): void => {
  const [current, ...later] = channel.plays;
  channel.plays = current ? [current, ...later.filter((play) => play.playback !== playback)] : [];
  if (current?.playback === playback) endPlay(channel);
};

const end = (channel: SimulatedChannel, ending: SimulatedLegEnding): void => {
  quietPlay(channel);
  partPeer(channel);
  channel.state = 'ended';
  channel.due = [];
  channel.plays = [];
  tell(channel, { type: 'hungUp', leg: channel.leg, ...ending });
  endRecordings(channel, () => true);
};

const endRecordings = (
  channel: SimulatedChannel,
  which: (recording: OngoingSimulatedRecording) => boolean,
): void => {
  for (const recording of channel.recordings.filter(which)) {
    channel.recordings.splice(channel.recordings.indexOf(recording), 1);
    const name = recording.recording;
    channel.due = channel.due.filter((due) => due.do !== 'recorded' || due.recording !== name);
    const { media, sound } = simulateRecordedSound(channel, recording);
    tell(
      channel,
      { type: 'recorded', leg: channel.leg, recording: name, media, seconds: sound.seconds },
      sound,
    );
  }
  if (channel.recordings.length === 0) channel.prompts = [];
};

/** The bridge is over; a recording under way remembers what it heard through it. */
const partPeer = (channel: SimulatedChannel): void => {
  const peer = channel.peers.at(-1);
  if (peer && peer.to === undefined) peer.to = channel.time;
  if (channel.recordings.length === 0) channel.peers = [];
};
