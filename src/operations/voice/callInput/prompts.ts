/** What the callee hears: texts and audio files, in the slots that something refers to. */
import type { CallInput, DtmfKeyAction, PromptSource } from '../../../../machines/call/input.ts';
import { toLocal } from '../../../lib/localTime.ts';
import { fillPlaceholders } from '../../../rules/voice/placeholders.ts';
import {
  allPromptContentSlotNumbers,
  promptOfSlot,
  promptSlotsPlayedByKeys,
  allPromptTextSlotNumbers,
} from '../../../rules/voice/promptSlots.ts';
import { isSpeakable } from '../../../rules/voice/isSpeakable.ts';
import { defaultVoice, isThirdPartyVoice } from '../../../rules/voice/voiceName.ts';
import { type PlayableAudio, findPlayableAudio } from '../../../store/reads/audio/audios.ts';
import type { CallRequestContext } from './params.ts';
import { digest } from '../../idempotency.ts';

type CallParams = CallRequestContext['params'];
/** Audio by the parameter that names it. */
type Audio = Readonly<Record<string, PromptSource>>;

/** When the call is asked for, and when it is due: epoch milliseconds. */
interface Times {
  now: number;
  dialAt: number;
}

const DAY = 86_400_000;
/** Placeholders can make much of a short text, characters. */
const longestSpoken = 10_000;

/** Spec 4.2 "Rule": something to say, or a value for something to say; blanks are neither. */
export const callParamsHaveSpokenContent = (params: CallParams): boolean =>
  [
    params.text,
    params.content,
    ...allPromptTextSlotNumbers.map((n) => params[`text${n}`]),
    ...Object.values(placeholderValuesFromCallParams(params)),
  ].some((written = '') => written.trim() !== '');

/** All that is going to be spoken or sent, by its REST name. */
export const spokenAndSmsTexts = (params: CallParams): Record<string, string | undefined> => ({
  text: params.text,
  ...Object.fromEntries(allPromptTextSlotNumbers.map((n) => [`text${n}`, params[`text${n}`]])),
  ...placeholderValuesFromCallParams(params),
  sms_text: params.smsText,
});

/** The placeholder values that were given, by their REST names. */
export const placeholderValuesFromCallParams = (params: CallParams): Record<string, string> => {
  const { name, extra1, extra2, extra3, extra4, customerCode } = params;
  const all = { nome: name, extra1, extra2, extra3, extra4, cod_cli: customerCode };
  return Object.fromEntries(
    Object.entries(all).flatMap(([word, value]) => (value === undefined ? [] : [[word, value]])),
  );
};

/**
 * Throws 204 for audio the account does not have, 210 for a third party's voice, 260 for a text where nothing speaks, 299 for an
 * unknown voice or an empty slot.
 */
export const readPrompts = async (
  ctx: CallRequestContext,
  keys: Readonly<Record<string, DtmfKeyAction>>,
  times: Times,
): Promise<{ prompts: CallInput['prompts']; audioKey: string }> => {
  const { params } = ctx;
  const spoken = await readTexts(ctx);
  const audio = await readAudio(ctx, times);
  checkOpening(ctx, spoken, audio);
  const prompts: CallInput['prompts'] = {
    opening: [audio['content'], spoken['text']].filter((prompt) => prompt !== undefined),
    slots: readSlots(ctx, keys, audio, spoken),
    ...(audio['contentdtmf'] && { ask: audio['contentdtmf'] }),
    ...(audio['contentno'] && { noDigit: audio['contentno'] }),
    ...(audio['contentfail'] && { wrong: audio['contentfail'] }),
    ...(audio['contentend'] && { ending: audio['contentend'] }),
    ...(audio['amd'] && { machine: audio['amd'] }),
  };
  warnOfSilence(ctx, prompts);
  return { prompts, audioKey: digest({ spoken, audio, values: placeholderValuesFromCallParams(params) }) };
};

/** A call without anything to play is not made. Throws 299. */
const checkOpening = ({ params, refuse }: CallRequestContext, spoken: Audio, audio: Audio): void => {
  const isHeard = spoken['text'] ?? audio['content'] ?? audio['contentdtmf'];
  if (!isHeard && params.type !== '100' && params.text?.trim())
    throw refuse('badValue', 'text says nothing once its placeholders are filled in');
};

/** Where only values were given, or audio that no key leads to, the call is accepted (spec 4.2) and ends. */
const warnOfSilence = ({ params, warn }: CallRequestContext, prompts: CallInput['prompts']): void => {
  const { opening, slots, ...others } = prompts;
  const heard = [...opening, ...Object.values(slots), ...Object.values(others)];
  if (params.type !== '100' && heard.length === 0)
    warn('there is nothing to say: without text or content no call is made');
};

