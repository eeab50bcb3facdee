/**
 * Recording. Asterisk writes the file; when it is done we fetch it, keep it in the media store, delete it there
 * and report its length as measured. Some ends are never reported, so each recording is looked for in the end.
 */
import type { TelephonyEffects } from '../../../../machines/contracts/telephony.ts';
import { Retryable } from '../../../engine/contract/performer.ts';
import { sendAriCommand, path, subscribeToAriChannel, ignoreIfGone } from './ariRestClient.ts';
import { runInBackground, type Call, type AriContext, type OngoingAriRecording } from './ariContext.ts';
import type { News } from './legTable.ts';
import type { Leg } from './legTypes.ts';

type Terms = TelephonyEffects['record'];

const arrivalMs = 5000;
const graceMs = 15_000;
/** After a stop or a hang-up the end should come at once. */
const soonMs = 2000;
/** A recording that could not be brought home so many times in a row, which takes a day, has failed. */
const mostFailures = (24 * 3_600_000) / graceMs;
/** Seconds of sound below which there is nothing to hear: no audio ever came from the far end. */
const nothing = 0.02;

/** The name of a recording at Asterisk: installation, leg, recording. */
const recordingName = ({ installation }: AriContext, leg: Leg, recording: string): string =>
  `${installation}.${leg.channel}.rec.${plain(recording)}`;

/** What such a name says; undefined when it is none of this installation. */
export const parseRecordingName = (
  { installation }: AriContext,
  name: string,
): { channel: string; recording: string } | undefined => {
  const [channel, recording, ...rest] = name.slice(installation.length + 1).split('.rec.');
  const ours = name.startsWith(`${installation}.`) && channel && recording && rest.length === 0;
  return ours ? { channel, recording } : undefined;
};

const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9_-]/g, '-');

/** Begins to record. Asking again is fine. */
export const startLegRecording = async (context: AriContext, leg: Leg, call: Call<Terms>): Promise<void> => {
  const { params } = call;
  const name = recordingName(context, leg, params.recording);
  if (context.recordings.has(name)) return;
  const mine = track(context, leg, params.recording, name);
  mine.endOnDigit = params.endOnDigit;
  try {
    await begin(context, mine, params);
    guardFor(context, mine, params.maxSeconds * 1000 + graceMs);
  } catch (error) {
    forget(context, mine);
    throw error;
  }
};

const track = (context: AriContext, leg: Leg, recording: string, name: string): OngoingAriRecording => {
  const mine: OngoingAriRecording = {
    leg,
    recording,
    name,
    snoop: undefined,
    endOnDigit: undefined,
    guard: undefined,
    fetching: false,
    failures: 0,
  };
  context.recordings.set(name, mine);
  return mine;
};

const begin = async (context: AriContext, mine: OngoingAriRecording, params: Terms): Promise<void> => {
  const { ari } = context;
  const { leg, name } = mine;
  // A channel in a bridge cannot be recorded itself, nor can what it hears.
  const direct = params.scope === 'leg' && !leg.bridge;
  const source = direct ? leg.channel : await listenIn(context, mine, params.scope === 'leg' ? 'in' : 'both');
  if (!direct && params.beep) await beep(context, leg);
  await sendAriCommand(ari, 'POST', path`/channels/${source}/record`, {
    query: {
      name,
      format: 'wav',
      maxDurationSeconds: Math.max(1, Math.ceil(params.maxSeconds)),
      ifExists: 'overwrite',
      beep: String(direct && params.beep),
      // Asterisk ends on these by itself, also while our socket is down; other digits we hear.
      terminateOn: direct && /^[*#]$/.test(params.endOnDigit ?? '') ? params.endOnDigit : 'none',
    },
  });
};

const beep = ({ ari }: AriContext, leg: Leg): Promise<unknown> =>
  sendAriCommand(ari, 'POST', path`/channels/${leg.channel}/play`, { query: { media: 'sound:beep' } });

/** A channel that hears the leg through bridges; it can be recorded once it has entered our application. */
const listenIn = async (
  context: AriContext,
  mine: OngoingAriRecording,
  spy: 'in' | 'both',
): Promise<string> => {
  const { ari, app, arrivals } = context;
  const id = snoopOf(mine.leg, mine.recording);
  const arrived = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => reject(new Retryable('the listening channel did not come')), arrivalMs);
    arrivals.set(id, () => {
      clearTimeout(late);
      resolve();
    });
  }).finally(() => arrivals.delete(id));
  arrived.catch(() => {});
  mine.snoop = id;
  await sendAriCommand(ari, 'POST', path`/channels/${mine.leg.channel}/snoop/${id}`, { query: { spy, app } });
  await arrived;
  return id;
};

const snoopOf = (leg: Leg, recording: string): string => `${leg.channel}.snoop.${plain(recording)}`;

/** The leg a listening channel belongs to; undefined for other channels. */
export const snoopedChannel = (id: string): string | undefined => /^(.+)\.snoop\.[^.]+$/.exec(id)?.[1];

