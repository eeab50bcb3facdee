/**
 * The sound contract: from an untrusted file to the two files of an audio asset, a WAV for telephones (8 kHz, 16 bit,
 * mono) and an MP3 for people, both from the same decoded sound (spec 4.8). `sound/transcoder.ts` does it in a process
 * of its own that may be killed.
 */

export interface Transcoder {
  /** What decodes, for people: `ffmpeg 7.1` or `WebAssembly`. */
  decoder: string;
  /**
   * Makes the files. Throws `NotRetryable` for what will never be sound (`notSound`), is longer than the limit
   * (`tooLong`), costs more than it may (`tooMuch`) or has nothing left once the silence is gone (`onlySilence`);
   * `Retryable` when the transcoder is overrun, stops, or lost its process. Whatever happens, nothing stays in `folder`
   * but what was made.
   */
  make(order: TranscodeRequest): Promise<TranscodedAudio>;
  /** Ends what is being made. */
  stop(): Promise<void>;
}

export interface TranscodeRequest {
  /** The file to read; it is only read. */
  source: string;
  /** Where the files are made: a private folder that exists. */
  folder: string;
  treatment: AudioAdjustments;
  /** Whether an MP3 is wanted. */
  mp3: boolean;
}

/** What is done to the sound on the way. */
export interface AudioAdjustments {
  /** How many times as fast, at the same pitch. 1: as it is. */
  speed: number;
  /** Cuts the silence at the start, at the end. */
  trim: { start: boolean; end: boolean };
  /** Silence put before it, milliseconds. */
  leadMs: number;
}

/** Sound as it is. */
export const noAudioAdjustments: AudioAdjustments = {
  speed: 1,
  trim: { start: false, end: false },
  leadMs: 0,
};

export interface TranscodedAudio {
  wav: string;
  /** Absent: none was wanted. */
  mp3?: string;
  /** Measured: the WAV's samples by its rate. */
  seconds: number;
}
