/**
 * The speech contract: texts become media files (spec 4.2 `text`, `voice`; 4.8 `rate`; 4.10).
 * The words stand in `machines/contracts/speech.ts`; `speech/speechCache.ts` keeps what was spoken, the synthesizers beside
 * it (`speech/espeak.ts` …) speak.
 */
import type { SpeechSynthesisEffects } from '../../../machines/contracts/speech.ts';
import type { EffectPerformer } from '../../engine/contract/performer.ts';

export interface TextToSpeech {
  performers: { [Name in keyof SpeechSynthesisEffects]: EffectPerformer<SpeechSynthesisEffects[Name]> };
  /**
   * Has a text spoken now, or finds it among what was spoken before. The file is the cache's own: the longest unused go
   * when there are too many, so who wants to keep it copies it. Throws `NotRetryable` for a text or a voice that cannot be
   * spoken, `Retryable` when that may change by itself.
   */
  speak(account: number, utterance: Utterance): Promise<SpokenAudio>;
  /** Ends the synthesizers; what was not spoken yet is asked for again. */
  stop(): Promise<void>;
}

/** What is said, and how. */
export interface Utterance {
  text: string;
  /** Full name `Provider|VoiceName`; empty and `fad` stand for the default. */
  voice: string;
  /** Pace from -6 (slow) to 6 (fast). Default 0. */
  rate?: number;
}

export interface SpokenAudio {
  /** Media id of the account, an 8 kHz WAV. */
  media: string;
  seconds: number;
}

export interface SpeechVoice {
  /** `Provider|VoiceName`, as `voice` parameters carry it. */
  name: string;
  title: string;
  /** E.g. `pt-BR`. */
  language: string;
  gender: 'F' | 'M';
}

/** Makes sound of text. */
export interface Synthesizer {
  /** What stands before the `|` of its voices' names. */
  provider: string;
  /** The voices on offer. Throws `Retryable` when they cannot be listed now, `NotRetryable` when we may not ask. */
  voices(): Promise<readonly SpeechVoice[]>;
  /**
   * An 8 kHz 16-bit mono WAV. `voice` is the name without provider. Throws `Retryable` when the synthesizer is away,
   * hung or overrun, `NotRetryable` when it refuses the text or us.
   */
  speak(utterance: Required<Utterance>): Promise<Buffer>;
  stop(): Promise<void>;
}
