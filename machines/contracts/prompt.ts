/** One thing to be heard; and whether a text is one. */
export type AudioPrompt =
  /** A file of the media store (8 kHz WAV). */
  { media: string } | { silenceMs: number } | { tone: 'beep' };

/** Whether a voice has something to say of a text: a letter, a digit, or a sign that is read out. */
export const isSpeakable = (text: string): boolean => /[\p{L}\p{N}\p{S}%&@#*/§]/u.test(text);
