/** What a delivery is born with. Plain JSON; what is a secret is looked up when it is carried, or sealed. */
import type { ResultsOrCallback } from '../contracts/delivery.ts';

export interface DeliveryInput {
  /** Which transport carries it. */
  purpose: ResultsOrCallback;
  /** What is carried first and by which way, in the transport's own terms: `CampaignResultsDeliverySubject`, `CallbackSubject`. */
  subject: object;
  /** More may be enqueued; they are brought one after the other. Default: this is all. */
  open?: boolean;
  /** What it is about, for people: `campaign 17`. */
  about: string;
  /** The call, message or campaign that it is about; default 0, none. */
  aboutId?: number;
  /** Where it goes, for people and without secrets: `sftp://ana@files.example:22/in/campaign-17.csv`. */
  target: string;
}

/** The subject of `results`: the file of a campaign's call results (spec 4.3 `relftp`). */
export interface CampaignResultsDeliverySubject {
  campaign: number;
  /** The delivery profile. */
  profile: number;
  /** Name of the file; every attempt writes the same. */
  file: string;
}

/** The subject of `callback`: something for a customer's own address. It holds no secret in the clear. */
export type CallbackSubject = VerbatimBodyCallback | CallCallback | MessageCallback | CallRecordsPushCallback;

interface CallbackAddress {
  /** http or https, without credentials; empty: the account's callback address as it is when it is carried. */
  url: string;
}

/** A body that is sent as it stands: a message that came in, forwarded. */
export interface VerbatimBodyCallback extends CallbackAddress {
  what: 'written';
  /** Names the event (`webhook-id`): the same for every attempt, and should it ever be sent twice. No dots. */
  eventId: string;
  contentType: string;
  body: string;
}

/** What every event says of itself; its name is one of `callEvents` or `messageEvents` (`machines/contracts/callback.ts`). */
interface EventHead {
  event: string;
  /** 1 is the first that was asked for; the call's or message's own count. */
  seq: number;
  /** When it happened, epoch milliseconds. */
  at: number;
  /** Exactly one event of a call or message has it. */
  final: boolean;
}

/**
 * An event of a call: its record as it was then, in the columns of the table `calls`. The final one goes without: the
 * record does not change any more, and is read when the event is carried.
 */
export interface CallCallback extends CallbackAddress, EventHead {
  what: 'call';
  id: number;
  record?: Readonly<Record<string, unknown>>;
  /** Dial attempts that there may be in all; the record has the one it is at. */
  attempts: number;
  /** Of a campaign: `name`, `cod_cli`, `extra1` … by the names of `CallInput.placeholders`. */
  placeholders?: Readonly<Record<string, string>>;
}

/** An event of a message: its record as it was then, in the columns of the table `messages`. */
export interface MessageCallback extends CallbackAddress, EventHead {
  what: 'message';
  id: number;
  record: Readonly<Record<string, unknown>>;
}

/** Records of calls, pushed instead of answered (spec 4.13 `rurl`). Read when they are carried. */
export interface CallRecordsPushCallback extends CallbackAddress {
  what: 'push';
  eventId: string;
  /** The question, as `operations/voice/callQueryFromFilters.ts` read it. */
  query: Readonly<Record<string, unknown>>;
  /** Most records; -1 all. */
  limit: number;
  numtype: string;
  origin: string;
  /** `rurl_method`, `rurl_type`; absent: the account's. */
  method?: 'POST' | 'GET';
  type?: 'json' | 'form';
  /** `rurl_headers`, `rurl_user`, `rurl_password` as one sealed JSON; absent: the account's. */
  login?: string;
}
