/** What operations are handed: verbs and reads, never a way back to the composition. */
import type { Pool } from 'pg';
import type { MachineEngine } from '../engine/contract/api.ts';
import type { FindChatSenderLine, GraphApiClient } from '../providers/contracts/chat.ts';
import type { CallbackLogin } from '../rules/deliveries/callbackAuthHeaders.ts';
import type { UrlCheckResult } from '../rules/deliveries/checkOutboundUrl.ts';
import type { TrunkChoiceRequest } from '../rules/trunks/trunkTypes.ts';
import type { AccountRow } from '../store/controlDatabase.ts';
import type { AudioFileService } from './audio/audioFileServiceContract.ts';
import type { DestinationListLoader } from './lists/listLoadScheduler.ts';
import type { SelectableVoice } from '../wire/speechVoiceRecord.ts';

export interface Services {
  engine: MachineEngine;
  /** The database of a shard; throws `UnknownShard` for one that this process was not given. */
  database(shard: string): Pool;
  /** The same for answers that are read page by page: few connections of their own, which no other request waits for. */
  longReads(shard: string): Pool;
  /** Who pays for what an account sends: itself, its reseller, and so on up. */
  payersOf(account: AccountRow): Promise<AccountRow[]>;
  /** Whether a number (E.164 without `+`) is on the global block list; each account's own is in its shard. */
  isBlockedForAll(number: string): Promise<boolean>;
  /** The smallest id that may be minted at a moment (epoch milliseconds): ids ascend with time. */
  firstIdAt(at: number): number;
  /** The voices that an account may name, by id. */
  voicesOf(account: number): Promise<SelectableVoice[]>;
  /**
   * The full name of a voice that the account may name (`Espeak|…`, `fad`); empty: the usual one. Undefined: there is
   * none such. `isThirdParty` (`src/rules/voice/voiceName.ts`) tells whose it is.
   */
  voiceNamed(account: number, name: string): Promise<string | undefined>;
  /** Why no text can be spoken with our own voices, as a sentence; undefined: it can. */
  cannotSpeak: string | undefined;
  /** Has a text spoken for an account, now. `voice`: a full name; `rate`: -6 to 6, default 0. */
  speak(account: number, utterance: { text: string; voice: string; rate?: number }): Promise<SpeechResult>;
  /** The files of audio assets. */
  audio: AudioFileService;
  /** Fetches a file from an address that a customer named; `why` completes "the address …". The caller discards it. */
  download(account: number, url: string): Promise<FileDownloadResult>;
  /** A small id for a campaign's machine; unique in every account. */
  newMachineId(): Promise<number>;
  /** Whether there is a trunk of this name. */
  isTrunk(name: string): boolean;
  /** Whether trunks would carry this leg, and none of them may show its caller id. */
  isShownNowhere(wanted: Omit<TrunkChoiceRequest, 'draw'>): boolean;
  /** The carrier of calls is the sandbox: no real telephone rings. */
  callsInSandbox: boolean;
  /** Chat lines, and the upstream's own API. */
  chat: { line: FindChatSenderLine; graph: GraphApiClient; hasSandbox: boolean };
  lists: {
    /** `MAX_LIST_RECORDS`. */
    maxRecords: number;
    newId(): Promise<number>;
    load: DestinationListLoader['load'];
  };
  /** Whether the account has this agent (ccba_id) and it is active. */
  agentIsActive(shard: string, account: number, agent: number): Promise<boolean>;
  /** The address under which a customer fetches a recording. */
  mediaUrl(account: number, media: string): string;
  callbacks: {
    /** Credentials for one push, as its delivery keeps them. */
    sealLogin(account: number, delivery: number, login: CallbackLogin): string;
  };
  /** Reads an address that callbacks are to go to. */
  readTarget(written: string): UrlCheckResult;
  log: { error(fields: object, message: string): void };
}

/** What became of a text that was to be spoken. */
export type SpeechResult =
  /** The file belongs to the store of spoken texts, which lets the longest unused go: what must stay is copied. */
  | { outcome: 'spoken'; media: string; seconds: number }
  /** The text or the voice cannot be spoken, or not by us. */
  | { outcome: 'refused'; why: string }
  /** The synthesizer does not work now; later it may. */
  | { outcome: 'away'; why: string };

export type FileDownloadResult =
  | { outcome: 'fetched'; file: { path: string; bytes: number; discard(): Promise<void> } }
  | { outcome: 'refused'; why: string };
