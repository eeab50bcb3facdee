/**
 * What a call is born with: everything its chart needs, checked and normalised by the operation (spec 4.2).
 * Plain JSON. Times are epoch milliseconds, already resolved in the account's time zone.
 */
import type { CallbackWish } from '../contracts/callback.ts';

/**
 * Something to be heard: a text before its audio exists, with placeholders already filled in and a pace from -6 to 6
 * (default 0), or a file and, where it is known, its length.
 */
export type PromptSource =
  | { text: string; voice: string; rate?: number }
  | { media: string; seconds?: number };

/** Where a second leg goes (`dest2` and the dtmf actions, by prefix). */
export type SecondLegTarget =
  | { kind: 'number'; number: string }
  /** `WA…` */
  | { kind: 'chat'; number: string }
  /** `RT…` and type 100: a realtime or SIP agent, by `ccba_id`. */
  | { kind: 'agent'; agent: number }
  /** `FI…` */
  | { kind: 'queue'; queue: number };

/** What a key does. */
export type DtmfKeyAction =
  /** Play slot `content<n>`/`text<n>`, then hang up. */
  | { do: 'play'; slot: number }
  | { do: 'transfer'; to: SecondLegTarget }
  | { do: 'replay' }
  | { do: 'hangUp' }
  /** Add the number to the account's block list, then hang up. */
  | { do: 'optOut' };

export interface CallInput {
  /**
   * spec 4.2 `type`: 0 play, 2 confirm, 3 menu, 22 record the answer, 100 straight to an agent; and spec 4.3 `cp_type`:
   * 0 play, 4 question, 6 validate.
   */
  mode: 'play' | 'confirm' | 'menu' | 'recordAnswer' | 'agent' | 'question' | 'validate';
  /** When the request was accepted. */
  requestedAt: number;
  /** Normalised destination. */
  destination: string;
  /** `xnum`: further numbers of the same person, tried in order when the one before was not answered. Default none. */
  alternatives?: string[];
  /** Of a campaign: every attempt needs its grant (`contracts/campaign.ts`). */
  campaign?: {
    /** `cp_id`, which is the machine's id as well. */
    id: number;
    /** Row of the list. */
    row: number;
    region: string;
    /** The grant for the first attempt came with birth. */
    granted: boolean;
  };
  callerId: string;
  /** spec 4.2 `callerid` was given: no pool of caller ids chooses another. Default: one may. */
  callerIdAsked?: true;

  prompts: {
    /** `content`, then `text`; what the callee hears first. Empty for mode agent without text. */
    opening: PromptSource[];
    /** `content1…15` / `text1…11` that something refers to, by number. */
    slots: Record<string, PromptSource>;
    /** `contentdtmf`: asks for digits. */
    ask?: PromptSource;
    /** `contentno`: no digit came. */
    noDigit?: PromptSource;
    /** `contentfail`: a wrong digit, or the transfer was not answered. */
    wrong?: PromptSource;
    /** `contentend`: before hanging up. */
    ending?: PromptSource;
    /** `amd`: for answering machines; present: detection is on. */
    machine?: PromptSource;
    /** Mode validate: `content2` asks for the digits, `content3` they match, `content4` not confirmed, `content5` no digit. */
    validate?: {
      ask?: PromptSource;
      match?: PromptSource;
      notConfirmed?: PromptSource;
      noDigit?: PromptSource;
    };
    /** `content6`: before the transfer; `content7`: no member of the queue is free. */
    beforeTransfer?: PromptSource;
    nobodyFree?: PromptSource;
  };

  /** Key → action: `dtmf`, `dtmf2` … `dtmf11`. */
  keys: Record<string, DtmfKeyAction>;
  digits: {
    /** `ndig`: how many are expected. */
    count: number;
    /** `dtime`: seconds to wait for them. */
    waitSeconds: number;
    /** `dtmfconf`: the digit that confirms (mode confirm). */
    confirm?: string;
    /** `dtmfini`: the digit that replays the opening; a call that plays waits for it when the opening is over. */
    replay?: string;
  };

  /** Mode validate (cp_type 6): the end of `expected` must be typed. */
  validation?: {
    /** `dtmf2`: the digit that confirms. */
    confirm: string;
    /** `ndigval`: digits asked for. */
    digits: number;
    /** Value of the column `compw`. */
    expected: string;
  };
  /** Mode question (cp_type 4): `nans2`, digits of a second answer; 0 none. */
  secondAnswer?: number;

  /** The second leg: `dest2`, or the agent of type 100. */
  transfer?: SecondLegTarget;
  /** `fifo`: wait with music until the second leg is free. Queues always wait. */
  waitInLine: boolean;
  /** `fifolim`: longest wait in seconds. */
  lineSeconds: number;
  /** `senddtmf`, `senddtmftime`. */
  sendDigits?: { digits: string; afterSeconds: number };
  /** `moh`. */
  music: 'music' | 'ringing' | 'silence';

  /** `rec`, `startrec`: `ini` from answer, `conf` from confirmation, `pa` from the bridge. */
  recording?: { maxSeconds: number; from: 'ini' | 'conf' | 'pa' };

  schedule: {
    /** Do not dial before (`block`, `repeat`); absent: now. */
    notBefore?: number;
    /** Attempts in all, at least 1. */
    tries: number;
    /** Between the end of one attempt and the next. */
    intervalMs: number;
    /** Whether a call that was declined (603) is tried again. Default yes. */
    retryDeclined?: boolean;
    /** No attempt after this moment; moves on by whole days while nothing was tried. */
    until?: number;
  };
  /** Higher dials first; -20 and -1 come before everything (spec 4.2). */
  priority: number;
  /** `ringtime`. */
  ringSeconds: number;
  /** `timelimit`: seconds of the whole call after answer. */
  limitSeconds: number;
  /** `answer`: seconds after which a leg without answer but with media counts as answered; 0: never. */
  answerSeconds: number;

  /** `sms_action`, `sms_text`, `sms_dtmf`. */
  sms?: { when: 'ok' | 'nae' | 'oknae' | 'dtmf1'; text: string; digit: string };

  /** Checked before every attempt, with the account's lists and tables as they are then. */
  policy: {
    /** `free=1`: passes the block lists. */
    skipBlocklist: boolean;
    /** `numlim`, `audiolim` over `cpid`; absent: no limit. */
    numberLimit?: number;
    audioLimit?: number;
    /** What "the same audio" is for `audioLimit`: a digest of the prompts. */
    audioKey: string;
    /** `bkddd=2`: wait for the regional window. (`bkddd=1` was refused at the door.) */
    waitForWindow: boolean;
  };

  /** `cpid`, `ctid`, `origin`, `tfix`; empty when not given. */
  customerCampaign: string;
  correlation: string;
  origin: string;
  fixedRoutes: string[];
  /** The placeholder values, handed to realtime agents. */
  placeholders: Record<string, string>;

  /** Where its events are posted (`rurl`); absent: nowhere. */
  callback?: CallbackWish;

  /**
   * Its caller waits for the audio (priority -20) and is refused when none can be made by `until`: then these claims are
   * given back, because no telephone rang. Absent: it was accepted, whatever becomes of it.
   */
  refusal?: { claims: string[]; until: number };
}