/** Ends a recording early. One that has ended is fine. */
export const stopLegRecording = async (context: AriContext, leg: Leg, recording: string): Promise<void> => {
  const mine = context.recordings.get(recordingName(context, leg, recording));
  if (mine) await stop(context, mine);
};

const stop = async (context: AriContext, mine: OngoingAriRecording): Promise<void> => {
  await sendAriCommand(context.ari, 'POST', path`/recordings/live/${mine.name}/stop`).catch(ignoreIfGone);
  guardFor(context, mine, soonMs);
};

/** A digit that ends a recording ends it. */
export const endRecordingOnDigit = (context: AriContext, leg: Leg, digit: string): void => {
  for (const mine of context.recordings.values()) {
    if (mine.leg === leg && mine.endOnDigit === digit)
      runInBackground(context, 'ending a recording', stop(context, mine));
  }
};

/** The leg is gone, and its recordings end with it. */
export const expectEndOfGoneLegRecordings = (context: AriContext, leg: Leg): void => {
  for (const mine of context.recordings.values()) {
    if (mine.leg === leg) guardFor(context, mine, soonMs);
  }
};

/** Asterisk says that a recording is over, well or badly. */
export const handleAsteriskRecordingEnded = (context: AriContext, name: string): void => {
  const mine = context.recordings.get(name);
  if (mine) runInBackground(context, 'fetching a recording', collect(context, mine));
};

const guardFor = (context: AriContext, mine: OngoingAriRecording, ms: number): void => {
  clearTimeout(mine.guard);
  if (!context.recordings.has(mine.name)) return;
  mine.guard = setTimeout(() => {
    if (context.open())
      runInBackground(context, 'looking for a recording', collectRecordingIfEnded(context, mine));
  }, ms).unref();
};

/** Looks again later where Asterisk or the store did not answer; after a day the recording is told as failed. */
const retryLater = (context: AriContext, mine: OngoingAriRecording): void => {
  if (!context.recordings.has(mine.name)) return;
  mine.failures += 1;
  if (mine.failures < mostFailures) return guardFor(context, mine, graceMs);
  forget(context, mine);
  const reason = 'it could not be fetched or kept for a day';
  context.legs.tell(mine.leg, { type: 'recordFailed', recording: mine.recording, reason });
};

/** Collects a recording whose end was missed; one that still goes on, or cannot be asked for, is looked at again later. */
export const collectRecordingIfEnded = async (
  context: AriContext,
  mine: OngoingAriRecording,
): Promise<void> => {
  const live = context.ari.ask('GET', path`/recordings/live/${mine.name}`);
  const { status } = await live.catch((error: unknown) => {
    retryLater(context, mine);
    throw error;
  });
  if (status === 404) return collect(context, mine);
  mine.failures = 0;
  guardFor(context, mine, graceMs);
};

/** Fetches the file, keeps it, and reports it. A store or an Asterisk that is away is asked again later. */
const collect = async (context: AriContext, mine: OngoingAriRecording): Promise<void> => {
  if (mine.fetching || !context.recordings.has(mine.name)) return;
  mine.fetching = true;
  try {
    const news = await keep(context, mine);
    forget(context, mine);
    context.legs.tell(mine.leg, news);
    await clearAway(context, mine);
  } catch (error) {
    retryLater(context, mine);
    throw error;
  } finally {
    mine.fetching = false;
  }
};

const keep = async (
  { ari, media }: AriContext,
  { leg, recording, name }: OngoingAriRecording,
): Promise<News> => {
  const file = await ari.file(path`/recordings/stored/${name}/file`);
  if (!file) return { type: 'recordFailed', recording, reason: 'Asterisk kept no file' };
  const id = `rec-${leg.machine.shard}-${leg.machine.id}-${leg.number}-${plain(recording)}`;
  const { seconds } = await media.put(leg.machine.account, id, file);
  if (seconds >= nothing) return { type: 'recorded', recording, media: id, seconds };
  await media.delete(leg.machine.account, id);
  return { type: 'recordFailed', recording, reason: 'no sound came from the far end' };
};

const clearAway = async ({ ari }: AriContext, { snoop, name }: OngoingAriRecording): Promise<void> => {
  if (snoop) await sendAriCommand(ari, 'DELETE', path`/channels/${snoop}`).catch(ignoreIfGone);
  await sendAriCommand(ari, 'DELETE', path`/recordings/stored/${name}`).catch(ignoreIfGone);
};

const forget = (context: AriContext, mine: OngoingAriRecording): void => {
  clearTimeout(mine.guard);
  context.recordings.delete(mine.name);
};

/** Goes on with a recording of a leg that was taken over, under way or ended. */
export const takeOverRecording = async (context: AriContext, leg: Leg, recording: string): Promise<void> => {
  const name = recordingName(context, leg, recording);
  if (context.recordings.has(name)) return;
  const mine = track(context, leg, recording, name);
  mine.snoop = snoopOf(leg, recording);
  guardFor(context, mine, graceMs);
  // Without it its end would be heard of by the guard only. A leg that was recorded directly has none.
  await subscribeToAriChannel(context, mine.snoop);
  await collectRecordingIfEnded(context, mine);
};
