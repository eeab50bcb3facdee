/**
 * The speech contract: texts become media files (spec 4.2 `text`, `voice`; 4.10).
 * The words stand in `machines/vocabulary/speech.ts`; `speech/desk.ts` keeps what was spoken, `speech/espeak.ts` speaks.
 */
import type { SpeechEffects } from '../../machines/vocabulary/speech.ts';
import type { Performer } from './performer.ts';

export interface Speech {
  performers: { [Name in keyof SpeechEffects]: Performer<SpeechEffects[Name]> };
  /** The voices one may choose. */
  voices: readonly Voice[];
  /** The full name of a voice; undefined when there is none such. Empty and `fad` stand for the default. */
  voiceNamed(name: string): string | undefined;
  /** Ends the synthesizer; what was not spoken yet is asked for again. */
  stop(): Promise<void>;
}

export interface Voice {
  /** `Provider|VoiceName`, as `voice` parameters carry it. */
  name: string;
  title: string;
  /** E.g. `pt-BR`. */
  language: string;
  gender: 'F' | 'M';
}

/** Makes sound of text. */
export interface Synthesizer {
  /**
   * An 8 kHz 16-bit mono WAV. `voice` is the name without provider. Throws `Retryable` when the synthesizer died,
   * hung or is overrun, `Terminal` when it refuses the text.
   */
  speak(text: string, voice: string): Promise<Buffer>;
  stop(): Promise<void>;
}
