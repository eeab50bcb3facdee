/** One thing to be heard. */
export type Prompt =
  /** A file of the media store (8 kHz WAV). */
  { media: string } | { silenceMs: number } | { tone: 'beep' };
