/**
 * The life of one channel: what it does is a function of its number, its start and its commands, and of nothing else.
 *
 * A channel is opened by its first line, lives up to each further line, takes it, and lives on. Whoever reads the
 * same lines sees the same life with the same `seq`s, before a restart and after it.
 *
 * Inside, time is the carrier's own: milliseconds since the channel opened, `speed` times as fast as the world's.
 */
import type { TelephonyEvent } from '../../../../machines/vocabulary/telephony.ts';
import { parseLegId } from '../../telephony.ts';
import type { Command, Line, Originate } from './lines.ts';
import { behaviourOf, type Behaviour } from './numbers.ts';
import { recordedBy, type Recording, type Sound, type Span } from './recording.ts';

/** A fact and when it happened; a `recorded` one with the sound that its file must hold. */
export interface Told {
  /** Epoch milliseconds. */
  at: number;
  fact: TelephonyEvent & { source: string; seq: number };
  sound?: Sound;
}

/** Plain JSON, so that it can be carried into a new log. */
export interface Channel {
  id: string;
  leg: number;
  openedAt: number;
  speed: number;
  behaviour: Behaviour;
  state: 'dialing' | 'ringing' | 'up' | 'ended';
  /** How far it has lived. */
  time: number;
  seq: number;
  due: Due[];
  /** Plays in order; the first one is being heard. */
  plays: Play[];
  recordings: Recording[];
  /** What recordings under way have heard besides the far end: our prompts, and bridged legs that speak. */
  prompts: Span[];
  peers: Span[];
  answeredAt: number;
  /** The latest facts, for a process that takes the channel over. */
  told: Told[];
  /** The latest effects, so that none is done twice. */
  effects: string[];
}

type Ending = Omit<Extract<TelephonyEvent, { type: 'hungUp' }>, 'type' | 'leg' | 'source' | 'seq'>;

type Happening =
  | { do: 'ring' }
  | { do: 'answer' }
  | { do: 'end'; ending: Ending }
  /** Nobody took it in time. */
  | { do: 'ringOut' }
  | { do: 'limit' }
  | { do: 'played' }
  | { do: 'press'; digit: string }
  | { do: 'leave' }
  | { do: 'detected' }
  | { do: 'recorded'; recording: string };
type Due = { at: number } & Happening;

interface Play {
  playback: string;
  lastsMs: number;
  says: boolean;
  missing?: string;
  from: number;
}

const rememberedFacts = 256;
const rememberedEffects = 32;
const detectionMs = 1_800;
const beepMs = 500;
/** The far end presses, or leaves, at half a prompt, and in a long one after this. */
const patienceMs = 2_000;

const normal = { outcome: 'normal', cause: 16, sipStatus: 0 } as const;
const unanswered = { outcome: 'noAnswer', cause: 19, sipStatus: 480, by: 'carrier' } as const;
const cancelled = {
  normal: { outcome: 'cancelled', cause: 16, sipStatus: 0, by: 'us' },
  busy: { outcome: 'busy', cause: 17, sipStatus: 0, by: 'us' },
  noAnswer: { outcome: 'noAnswer', cause: 19, sipStatus: 0, by: 'us' },
} as const;

/** All that happens on a channel until `until` (epoch milliseconds), from its lines. */
export const timelineOf = (lines: readonly Line[], until: number): Told[] => {
  let channel: Channel | undefined;
  for (const line of lines) {
    if (line.at > until) break;
    if (line.do === 'carried') channel = line.state;
    else if (line.do === 'originate') channel = openChannel(line);
    else if (channel) take(channel, line);
  }
  if (!channel) return [];
  live(channel, until);
  return channel.told;
};

/** A channel at the moment of its dial. */
export const openChannel = (line: Line<Originate>): Channel => {
  const behaviour = behaviourOf(line.number, line.attempt);
  const { ringsAfterMs, answersAfterMs, refusal } = behaviour;
  const due: Due[] = [
    { at: line.limitSeconds * 1000 * line.speed, do: 'limit' },
    { at: line.ringSeconds * 1000, do: 'ringOut' },
  ];
  if (ringsAfterMs !== undefined) due.push({ at: ringsAfterMs, do: 'ring' });
  if (answersAfterMs !== undefined) due.push({ at: answersAfterMs, do: 'answer' });
  if (refusal) {
    const { afterMs, ...how } = refusal;
    due.push({ at: afterMs, do: 'end', ending: { ...how, by: 'them' } });
  }
  return {
    id: line.channel,
    leg: parseLegId(line.channel)?.leg ?? 0,
    openedAt: line.at,
    speed: line.speed,
    behaviour,
    state: 'dialing',
    time: 0,
    seq: 0,
    due,
    plays: [],
    recordings: [],
    prompts: [],
    peers: [],
    answeredAt: 0,
    told: [],
    effects: [line.effect],
  };
};

