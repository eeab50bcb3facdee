/** From what shall be heard to audio: which texts to speak, and what each cue plays. */
import { isSpeakable, type AudioPrompt } from '../contracts/prompt.ts';
import { isSurveyCall } from './interpretSurveyDigits.ts';
import type { CallContext, PlayingPromptKind } from './context.ts';
import type { CallInput, PromptSource } from './input.ts';

type Text = Extract<PromptSource, { text: string }>;

const allSources = ({ prompts }: Pick<CallInput, 'prompts'>): (PromptSource | undefined)[] => [
  ...prompts.opening,
  ...Object.values(prompts.slots),
  prompts.ask,
  prompts.noDigit,
  prompts.wrong,
  prompts.ending,
  prompts.machine,
  prompts.validate?.ask,
  prompts.validate?.match,
  prompts.validate?.notConfirmed,
  prompts.validate?.noDigit,
  prompts.beforeTransfer,
  prompts.nobodyFree,
];

/** Every text of a call, once each, always in the same order. */
export const collectPromptTexts = (call: Pick<CallInput, 'prompts'>): Text[] => {
  const texts: Text[] = [];
  for (const source of allSources(call))
    if (source && 'text' in source && !texts.some(sameAs(source))) texts.push(source);
  return texts;
};

/** Every file of a call, once each. Those of a campaign are kept as long as it is active. */
export const collectPromptFiles = (call: CallInput): string[] => {
  if (call.campaign) return [];
  const files = allSources(call).flatMap((source) => (source && 'media' in source ? [source.media] : []));
  return [...new Set(files)];
};

/**
 * Whether the callee would hear nothing: what comes first says nothing, or there is nothing at all. An agent speaks for
 * itself.
 */
export const hasNoAudiblePrompt = (call: CallInput): boolean => {
  if (call.mode === 'agent') return false;
  const { opening, ask } = call.prompts;
  const first = [...opening, ...listOf(ask)];
  return !(first.length > 0 ? first : allSources(call)).some(isHeard);
};

const isHeard = (source: PromptSource | undefined): boolean =>
  source !== undefined && ('media' in source || isSpeakable(source.text));

const sameAs =
  (one: Text) =>
  (other: Text): boolean =>
    one.text === other.text && one.voice === other.voice && (one.rate ?? 0) === (other.rate ?? 0);

/** What a cue plays, in order; empty when the call has nothing for it. */
export const promptSourcesForCue = (context: CallContext, cue: PlayingPromptKind): PromptSource[] => {
  const { prompts } = context.call;
  switch (cue) {
    case 'opening':
      return prompts.ask ? [...prompts.opening, prompts.ask] : prompts.opening;
    case 'slot':
      return listOf(prompts.slots[context.talk.slot]);
    case 'noDigit':
      return listOf(prompts.noDigit);
    case 'wrong':
      return listOf(prompts.wrong);
    case 'ending':
      return listOf(prompts.ending);
    case 'machine':
      return listOf(prompts.machine);
    case 'code':
      return listOf(prompts.validate?.ask);
    case 'match':
      return listOf(prompts.validate?.match);
    case 'notConfirmed':
      return listOf(prompts.validate?.notConfirmed);
    case 'unconfirmed':
      return listOf(prompts.validate?.noDigit);
    case 'beforeTransfer':
      return listOf(prompts.beforeTransfer);
    case 'nobody':
      return listOf(prompts.nobodyFree ?? (isSurveyCall(context.call) ? undefined : prompts.wrong));
  }
};

const listOf = (source: PromptSource | undefined): PromptSource[] => (source ? [source] : []);

/** A greeting's beep is followed by a moment of silence; so is the message we leave preceded by one. */
const AFTER_BEEP_MS = 1_000;

/** The prompts of the current cue. */
export const currentCuePrompts = (context: CallContext): AudioPrompt[] => {
  const prompts: AudioPrompt[] = promptSourcesForCue(context, context.talk.cue).map((source) => ({
    media: audioOf(context, source).media,
  }));
  return context.talk.cue === 'machine' ? [{ silenceMs: AFTER_BEEP_MS }, ...prompts] : prompts;
};

/** Longest file we let play without hearing of its end, when its length is not known. */
const LONGEST_FILE_SECONDS = 600;

/** How long the current cue plays at most, seconds. */
export const currentPromptDurationSeconds = (context: CallContext): number =>
  promptSourcesForCue(context, context.talk.cue).reduce(
    (sum, source) => sum + audioOf(context, source).seconds,
    0,
  );

const audioOf = (context: CallContext, source: PromptSource): { media: string; seconds: number } => {
  if ('media' in source) return { media: source.media, seconds: source.seconds ?? LONGEST_FILE_SECONDS };
  const audio = context.audio.made[collectPromptTexts(context.call).findIndex(sameAs(source))];
  if (!audio) throw new Error('a text is to be played that was never spoken');
  return audio;
};

/** Playbacks are numbered over the whole life of a call. */
export const currentPlaybackId = (context: CallContext): string => `p${context.talk.plays}`;
