/**
 * Playing prompts. Each prompt is a playback of its own: Asterisk reports a playlist by its last item only, and
 * never reports the end of some failures, so every playback has a guard that looks for itself.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { AudioPrompt } from '../../../../machines/contracts/prompt.ts';
import type { TelephonyEffects } from '../../../../machines/contracts/telephony.ts';
import { Retryable, NotRetryable } from '../../../engine/contract/performer.ts';
import { sendAriCommand, path, ignoreIfGone } from './ariRestClient.ts';
import { runInBackground, type Call, type AriContext } from './ariContext.ts';
import type { News } from './legTable.ts';
import type { LegPlayback, Leg } from './legTypes.ts';

/**
 * A channel that is just leaving a bridge swallows what it is to play: Asterisk takes the playback, and forgets it
 * without a word. One that has not begun after this time is looked for, and asked for again when it is not there.
 */
const beginMs = 1000;
const tries = 3;
/** Fetching a prompt may take Asterisk ten seconds. */
const graceMs = 15_000;
/** Looks in a row that Asterisk does not answer; then the playback has failed. */
const mostLooks = 20;
/** Stopping is asked for so many times, so far apart, milliseconds; after that with the effect. */
const STOP_TRIES = 5;
const STOP_AGAIN_MS = 100;
/** An end waits so long to be noted, milliseconds. */
const NOTE_MS = 1000;
let lastPlayback = 0;

/** Appends to what the leg hears; resolves when Asterisk has taken the first prompt, or the leg hears another. */
export const play = async (
  context: AriContext,
  leg: Leg,
  call: Call<TelephonyEffects['play']>,
): Promise<void> => {
  if (leg.plays.some(({ effect }) => effect === call.id)) return;
  const { playback, prompts } = call.params;
  const mine: LegPlayback = {
    name: playback,
    effect: call.id,
    prompts: [...prompts],
    current: undefined,
    guard: undefined,
  };
  leg.plays.push(mine);
  if (leg.plays.length > 1) return;
  try {
    await advance(context, leg, mine);
  } catch (error) {
    drop(leg, mine);
    await noteNothing(context, leg);
    throw error;
  }
};

/**
 * Ends a playback without a word. Where Asterisk cannot end it now, it is still there when the effect comes again. That
 * nothing plays is noted first: Asterisk notes it when the playback ends, also where this process ends in between.
 */
export const stopPlay = async (
  context: AriContext,
  leg: Leg,
  call: Call<TelephonyEffects['stopPlay']>,
): Promise<void> => {
  const [first] = leg.plays;
  const named = leg.plays.filter(({ name }) => name === call.params.playback);
  for (const one of named) if (one !== first) drop(leg, one);
  if (!first || !named.includes(first)) return;
  first.isStopping = true;
  first.prompts.length = 0;
  const noted = noteNothing(context, leg);
  if (first.current) await stop(context, first.current);
  await noted;
  if (drop(leg, first)) next(context, leg);
};

/** Asterisk answers 500 for what it has just taken: a moment later it can stop it. */
const stop = async ({ ari }: Pick<AriContext, 'ari'>, id: string, left = STOP_TRIES): Promise<void> => {
  try {
    await sendAriCommand(ari, 'DELETE', path`/playbacks/${id}`).catch(ignoreIfGone);
  } catch (error) {
    if (!(error instanceof Retryable) || left === 1) throw error;
    await pause(STOP_AGAIN_MS);
    await stop({ ari }, id, left - 1);
  }
};

/** Asterisk says that a playback has begun. */
export const handlePlaybackStarted = (leg: Leg, id: string): void => {
  const [mine] = leg.plays;
  if (mine?.current === id) mine.began?.();
};

/** Asterisk says that a playback is over. */
export const handlePlaybackFinished = (context: AriContext, leg: Leg, id: string, done: boolean): void => {
  const [mine] = leg.plays;
  if (!mine || mine.current !== id) return;
  // A hang-up ends playbacks as failed; the leg's end says it all.
  if (!done && (leg.hangingUp || leg.ending)) return;
  if (done) runInBackground(context, 'playing the next prompt', goOn(context, leg, mine));
  else finish(context, leg, mine, 'Asterisk could not play it');
};

/** Finds out whether a playback still goes on, when its end may have been missed. */
export const detectEndedPlayback = async (context: AriContext, leg: Leg, overdue: boolean): Promise<void> => {
  const [mine] = leg.plays;
  const id = mine?.current;
  if (!mine || !id) return;
  const { status } = await context.ari.ask('GET', path`/playbacks/${id}`);
  if (mine.current !== id || leg.plays[0] !== mine) return;
  if (status === 404) return goOn(context, leg, mine);
  if (!overdue) return;
  await end(context, leg, mine, 'it never ended');
};