/** When the next thing happens on it, epoch milliseconds; undefined when nothing more will. */
export const nextDue = (channel: Channel): number | undefined => {
  const next = earliest(channel);
  return next && Math.ceil(channel.openedAt + next.at / channel.speed);
};

/** Lets everything happen that is due by `now` (epoch milliseconds). */
export const live = (channel: Channel, now: number): void => {
  // The sum of two divisions may fall a hair short of a moment that has come.
  const until = (now - channel.openedAt) * channel.speed + 0.001;
  for (let next = earliest(channel); next && next.at <= until; next = earliest(channel)) {
    channel.due.splice(channel.due.indexOf(next), 1);
    channel.time = Math.max(channel.time, next.at);
    happen(channel, next);
  }
  if (channel.state !== 'ended') channel.time = Math.max(channel.time, until);
};

/** Takes a command when it was given; a channel that has ended, and an effect it has seen, are passed over. */
export const take = (channel: Channel, line: Line<Command>): void => {
  live(channel, line.at);
  if (channel.state === 'ended' || channel.effects.includes(line.effect)) return;
  remember(channel.effects, line.effect, rememberedEffects);
  obey(channel, line);
};

const obey = (channel: Channel, command: Command): void => {
  switch (command.do) {
    case 'hangUp':
      return end(channel, channel.state === 'up' ? { ...normal, by: 'us' } : cancelled[command.reason]);
    case 'play': {
      const { playback, lastsMs, says, missing } = command;
      channel.plays.push({ playback, lastsMs, says, from: 0, ...(missing !== undefined && { missing }) });
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
    case 'sendDigits':
    case 'adopt':
  }
};

const happen = (channel: Channel, due: Happening): void => {
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

const beginPlay = (channel: Channel): void => {
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

const endPlay = (channel: Channel): void => {
  quietPlay(channel);
  channel.plays.shift();
  beginPlay(channel);
};

/** What was heard of the current play is kept for the recordings, and nothing more comes of it. */
const quietPlay = (channel: Channel): void => {
  const play = channel.plays[0];
  if (play?.says && channel.recordings.length > 0)
    channel.prompts.push({ from: play.from, to: channel.time });
  channel.due = channel.due.filter(
    ({ do: what }) => !(what === 'played' || what === 'press' || what === 'leave'),
  );
};

const stopPlay = (channel: Channel, playback: string): void => {
  const [current, ...later] = channel.plays;
  channel.plays = current ? [current, ...later.filter((play) => play.playback !== playback)] : [];
  if (current?.playback === playback) endPlay(channel);
};

const end = (channel: Channel, ending: Ending): void => {
  quietPlay(channel);
  partPeer(channel);
  channel.state = 'ended';
  channel.due = [];
  channel.plays = [];
  tell(channel, { type: 'hungUp', leg: channel.leg, ...ending });
  endRecordings(channel, () => true);
};

const endRecordings = (channel: Channel, which: (recording: Recording) => boolean): void => {
  for (const recording of channel.recordings.filter(which)) {
    channel.recordings.splice(channel.recordings.indexOf(recording), 1);
    const name = recording.recording;
    channel.due = channel.due.filter((due) => due.do !== 'recorded' || due.recording !== name);
    const { media, sound } = recordedBy(channel, recording);
    tell(
      channel,
      { type: 'recorded', leg: channel.leg, recording: name, media, seconds: sound.seconds },
      sound,
    );
  }
  if (channel.recordings.length === 0) channel.prompts = [];
};

/** The bridge is over; a recording under way remembers what it heard through it. */
const partPeer = (channel: Channel): void => {
  const peer = channel.peers.at(-1);
  if (peer && peer.to === undefined) peer.to = channel.time;
  if (channel.recordings.length === 0) channel.peers = [];
};

const plan = (channel: Channel, afterMs: number, happening: Happening): void => {
  channel.due.push({ at: channel.time + afterMs, ...happening });
};

const earliest = (channel: Channel): Due | undefined =>
  channel.due.reduce<Due | undefined>((first, due) => (first && first.at <= due.at ? first : due), undefined);

const tell = (channel: Channel, fact: TelephonyEvent, sound?: Sound): void => {
  channel.seq += 1;
  const told: Told = {
    at: Math.ceil(channel.openedAt + channel.time / channel.speed),
    fact: { ...fact, source: `leg ${channel.leg}`, seq: channel.seq },
    ...(sound && { sound }),
  };
  remember(channel.told, told, rememberedFacts);
};

const remember = <T>(list: T[], item: T, atMost: number): void => {
  list.push(item);
  if (list.length > atMost) list.shift();
};
