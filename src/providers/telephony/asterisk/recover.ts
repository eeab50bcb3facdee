/**
 * Finding out what became of legs: when another process's calls come to us, when an originate's outcome is
 * unknown, and after every gap in the events, which Asterisk never repeats.
 */
import type { Fact } from '../../../engine/contract/performer.ts';
import { sendAriCommand, ignoreIfGone, path, subscribeToAriChannel } from './ariRestClient.ts';
import type { AriChannel } from './events.ts';
import { runInBackground, machineRefOfEffect, type Call, type AriContext } from './ariContext.ts';
import { legId } from '../../contracts/telephony.ts';
import { bridgeIdOf } from './bridges.ts';
import { toSequencedLegFact, lostLegHangup } from './legTable.ts';
import {
  reportLegAnswered,
  forgetEndedAsteriskLeg,
  tellAsteriskNewChannelOwner,
  rang,
} from './handleAriEvents.ts';
import { detectEndedPlayback, resumePlaybackAfterTakeover } from './playback.ts';
import { collectRecordingIfEnded, parseRecordingName, takeOverRecording } from './recording.ts';
import type { Leg, LegMachineRef } from './legTypes.ts';

/** Takes over the legs of a call, and says of each what became of it. */
export const adoptCallLegs = async (context: AriContext, call: Call<{ legs: number[] }>): Promise<Fact[]> => {
  const taken = await Promise.all(call.params.legs.map((leg) => lookAt(context, call, leg)));
  const legs = taken.map(({ leg }) => leg);
  await findBridges(
    context,
    legs.filter(({ phase }) => phase !== 'gone'),
  );
  runInBackground(context, 'going on with recordings', findRecordings(context, legs));
  return taken.map(({ fact }) => fact);
};

/** What became of one leg. */
export const recoverLegStatus = async (context: AriContext, call: Call<{ leg: number }>): Promise<Fact[]> => {
  const { fact } = await lookAt(context, call, call.params.leg);
  return [fact];
};

const lookAt = async (
  context: AriContext,
  call: Call<object>,
  number: number,
): Promise<{ leg: Leg; fact: Fact }> => {
  const machine = machineRefOfEffect(call);
  const seen = call.seen[`leg ${number}`] ?? 0;
  const leg = context.legs.of(machine, number) ?? context.legs.open(machine, number, seen);
  leg.lastSeq = Math.max(leg.lastSeq, seen);
  const channel = await take(context, leg);
  if (channel) return { leg, fact: toSequencedLegFact(leg, { type: 'legFound', state: stateOf(leg) }) };
  const fact = toSequencedLegFact(leg, lostLegHangup(leg));
  forgetEndedAsteriskLeg(context, leg);
  return { leg, fact };
};

const stateOf = ({ phase }: Leg): 'dialing' | 'ringing' | 'up' => (phase === 'gone' ? 'dialing' : phase);

/** The leg of a request: one we look after, or one we find alive at Asterisk. Undefined: it is gone. */
export const findOrRecoverLeg = async (
  context: AriContext,
  machine: LegMachineRef,
  number: number,
): Promise<Leg | undefined> => {
  const known = context.legs.of(machine, number);
  if (known) return known;
  const leg = context.legs.open(machine, number);
  if (await take(context, leg)) return leg;
  context.legs.forget(leg);
  return undefined;
};

/** Whether a leg lives here; nothing is done about it. */
export const isLegAlive = async (
  context: AriContext,
  machine: LegMachineRef,
  leg: number,
): Promise<boolean> =>
  context.legs.of(machine, leg) !== undefined ||
  (await channelOf(context, legId(machine, leg))) !== undefined;

/** Makes a live channel ours: its events, its commands, its end. Undefined when there is none. */
const take = async (context: AriContext, leg: Leg): Promise<AriChannel | undefined> => {
  const { app } = context;
  const found = await channelOf(context, leg.channel);
  if (!found) return undefined;
  leg.placedAt ??= Date.now();
  await subscribeToAriChannel(context, leg.channel);
  if (!isInStasis(found) && found.channelvars?.APP_NAME !== app && !leg.hasNewOwner) {
    leg.hasNewOwner = true;
    await tellAsteriskNewChannelOwner(context, leg.channel, app);
  }
  // It may have been answered, or have ended, while we looked.
  const channel = await channelOf(context, leg.channel);
  if (!channel) return undefined;
  if (isInStasis(channel)) await takeControl(context, leg, channel);
  else leg.phase = phaseOf(channel);
  return channel;
};