const readTexts = async (ctx: CallRequestContext): Promise<Audio> => {
  const { params, refuse } = ctx;
  const voice = await readVoice(ctx);
  const values = placeholderValuesFromCallParams(params);
  const written = [
    ['text', params.text] as const,
    ...allPromptTextSlotNumbers.map((n) => [`text${n}`, params[`text${n}`]] as const),
  ];
  return Object.fromEntries(
    written.flatMap(([slot, pattern]) => {
      const text = fillPlaceholders(pattern ?? '', values).trim();
      if (text.length > longestSpoken)
        throw refuse('badValue', `${slot} must be at most ${longestSpoken} characters once filled in`);
      // A text of placeholders without values says nothing.
      if (!isSpeakable(text)) return [];
      refuseSilence(ctx, slot);
      return [[slot, { text, voice }]];
    }),
  );
};

/** Where no synthesizer is configured, a call that needs one is not made. Throws 260. */
const refuseSilence = (
  { services: { cannotSpeak }, refuse }: CallRequestContext,
  parameter: string,
): void => {
  if (cannotSpeak !== undefined) throw refuse('audioFailed', `${parameter}: ${cannotSpeak}`);
};

/** Throws 210 for a third party's voice, whether it exists or not (spec 4.10). */
const readVoice = async ({ account, params, services, refuse }: CallRequestContext): Promise<string> => {
  const { voice: name = '' } = params;
  if (isThirdPartyVoice(name)) throw refuse('thirdPartyVoice');
  // Where nothing speaks none is offered, and a text is refused whatever its voice.
  if (services.cannotSpeak !== undefined) return defaultVoice;
  const voice = await services.voiceNamed(account.id, name);
  if (voice === undefined)
    throw refuse('badValue', `voice must be one of GetTTSVoices; "${params.voice}" is not`);
  return voice;
};

const readAudio = async (ctx: CallRequestContext, { now, dialAt }: Times): Promise<Audio> => {
  const { account, services, refuse } = ctx;
  const named = namedAudio(ctx.params);
  const ids = named.map(([, id]) => id);
  const found = await findPlayableAudio(services.database(account.shard), account.id, ids, now);
  return Object.fromEntries(
    named.map(([parameter, id]) => {
      const asset = found.get(id);
      if (!asset) throw refuse('unknownAudio', `${parameter} "${id}" is not an audio of this account`);
      warnOfExpiry(ctx, parameter, asset, dialAt);
      return [parameter, 'text' in asset.prompt ? filledIn(ctx, parameter, asset.prompt) : asset.prompt];
    }),
  );
};

/** An asset of type ttsvar is spoken with this call's values. Throws 210, 260 and 299 as for a text of the request. */
const filledIn = (
  ctx: CallRequestContext,
  parameter: string,
  asset: Extract<PromptSource, { text: string }>,
): PromptSource => {
  const { params, refuse } = ctx;
  if (isThirdPartyVoice(asset.voice)) throw refuse('thirdPartyVoice');
  refuseSilence(ctx, parameter);
  const text = fillPlaceholders(asset.text, placeholderValuesFromCallParams(params)).trim();
  if (!isSpeakable(text))
    throw refuse('badValue', `${parameter} says nothing without values for its placeholders`);
  if (text.length > longestSpoken)
    throw refuse('badValue', `${parameter} must be at most ${longestSpoken} characters once filled in`);
  return { ...asset, text };
};

/** Every audio parameter that was given, by its REST name. */
const namedAudio = (params: CallParams): (readonly [string, string])[] => {
  const all: Record<string, string | undefined> = {
    content: params.content,
    contentdtmf: params.contentAsk,
    contentno: params.contentNoDigit,
    contentfail: params.contentWrong,
    contentend: params.contentEnd,
    amd: params.machineAudio,
  };
  for (const n of allPromptContentSlotNumbers) all[`content${n}`] = params[`content${n}`];
  return Object.entries(all).flatMap(([parameter, id]) =>
    id === undefined ? [] : [[parameter, id.trim()] as const],
  );
};

const warnOfExpiry = (
  { account, warn }: CallRequestContext,
  parameter: string,
  { id, expiresAt }: PlayableAudio,
  dialAt: number,
): void => {
  if (expiresAt === null || expiresAt > dialAt + DAY) return;
  warn(`${parameter} ${id} expires on ${toLocal(expiresAt - 1, account.time_zone).date}`);
};

const readSlots = (
  { refuse }: CallRequestContext,
  keys: Readonly<Record<string, DtmfKeyAction>>,
  audio: Audio,
  spoken: Audio,
): Record<string, PromptSource> => {
  const numberedOf = (family: string, from: Audio): Record<number, PromptSource> =>
    Object.fromEntries(
      allPromptContentSlotNumbers.flatMap((n) =>
        from[`${family}${n}`] ? [[n, from[`${family}${n}`]!]] : [],
      ),
    );
  const contents = numberedOf('content', audio);
  const texts = numberedOf('text', spoken);
  return Object.fromEntries(
    promptSlotsPlayedByKeys(keys).map((slot) => {
      const prompt = promptOfSlot(slot, contents, texts);
      if (!prompt)
        throw refuse(
          'badValue',
          `a dtmf action plays slot ${slot}, but neither content${slot} nor text${slot} is given`,
        );
      return [String(slot), prompt];
    }),
  );
};
