/** What the transcoder and its processes say to each other. */
import type { TranscodeRequest } from '../contracts/sound.ts';

export interface TranscoderChildRequest {
  order: TranscodeRequest;
  /** Path of ffmpeg; absent: WebAssembly decodes. */
  ffmpeg?: string;
  maxSeconds: number;
  /** Resident memory of the process, bytes. */
  maxBytes: number;
}

export type TranscoderChildReply =
  | { seconds: number }
  | { refusal: 'notSound' | 'tooLong' | 'tooMuch' | 'onlySilence'; text: string }
  /** Our fault: disk, programs. */
  | { failure: string };

/** Names within the order's folder. */
export const transcodedFileNames = { spool: 'sound.pcm', wav: 'sound.wav', mp3: 'sound.mp3' } as const;
