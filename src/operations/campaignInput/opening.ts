/** What the callee hears first (spec 4.3): `text`, else `urlcontent`, else `content`, else `audio64`. */
import type { PromptSource } from '../../../machines/call/input.ts';
import { hasPlaceholders } from '../../rules/placeholders.ts';
import type { CampaignAsked } from '../CreateCampaign.ts';
import type { NamedAudio } from './audio.ts';
import type { Leftovers } from './leftovers.ts';

export interface Opening {
  prompt: PromptSource;
  /** The asset that was made of what came with the request; absent: none was. */
  made?: string;
}

/** Throws 240 when there is nothing to be heard, 280 and 281. What it makes is noted in `leftovers`. */
export const readOpening = async (
  asked: CampaignAsked,
  audio: NamedAudio,
  _leftovers: Leftovers,
): Promise<Opening> => {
  const { params: given, refuse } = asked;
  if (given.text !== undefined) return speak(asked, given.text);
  if (audio.prompts.content) return { prompt: audio.prompts.content };
  throw refuse('noContent', 'one of content, text, urlcontent or audio64 is required');
};

/** A text that is the same for everybody is tried at once; its sound is kept for the calls. */
const speak = async (asked: CampaignAsked, written: string): Promise<Opening> => {
  const { account, services, refuse } = asked;
  const text = written.trim();
  const voice = await readVoice(asked);
  if (hasPlaceholders(text)) return { prompt: { text, voice } };
  const spoken = await services.speak(account.id, { text, voice });
  if (spoken.outcome !== 'spoken') throw refuse('notSpoken', `the text could not be spoken: ${spoken.why}`);
  return { prompt: { text, voice } };
};

const readVoice = async ({ account, params: given, services, refuse }: CampaignAsked): Promise<string> => {
  const voice = await services.voiceNamed(account.id, given.voice ?? '');
  if (voice === undefined)
    throw refuse('badValue', `voice must be one of GetTTSVoices; "${given.voice}" is not`);
  return voice;
};
