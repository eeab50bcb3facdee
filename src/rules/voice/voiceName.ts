/** Names of voices, `Provider|VoiceName` (spec 2.6). */

/** The provider that speaks on this machine; all others are third parties (spec 4.10). */
export const builtInSpeechProvider = 'Espeak';

/** What an empty `voice` and the alias `fad` stand for. */
export const defaultVoice = `${builtInSpeechProvider}|pt-br`;

/** The two parts of a name; the provider of a name without `|` is empty. */
export const splitVoiceProviderAndName = (name: string): { provider: string; voice: string } => {
  const full = isDefaultVoice(name) ? defaultVoice : name.trim();
  const bar = full.indexOf('|');
  return { provider: full.slice(0, Math.max(0, bar)).trim(), voice: full.slice(bar + 1).trim() };
};

/** Whether a name is one of those of the default voice. */
export const isDefaultVoice = (name: string): boolean => ['', 'fad'].includes(name.trim().toLowerCase());

/** Whether a name asks for a provider that is not ours; a name without a provider does not. */
export const isThirdPartyVoice = (name: string): boolean => {
  const { provider } = splitVoiceProviderAndName(name);
  return provider !== '' && provider.toLowerCase() !== builtInSpeechProvider.toLowerCase();
};
