/**
 * The chat contract: one client for the upstream graph API, the lines with their credentials, and the performer that
 * posts messages (spec 4.14 to 4.21). `chat/graphApiClient.ts` speaks to an upstream, `chat/sandbox` is one of our own.
 */
import type { MessageEffects } from '../../../machines/contracts/message.ts';
import type { EffectPerformer } from '../../engine/contract/performer.ts';

export type ChatChannelKind = 'msgapp' | 'pagechat' | 'photodm';

/** A line as its row says (spec 2.6.1). What is secret is opened when it is asked for. */
export interface ChatSenderLine {
  shard: string;
  account: number;
  id: number;
  class: ChatChannelKind;
  /** `cloud`; empty: not set up. */
  provider: string;
  /** Upstream id of the phone number. */
  appName: string;
  number: string;
  businessId: string;
  pageId: string;
  photoAccountId: string;
  active: boolean;
  /** Where incoming messages go; empty: the account's callback URL. */
  forwardUrl: string;
  hasApiKey: boolean;
  /** Its upstream is the built-in sandbox: what it sends reaches no real recipient. */
  sandbox: boolean;
  /** Each: empty when none is set; throws `NotRetryable('lineBroken')` when it cannot be opened. */
  openApiKey(): string;
  openAppSecret(): string;
  openVerifyToken(): string;
}

/** The lines of an account, active or not; undefined: it has none such. */
export type FindChatSenderLine = (
  tenant: { shard: string; account: number },
  id: number,
) => Promise<ChatSenderLine | undefined>;

export interface GraphApiRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the version: `1055/messages`. Ids come from lines and templates, and are digits. */
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: object;
  /** The access token; travels in a header and is never logged, nor kept in an answer. */
  token: string;
  /** Milliseconds. */
  timeoutMs: number;
  signal?: AbortSignal;
  /** The built-in upstream is asked, where there is one. Default false. */
  sandbox?: boolean;
}

/** What the upstream said. `raw`: as it came, cut short, with the token redacted. */
export type GraphApiAnswer =
  | { outcome: 'ok'; http: number; json: Readonly<Record<string, unknown>>; raw: string }
  /** It said no. `code`: its own error code; absent when the answer was none of its own (HTML, empty). */
  | {
      outcome: 'refused';
      http: number;
      code?: number;
      subcode?: number;
      /** The most useful sentence of it. */
      text: string;
      raw: string;
      /** It says that a later try may succeed; `afterMs`: when. */
      transient: boolean;
      afterMs?: number;
    }
  /** No connection: it surely did not hear. */
  | { outcome: 'unreachable'; text: string }
  /** Cut or too slow after it may have heard. */
  | { outcome: 'unknown'; text: string };

export interface GraphApiClient {
  /** Never throws for what the upstream or the network does. */
  ask(request: GraphApiRequest): Promise<GraphApiAnswer>;
}

/** What the engine is handed, what operations ask, and a life to manage. */
export interface Chat {
  performers: { submitChat: EffectPerformer<MessageEffects['submitChat']> };
  graph: GraphApiClient;
  line: FindChatSenderLine;
  /** The built-in upstream is the only one, so that what names no line goes there. */
  hasSandbox: boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
}
