/**
 * The studio: what was uploaded or spoken becomes the files of an audio asset in the media store. An upload is looked
 * through first, for programs and, where there is a scanner, for viruses (spec 4.8: an account cannot opt out).
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { EXECUTABLE_SNIFF_BYTES, executableKindOf } from '../../lib/executable.ts';
import { readFileHead } from '../readFileHead.ts';
import type { MediaStore } from '../contracts/media.ts';
import { Retryable, NotRetryable } from '../../engine/contract/performer.ts';
import type { VirusScanner } from '../contracts/scanner.ts';
import type { Transcoder, AudioAdjustments } from '../contracts/sound.ts';

export interface AudioAssetMaker {
  /**
   * Keeps `id` (WAV) and, when wanted, `id.mp3`. Throws `NotRetryable` for an upload that is a program (`executable`) or
   * infected (`infected`), that the scanner does not take (`notScanned`), and what the transcoder throws; `Retryable`
   * when something does not work now. Whatever happens, half-made files are gone.
   */
  make(account: number, id: string, order: AudioAssetCreationRequest): Promise<CreatedAudioFiles>;
  /** Forgets files, by id. */
  forget(account: number, ids: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

export interface AudioAssetCreationRequest {
  /** An untrusted file, or what our own synthesizer made (a media id). */
  source: { upload: string } | { spoken: string };
  treatment: AudioAdjustments;
  mp3: boolean;
}

export interface CreatedAudioFiles {
  /** Media ids; `mp3` is empty when none was wanted. */
  wav: string;
  mp3: string;
  seconds: number;
}

export interface AudioAssetsOptions {
  media: MediaStore;
  transcoder: Transcoder;
  /** Absent: uploads are not scanned. */
  scanner?: VirusScanner | undefined;
  /** Where files are made. */
  folder: string;
}

export const openAudioAssets = ({
  media,
  transcoder,
  scanner,
  folder,
}: AudioAssetsOptions): AudioAssetMaker => {
  /** Works in a private folder, which is gone afterwards. */
  const inFolder = async <T>(work: (own: string) => Promise<T>): Promise<T> => {
    await storing(() => mkdir(folder, { recursive: true, mode: 0o700 }));
    const own = await storing(() => mkdtemp(join(folder, 'sound-')));
    try {
      return await work(own);
    } finally {
      await rm(own, { recursive: true, force: true });
    }
  };

  const sourceIn = async (
    own: string,
    account: number,
    source: AudioAssetCreationRequest['source'],
  ): Promise<string> => {
    if ('upload' in source) {
      await look(source.upload, scanner);
      return source.upload;
    }
    const path = join(own, 'spoken');
    const file = await storing(() => media.open(account, source.spoken));
    if (!file) throw new Retryable('what was spoken is gone again');
    await storing(() => pipeline(file.stream, createWriteStream(path, { mode: 0o600 })));
    return path;
  };

  const keep = async (account: number, id: string, path: string): Promise<void> => {
    await storing(() => media.put(account, id, createReadStream(path)));
  };

  const forget = async (account: number, ids: readonly string[]): Promise<void> => {
    for (const id of ids) if (id !== '') await media.delete(account, id);
  };

  return {
    make: (account, id, { source, treatment, mp3 }) =>
      inFolder(async (own) => {
        const made = await transcoder.make({
          source: await sourceIn(own, account, source),
          folder: own,
          treatment,
          mp3,
        });
        const files = { wav: id, mp3: made.mp3 === undefined ? '' : `${id}.mp3`, seconds: made.seconds };
        try {
          await keep(account, files.wav, made.wav);
          if (made.mp3 !== undefined) await keep(account, files.mp3, made.mp3);
        } catch (error) {
          await forget(account, [files.wav, files.mp3]).catch(() => {});
          throw error;
        }
        return files;
      }),
    forget,
    stop: () => transcoder.stop(),
  };
};

/** Throws for what must not be touched. */
const look = async (path: string, scanner: VirusScanner | undefined): Promise<void> => {
  const program = executableKindOf(await readFileHead(path, EXECUTABLE_SNIFF_BYTES));
  if (program !== undefined) throw new NotRetryable('executable', `the file is a program: ${program}`);
  const found = await scanner?.scan(createReadStream(path));
  if (found !== undefined) throw new NotRetryable('infected', `the file is infected: ${found}`);
};

const storing = async <Answer>(store: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await store();
  } catch (cause) {
    throw new Retryable('the media store does not work', { cause });
  }
};
