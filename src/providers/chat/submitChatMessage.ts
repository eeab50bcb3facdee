/**
 * Posts messages to the upstream of their line (spec 4.14, 4.20, 4.21). Sent at most once: a refusal is reported with
 * the upstream's own code. When the outcome is unknown nothing is reported: the engine tells the chart.
 */
import type { ChatSubmission, MessageEvent } from '../../../machines/contracts/message.ts';
import type {
  Chat,
  ChatSenderLine,
  FindChatSenderLine,
  GraphApiClient,
  GraphApiAnswer,
} from '../contracts/chat.ts';
import {
  type EffectCall,
  OutcomeUnknown,
  type EffectResult,
  UnusableProviderAnswer,
  type ReportFactToMachine,
  Retryable,
  NotRetryable,
} from '../../engine/contract/performer.ts';
import { isChatErrorCodeShown } from '../../rules/chat/ownCode.ts';
import { faultOfProviderId, isProviderId } from '../../rules/sms/providerId.ts';
import { isGraphApiThrottled } from './interpretGraphApiReply.ts';

export interface ChatSenderOptions {
  graph: GraphApiClient;
  line: FindChatSenderLine;
  report: ReportFactToMachine;
  clock: { after(ms: number, run: () => void): () => void };
  /** A caller hears `WR` when the upstream takes longer, milliseconds. Default 4,000. */
  slowMs?: number;
  /** The upstream is given up, milliseconds. Default 45,000. */
  timeoutMs?: number;
}

/** Where a line's messages are posted: below this id. */
const senderOf: Readonly<Record<ChatSenderLine['class'], (line: ChatSenderLine) => string>> = {
  msgapp: ({ appName }) => appName,
  pagechat: ({ pageId }) => pageId,
  photodm: ({ photoAccountId }) => photoAccountId,
};

/** "Too much at once" is taken for a no after so many posts. */
const POSTS = 3;
/** A caller has no patience for a longer pause between them, milliseconds. */
const LONGEST_PAUSE_MS = 2_000;
const USUAL_PAUSE_MS = 1_000;

export const openChatSender = (options: ChatSenderOptions): Pick<Chat, 'performers'> => {
  const { graph, line, report, clock, slowMs = 4_000, timeoutMs = 45_000 } = options;

  const submitChat = async (call: EffectCall<ChatSubmission>): Promise<EffectResult> => {
    const { machine, params } = call;
    const found = await line(machine, params.line).catch((cause: unknown) => {
      throw new Retryable('the line could not be read', { cause });
    });
    if (!found?.active || found.class !== params.channel)
      throw new NotRetryable('noLine', `line ${params.line} is gone or inactive`);
    const token = found.openApiKey();
    const callOff = clock.after(slowMs, () => report(machine, { type: 'slow' }));
    try {
      const path = `${senderOf[found.class](found)}/messages`;
      const body = traced(call);
      const answer = await graph.ask({
        method: 'POST',
        path,
        body,
        token,
        timeoutMs,
        signal: call.signal,
        sandbox: found.sandbox,
      });
      return { events: [heard(answer, call.attempt)] };
    } finally {
      callOff();
    }
  };

  return { performers: { submitChat } };
};

/** A status hook repeats this, and so finds its message even where the acknowledgement was lost. */
const traced = ({ machine: { shard, account, id }, params }: EffectCall<ChatSubmission>): object =>
  params.channel === 'msgapp'
    ? { ...params.body, biz_opaque_callback_data: `${shard}.${account}.${id}` }
    : params.body;

const heard = (answer: GraphApiAnswer, attempt: number): MessageEvent => {
  switch (answer.outcome) {
    case 'ok':
      return { type: 'acknowledged', providerId: providerIdOf(answer.json), answer: answer.raw };
    case 'refused': {
      const pauseMs = answer.afterMs ?? USUAL_PAUSE_MS * attempt;
      if (isGraphApiThrottled(answer) && attempt < POSTS && pauseMs <= LONGEST_PAUSE_MS)
        throw new Retryable(answer.text, { afterMs: pauseMs });
      return { type: 'refused', ...refusalOf(answer), answer: answer.raw, http: answer.http };
    }
    case 'unreachable':
      return { type: 'unavailable', text: answer.text, answer: '' };
    case 'unknown':
      throw new OutcomeUnknown(answer.text);
  }
};

/** The upstream's own code and text; where callers are not shown its code, the text says the HTTP status. */
const refusalOf = ({ code, http, text }: GraphApiAnswer & { outcome: 'refused' }) => {
  if (code === undefined) return { code: `HTTP ${http}`, text };
  return { code: String(code), text: isChatErrorCodeShown(code) ? text : `${text} (HTTP ${http})` };
};

/** Empty when it names none. It took the message, so an id that is none leaves the outcome unknown. */
const providerIdOf = (json: Readonly<Record<string, unknown>>): string => {
  const [first] = Array.isArray(json['messages']) ? (json['messages'] as unknown[]) : [];
  const id = (first as { id?: unknown } | undefined)?.id ?? json['message_id'];
  if (typeof id !== 'string' || id === '') return '';
  if (!isProviderId(id)) throw new UnusableProviderAnswer(`the upstream names ${faultOfProviderId(id)}`);
  return id;
};