const channelOf = async ({ ari }: AriContext, id: string): Promise<AriChannel | undefined> => {
  const answer = await sendAriCommand(ari, 'GET', path`/channels/${id}`).catch(ignoreIfGone);
  return answer?.body as AriChannel | undefined;
};

const isInStasis = ({ dialplan }: AriChannel): boolean => dialplan.app_name === 'Stasis';

/** At the door, answered but not in anyone's hands, it still rings for us: `answered` comes when it enters. */
const phaseOf = ({ state, dialplan }: AriChannel): Leg['phase'] => {
  if (state === 'Up') return dialplan.context === 'amd' ? 'up' : 'ringing';
  return state === 'Ringing' ? 'ringing' : 'dialing';
};

const takeControl = async (context: AriContext, leg: Leg, channel: AriChannel): Promise<void> => {
  const { ari, app } = context;
  const { APP_NAME = '', PLAYING = '' } = channel.channelvars ?? {};
  const already = leg.inControl;
  leg.phase = 'up';
  leg.inControl = true;
  if (already) return;
  if (APP_NAME !== app) {
    await sendAriCommand(ari, 'POST', path`/channels/${leg.channel}/move`, { query: { app } }).catch(
      ignoreIfGone,
    );
    const query = { variable: 'APP_NAME', value: app };
    // Asterisk sets a variable when the playback under way is over; this does not wait for that.
    ari.ask('POST', path`/channels/${leg.channel}/variable`, { query }).catch(() => {});
  }
  if (PLAYING) await resumePlaybackAfterTakeover(context, leg, PLAYING);
};

/** Which of these legs talk to each other. */
const findBridges = async (context: AriContext, legs: Leg[]): Promise<void> => {
  for (const [i, first] of legs.entries()) {
    for (const second of legs.slice(i + 1)) {
      const id = bridgeIdOf(context, first, second);
      const { status } = await context.ari.ask('GET', path`/bridges/${id}`);
      if (status !== 200) continue;
      first.bridge = { id, with: second.number };
      second.bridge = { id, with: first.number };
    }
  }
};

/** The recordings of these legs, under way or left behind: their files are at Asterisk from their first moment. */
const findRecordings = async (context: AriContext, legs: Leg[]): Promise<void> => {
  const stored = (await sendAriCommand(context.ari, 'GET', '/recordings/stored')).body as { name: string }[];
  for (const { name } of stored) {
    const found = parseRecordingName(context, name);
    const leg = legs.find(({ channel }) => channel === found?.channel);
    if (leg && found) await takeOverRecording(context, leg, found.recording);
  }
};

/**
 * Compares our legs with what Asterisk has, after a gap (`caughtUp` false: playbacks and recordings as well) and
 * from time to time. What has gone without a word is told as lost, after a moment for a word on its way.
 */
export const reconcileLegs = async (context: AriContext, caughtUp: boolean): Promise<AriChannel[]> => {
  const before = Date.now();
  const channels = (await sendAriCommand(context.ari, 'GET', '/channels')).body as AriChannel[];
  const live = new Map(channels.map((channel) => [channel.id, channel]));
  for (const leg of context.legs.all()) {
    if (leg.placedAt === undefined || leg.placedAt >= before) continue;
    const channel = live.get(leg.channel);
    if (channel) catchUp(context, leg, channel, caughtUp);
    else confirmLoss(context, leg);
  }
  if (!caughtUp) {
    for (const one of context.recordings.values())
      runInBackground(context, 'looking for a recording', collectRecordingIfEnded(context, one));
  }
  return channels;
};

const catchUp = (context: AriContext, leg: Leg, channel: AriChannel, caughtUp: boolean): void => {
  if (channel.state === 'Ringing') rang(context, leg);
  if (isInStasis(channel) && !leg.inControl) {
    // Its StasisStart is on the way, or was lost; or it entered the application of the node before us.
    if (channel.channelvars?.APP_NAME === context.app) reportLegAnswered(context, leg);
    else runInBackground(context, 'taking a leg over', takeLate(context, leg, channel));
  }
  if (!caughtUp) runInBackground(context, 'looking for a playback', detectEndedPlayback(context, leg, false));
};

const takeLate = async (context: AriContext, leg: Leg, channel: AriChannel): Promise<void> => {
  const wasUp = leg.phase === 'up';
  await takeControl(context, leg, channel);
  if (!wasUp) context.legs.tell(leg, { type: 'answered' });
};

const confirmLoss = (context: AriContext, leg: Leg): void => {
  setTimeout(() => {
    if (leg.phase === 'gone' || !context.open()) return;
    const news = lostLegHangup(leg);
    forgetEndedAsteriskLeg(context, leg);
    context.legs.tell(leg, news);
  }, 1000).unref();
};
