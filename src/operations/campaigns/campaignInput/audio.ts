/** The audio assets that a campaign names (codes 240 to 244). */
import type { PromptSource } from '../../../../machines/call/input.ts';
import { isThirdPartyVoice } from '../../../rules/voice/voiceName.ts';
import { findPlayableAudio } from '../../../store/reads/audio/audios.ts';
import type { CreateCampaignContext } from './params.ts';

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type Branch = 2 | 3 | 4 | 5 | 6 | 7 | 8;
type AudioName =
  | 'content'
  | 'machineAudio'
  | 'contentNoDigit'
  | 'contentWrong'
  | `cont${Digit}`
  | `content${Branch}`;

/** What is played, by the parameter that names it. */
export interface CampaignPrompts {
  prompts: Partial<Record<AudioName, PromptSource>>;
  /** The assets, as the interface writes their ids. */
  ids: string[];
}

type Word = 'noContent' | 'noMachineAudio' | 'noBranchAudio' | 'noDigitAudio' | 'noWrongAudio';

/** Every parameter that names an audio asset: its REST name, and its refusal. */
const parameters: readonly (readonly [name: AudioName, rest: string, word: Word])[] = [
  ['content', 'content', 'noContent'],
  ['machineAudio', 'amd', 'noMachineAudio'],
  ...([0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const).map((n) => [`cont${n}`, `cont${n}`, 'noBranchAudio'] as const),
  ...([2, 3, 4, 5, 6, 7, 8] as const).map((n) => [`content${n}`, `content${n}`, 'noBranchAudio'] as const),
  ['contentNoDigit', 'contentno', 'noDigitAudio'],
  ['contentWrong', 'contentfail', 'noWrongAudio'],
];

/**
 * Looks them all up at once. Throws the refusal of the first that the account does not have, and 280 for one that would have to
 * be spoken (ttsvar) where nothing speaks.
 */
export const readCampaignAudio = async ({
  account,
  params,
  services,
  refuse,
}: CreateCampaignContext): Promise<CampaignPrompts> => {
  const named = parameters.flatMap(([name, rest, word]) =>
    params[name] === undefined ? [] : [{ name, rest, word, written: params[name].trim() }],
  );
  const at = services.engine.now(account.shard);
  const written = named.map((one) => one.written);
  const found = await findPlayableAudio(services.database(account.shard), account.id, written, at);
  const audio: CampaignPrompts = { prompts: {}, ids: [] };
  for (const { name, rest, word, written: id } of named) {
    const asset = found.get(id);
    if (!asset) throw refuse(word, `${rest} "${id}" is not an audio of this account`);
    const isOwnText = 'text' in asset.prompt && !isThirdPartyVoice(asset.prompt.voice);
    if (isOwnText && services.cannotSpeak !== undefined)
      throw refuse('notSpoken', `${rest}: ${services.cannotSpeak}`);
    audio.prompts[name] = asset.prompt;
    audio.ids.push(asset.id);
  }
  return audio;
};
