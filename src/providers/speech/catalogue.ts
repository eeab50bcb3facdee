/**
 * The catalogue of voices: who may name which (spec 4.10). Voices stand in a table; what a provider lists is put there
 * now and then, so a provider that is away is offered as it was last known. A provider that has no synthesizer here is
 * not offered.
 */
import { withTtlCache } from '../../lib/withTtlCache.ts';
import { builtInSpeechProvider, defaultVoice, isDefaultVoice } from '../../rules/voice/voiceName.ts';
import type { Synthesizer, SpeechVoice } from '../contracts/speech.ts';
import { refreshWhenDue, waitAtMost } from './refreshWhenDue.ts';

/** A voice that may be named. */
export interface CatalogueVoice extends SpeechVoice {
  id: number;
  provider: string;
  /** The name without provider. */
  short: string;
  /** E.g. `tts`. */
  type: string;
}

/** Where the catalogue keeps its voices. */
export interface SpeechVoiceRepository {
  /** Voices of an account, or of all of them (null); inactive ones too. */
  of(account: number | null): Promise<StoredVoice[]>;
  /** Takes over what a provider lists for all accounts. */
  keep(provider: string, voices: readonly SpeechVoice[]): Promise<void>;
}

export interface StoredVoice extends CatalogueVoice {
  active: boolean;
}

export interface VoiceCatalogue {
  /** The voices that an account may name, by id. */
  voicesOf(account: number): Promise<CatalogueVoice[]>;
  /** The full name of one of them, however it is written; empty and `fad`: the default. */
  voiceNamed(account: number, name: string): Promise<string | undefined>;
  /** Lists the built-in voices, and begins to list the others. Rejects when the table cannot be written. */
  start(): Promise<void>;
  /** To be called when another process changed the table. */
  changed(): void;
}

export interface VoiceCatalogueOptions {
  repository: SpeechVoiceRepository;
  synthesizers: readonly Synthesizer[];
  /** Milliseconds of any clock. */
  now: () => number;
  log: { warn(fields: object, message: string): void };
  /** How long who asks waits for a provider that was never listed yet, milliseconds. Default 2,000. */
  patienceMs?: number;
}

/** A list is asked for again after so long, and after so long when that failed, milliseconds. */
const LISTED_MS = 3_600_000;
const FAILED_MS = 60_000;
/** How long other nodes' changes may go unnoticed, milliseconds. */
const BELIEVED_MS = 3000;

export const openVoiceCatalogue = (options: VoiceCatalogueOptions): VoiceCatalogue => {
  const { repository, synthesizers, now, log, patienceMs = 2000 } = options;
  const offered = new Set(synthesizers.map(({ provider }) => provider));
  /** By name in small letters. */
  const memory = () =>
    withTtlCache(
      async (account: number | null) =>
        new Map((await repository.of(account)).map((voice) => [voice.name.toLowerCase(), voice])),
      { keyOf: String, now, forMs: BELIEVED_MS },
    );
  let booked = memory();
  const changed = (): void => {
    booked = memory();
  };

  const take = async ({ provider, voices }: Synthesizer): Promise<void> => {
    await repository.keep(provider, await voices());
    changed();
  };

  const lists = synthesizers
    .filter(({ provider }) => provider !== builtInSpeechProvider)
    .map((synthesizer) => {
      const failed = (error: unknown) =>
        log.warn({ err: error, provider: synthesizer.provider }, 'the voices could not be listed');
      return refreshWhenDue(() => take(synthesizer), {
        now,
        failed,
        everyMs: LISTED_MS,
        afterFailureMs: FAILED_MS,
      });
    });

  /** Lists that are due are asked for; only who comes before the first answer waits for it. */
  const refresh = async (): Promise<void> => {
    const first = lists.map((list) => list()).filter((waiting) => waiting !== undefined);
    if (first.length > 0) await waitAtMost(Promise.all(first), patienceMs);
  };

  /** What an account has of its own stands before what is there for all. */
  const namable = async (account: number) => {
    await refresh();
    const [all, own] = [await booked(null), await booked(account)];
    const named = (name: string): StoredVoice | undefined => {
      const voice = own.get(name) ?? all.get(name);
      return voice?.active && offered.has(voice.provider) ? voice : undefined;
    };
    return { names: () => new Set([...all.keys(), ...own.keys()]), named };
  };

  return {
    async voicesOf(account) {
      const { names, named } = await namable(account);
      const voices = [...names()].flatMap((name) => named(name) ?? []);
      return voices.toSorted((one, other) => one.id - other.id);
    },

    async voiceNamed(account, name) {
      if (isDefaultVoice(name)) return defaultVoice;
      return (await namable(account)).named(name.trim().toLowerCase())?.name;
    },

    async start() {
      await Promise.all(synthesizers.filter(({ provider }) => provider === builtInSpeechProvider).map(take));
      for (const list of lists) void list();
    },

    changed,
  };
};
