/**
 * A channel of the sandbox carrier: what must be known of it to live on, and the few things every part of its life does.
 *
 * Inside, time is the carrier's own: milliseconds since the channel opened, `speed` times as fast as the world's.
 */
import type { TelephonyEvent } from '../../../../machines/contracts/telephony.ts';
import { parseLegId } from '../../contracts/telephony.ts';
import type { Line, SandboxOriginateLogLine } from './callLogLineFormat.ts';
import { sandboxNumberBehaviour } from './numberBehaviour.ts';
import type {
  SimulatedRecordingTimeline,
  Told,
  SimulatedChannel,
  SimulatedChannelEvent,
  Due,
} from './channelStateTypes.ts';

/** Less than any clock can tell, and more than what is lost when such large numbers are added and divided. */
export const simulatedTimeRoundingMs = 0.001;
const rememberedFacts = 256;
const rememberedEffects = 32;
/** A channel at the moment of its dial. */
export const newSimulatedChannel = (line: Line<SandboxOriginateLogLine>): SimulatedChannel => {
  const behaviour = sandboxNumberBehaviour(line.number, line.attempt, line.carrier);
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

/** The latest moment it has lived through, epoch milliseconds. */
export const simulatedChannelNow = (channel: SimulatedChannel): number =>
  Math.floor(channel.openedAt + channel.time / channel.speed);

/** When the next thing happens on it, epoch milliseconds; undefined when nothing more will. */
export const nextChannelEventAt = (channel: SimulatedChannel): number | undefined => {
  const next = nextDueSimulatedChannelEvent(channel);
  return next && channel.openedAt + Math.ceil(next.at / channel.speed);
};

/** Lets something happen after a while. */
export const plan = (channel: SimulatedChannel, afterMs: number, happening: SimulatedChannelEvent): void => {
  channel.due.push({ at: channel.time + afterMs, ...happening });
};

/** What happens next. */
export const nextDueSimulatedChannelEvent = (channel: SimulatedChannel): Due | undefined =>
  channel.due.reduce<Due | undefined>((first, due) => (first && first.at <= due.at ? first : due), undefined);

/** A fact of this moment, with the next `seq`. */
export const tell = (
  channel: SimulatedChannel,
  fact: TelephonyEvent,
  sound?: SimulatedRecordingTimeline,
): void => {
  channel.seq += 1;
  const told: Told = {
    at: channel.openedAt + Math.ceil(channel.time / channel.speed - simulatedTimeRoundingMs),
    fact: { ...fact, source: `leg ${channel.leg}`, seq: channel.seq },
    ...(sound && { sound }),
  };
  remember(channel.told, told, rememberedFacts);
};

/** Keeps an effect, so that it is not done again. */
export const rememberEffect = (channel: SimulatedChannel, effect: string): void =>
  remember(channel.effects, effect, rememberedEffects);

const remember = <T>(list: T[], item: T, atMost: number): void => {
  list.push(item);
  if (list.length > atMost) list.shift();
};