const summaryOf = ({ name, effect, prompts }: LegPlayback): object => ({ name, effect, prompts });

/**
 * Notes at the channel what plays on the leg, for a node that takes it over. Asterisk notes it once the playback or the
 * recording of that moment is over. Notes of a leg go out one after the other, so that the last one stays.
 */
const note = ({ ari }: AriContext, leg: Leg, value: string): Promise<unknown> => {
  const query = { variable: 'PLAYING', value };
  const send = () => sendAriCommand(ari, 'POST', path`/channels/${leg.channel}/variable`, { query });
  const noting = leg.noting ? leg.noting.then(send, send) : send();
  leg.noting = noting;
  const over = (): void => {
    if (leg.noting === noting) leg.noting = undefined;
  };
  noting.then(over, over);
  return noting;
};

/** Notes that nothing is left to go on with; resolves when it is noted, or after a second: a recording takes long. */
const noteNothing = async (context: AriContext, leg: Leg): Promise<void> => {
  const noting = note(context, leg, '').catch(ignoreIfGone);
  runInBackground(context, 'noting that nothing plays', noting);
  const settled = noting.catch(() => {});
  await Promise.race([settled, pause(NOTE_MS, undefined, { ref: false })]);
};

const playingSchema = z.object({
  id: z.string(),
  /** Of the prompt being heard. */
  seconds: z.number(),
  play: z.object({ name: z.string(), effect: z.string(), prompts: z.array(z.custom<AudioPrompt>()) }),
});

/** Goes on with what played on a leg when it was taken over; what has ended meanwhile is told as played. */
export const resumePlaybackAfterTakeover = async (
  context: AriContext,
  leg: Leg,
  noteOfIt: string,
): Promise<void> => {
  const { id, seconds, play: was } = playingSchema.parse(JSON.parse(noteOfIt));
  if (leg.plays.length > 0) return;
  const { status } = await context.ari.ask('GET', path`/playbacks/${id}`);
  if (leg.plays.length > 0) return;
  const mine: LegPlayback = { ...was, current: id, guard: undefined };
  leg.plays.push(mine);
  if (status === 404) await goOn(context, leg, mine);
  else mine.guard = guard(context, leg, seconds);
};

/** The leg is gone. */
export const forgetAsteriskPlaybacks = (leg: Leg): void => {
  for (const one of leg.plays.splice(0)) clearTimeout(one.guard);
};

const goOn = (context: AriContext, leg: Leg, mine: LegPlayback): Promise<void> =>
  persist(context, leg, mine, advance(context, leg, mine));

/** Runs a step of the playback in the background; its failure is reported as the end of the playback. */
const persist = (context: AriContext, leg: Leg, mine: LegPlayback, work: Promise<void>): Promise<void> =>
  work.catch((error: unknown) => {
    if (error instanceof NotRetryable && error.reason === 'gone') drop(leg, mine);
    else finish(context, leg, mine, String(error instanceof Error ? error.message : error));
  });

/** Plays the next prompt, or says that all were heard. */
const advance = async (context: AriContext, leg: Leg, mine: LegPlayback): Promise<void> => {
  clearTimeout(mine.guard);
  mine.current = undefined;
  const prompt = mine.prompts.shift();
  if (!prompt) return finish(context, leg, mine);
  const sound = await soundOf(context, leg, prompt);
  if (!sound) return finish(context, leg, mine, `there is no ${JSON.stringify(prompt)}`);
  await leg.leaving;
  await begin(context, leg, mine, sound, tries);
};

/** Asks Asterisk to play, so many times at most. */
const begin = async (
  context: AriContext,
  leg: Leg,
  mine: LegPlayback,
  sound: Sound,
  left: number,
): Promise<void> => {
  const id = `${leg.channel}.play.${Date.now().toString(36)}.${(lastPlayback += 1)}`;
  if (!isWanted(leg, mine)) return;
  // A node that takes this leg over finds what plays on it and what is to follow.
  await note(context, leg, JSON.stringify({ id, seconds: sound.seconds, play: summaryOf(mine) }));
  if (!isWanted(leg, mine)) return;
  mine.current = id;
  mine.began = () => {
    mine.began = undefined;
    clearTimeout(mine.guard);
    mine.guard = guard(context, leg, sound.seconds);
  };
  const again = (): Promise<void> => begin(context, leg, mine, sound, left - 1);
  watch(context, leg, mine, left > 1 ? again : () => Promise.reject(new Error('Asterisk did not begin')));
  await sendAriCommand(context.ari, 'POST', path`/channels/${leg.channel}/play/${id}`, {
    query: { media: sound.uri },
  });
  // It was stopped while Asterisk was asked, perhaps before it had heard of it.
  if (mine.isStopping && !leg.plays.includes(mine)) runInBackground(context, 'stopping', stop(context, id));
};

