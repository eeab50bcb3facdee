/** What an operation may ask for the files of audio assets. */

export interface AudioFileService {
  /** A small id for an asset; unique in every account. */
  newId(): Promise<number>;
  /**
   * Makes the sound files `id` (WAV) and, when wanted, `id.mp3` of an account. An upload is looked through for programs
   * and viruses first.
   */
  make(account: number, id: string, order: SoundFileRequest): Promise<SoundFileCreationResult>;
  /** Forgets sound files, also those that are not there. */
  forget(account: number, ids: readonly string[]): Promise<void>;
}

export interface SoundFileRequest {
  /** Path of an upload, or the media id of what was spoken. */
  source: { upload: string } | { spoken: string };
  treatment: SoundTreatment;
  mp3: boolean;
}

/** What is done to the sound on the way. */
export interface SoundTreatment {
  /** How many times as fast, at the same pitch. 1: as it is. */
  speed: number;
  /** Cuts the silence at the start, at the end. */
  trim: { start: boolean; end: boolean };
  /** Silence put before it, milliseconds. */
  leadMs: number;
}

/** What became of a sound that was to be made. */
export type SoundFileCreationResult =
  /** `mp3`: its id; empty: none was wanted. `seconds` are measured. */
  | { outcome: 'made'; wav: string; mp3: string; seconds: number }
  | { outcome: 'refused'; why: SoundFault; text: string }
  /** Scanner, transcoder or store do not work now; later they may. */
  | { outcome: 'away'; text: string };

/** A program or a virus; not taken by the scanner; no sound; too long; too costly to decode; nothing but silence. */
export type SoundFault =
  | 'executable'
  | 'infected'
  | 'notScanned'
  | 'notSound'
  | 'tooLong'
  | 'tooMuch'
  | 'onlySilence';
