/** Events and effects between a machine and the speech cache. */
export interface SpeechSynthesisEffects {
  /**
   * Make the audio of these texts (cached by text and voice). `audioPrepared` comes with the acceptance, in the
   * order asked; a text that cannot be spoken fails the effect (`prepareAudioFailed`), as does one of `files` (media
   * ids, default none) that is not there. `atLeastOnce`.
   */
  prepareAudio: { texts: { text: string; voice: string; rate?: number }[]; files?: string[] };
}

export type SpeechSynthesisEvent = {
  type: 'audioPrepared';
  /** Media ids and lengths, in the order of the texts. */
  audio: { media: string; seconds: number }[];
};