const isWanted = (leg: Leg, mine: LegPlayback): boolean => leg.plays[0] === mine && !mine.isStopping;

/** Looks whether the playback has begun; what is not there at two looks was swallowed. */
const watch = (
  context: AriContext,
  leg: Leg,
  mine: LegPlayback,
  again: () => Promise<void>,
  missed = false,
  left = mostLooks,
): void => {
  const id = mine.current!;
  const isAwaited = (): boolean => mine.current === id && leg.plays[0] === mine && mine.began !== undefined;
  const look = async (): Promise<void> => {
    const { status, body } = await context.ari.ask('GET', path`/playbacks/${id}`);
    if (!isAwaited()) return;
    if (status === 404 && missed) return persist(context, leg, mine, again());
    if (status === 200 && (body as { state: string }).state === 'playing') return mine.began?.();
    watch(context, leg, mine, again, status === 404);
  };
  const lookAgain = async (error: unknown): Promise<never> => {
    if (isAwaited()) {
      if (left > 1) watch(context, leg, mine, again, missed, left - 1);
      else await end(context, leg, mine, unanswered);
    }
    throw error;
  };
  mine.guard = setTimeout(() => {
    if (context.open()) runInBackground(context, 'looking for a playback', look().catch(lookAgain));
  }, beginMs).unref();
};

/** Looks for a playback once it must be over, and again where Asterisk does not answer. */
const guard = (context: AriContext, leg: Leg, seconds: number, left = mostLooks): NodeJS.Timeout => {
  const look = async (): Promise<void> => {
    const [mine] = leg.plays;
    const id = mine?.current;
    try {
      await detectEndedPlayback(context, leg, true);
    } catch (error) {
      if (mine && id && mine.current === id && leg.plays[0] === mine) {
        if (left > 1) mine.guard = guard(context, leg, 0, left - 1);
        else await end(context, leg, mine, unanswered);
      }
      throw error;
    }
  };
  const later = (): void => {
    if (context.open()) runInBackground(context, 'looking for a playback', look());
  };
  return setTimeout(later, seconds * 1000 + graceMs).unref();
};

const unanswered = 'Asterisk does not say whether it plays';

/** Ends a playback as failed, also at Asterisk. */
const end = async (context: AriContext, leg: Leg, mine: LegPlayback, reason: string): Promise<void> => {
  const { current } = mine;
  finish(context, leg, mine, reason);
  if (current) await stop(context, current);
};

const finish = (context: AriContext, leg: Leg, mine: LegPlayback, reason?: string): void => {
  if (!drop(leg, mine)) return;
  if (reason) runInBackground(context, 'telling of a playback', fail(context, leg, mine, reason));
  else tell(context, leg, mine, { type: 'played', playback: mine.name });
  next(context, leg);
};

/** Tells a failure once its leftover prompts cannot come back. */
const fail = async (context: AriContext, leg: Leg, mine: LegPlayback, reason: string): Promise<void> => {
  await noteNothing(context, leg);
  tell(context, leg, mine, { type: 'playFailed', playback: mine.name, reason });
};

const tell = ({ legs }: AriContext, leg: Leg, mine: LegPlayback, news: News): void => {
  if (leg.phase !== 'gone' && !mine.isStopping) legs.tell(leg, news);
};

const drop = (leg: Leg, mine: LegPlayback): boolean => {
  clearTimeout(mine.guard);
  const at = leg.plays.indexOf(mine);
  if (at >= 0) leg.plays.splice(at, 1);
  return at >= 0;
};

const next = (context: AriContext, leg: Leg): void => {
  const [following] = leg.plays;
  if (following && !following.current) runInBackground(context, 'playing', goOn(context, leg, following));
};

interface Sound {
  uri: string;
  seconds: number;
}

const soundOf = async (
  { media, mediaUrl }: AriContext,
  leg: Leg,
  prompt: AudioPrompt,
): Promise<Sound | undefined> => {
  if ('tone' in prompt) return { uri: 'sound:beep', seconds: 1 };
  if ('silenceMs' in prompt) return silence(prompt.silenceMs);
  const { account } = leg.machine;
  const stat = await media.stat(account, prompt.media);
  // Asterisk splits its media list at every comma, also inside of a URL.
  const url = mediaUrl(account, prompt.media).replaceAll(',', '%2C');
  return stat && { uri: `sound:${url}`, seconds: stat.seconds };
};

/** Asterisk has silence in whole seconds, ten at most: a list of them. */
const silence = (ms: number): Sound => {
  const seconds = Math.max(1, Math.round(ms / 1000));
  const pieces = Array.from({ length: Math.ceil(seconds / 10) }, (_, i) => Math.min(10, seconds - i * 10));
  return { uri: pieces.map((piece) => `sound:silence/${piece}`).join(','), seconds };
};
