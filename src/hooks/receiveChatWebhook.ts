/**
 * A hook of a chat upstream, from its signature to its last event (decisions/0015). It is answered when everything in
 * it is durable; until then the upstream brings it again. What comes twice, or in disorder, does no harm.
 */
import { madeStorable } from '../engine/contract/storableText.ts';
import type { ChatSenderLine } from '../providers/contracts/chat.ts';
import { parseJsonKeepingLargeIds } from '../lib/jsonIds.ts';
import type { HookEventWithLineIdentity, ChatHookEvent } from './chatHookEventTypes.ts';
import { receiveIncomingMessages } from './saveAndForwardInboundMessages.ts';
import { applyLineNotices } from './lines.ts';
import { type Json, jsonObjectOrEmpty } from './read/safeJsonAccess.ts';
import { readPageMessagingHook } from './read/pageChatOrPhotoDmHook.ts';
import { readMsgappHook } from './read/msgapp.ts';
import { applyMessageReceipts } from './applyChatReceipts.ts';
import { type ChatHookHandlerDeps, HookMustBeResent } from './scope.ts';
import { isHookSignatureValid } from './signature.ts';
import { applyTemplateNotices } from './templates.ts';

export interface Hook {
  /** msgapp, pagechat, photodm. */
  channel: string;
  /** The line that it was sent to (`v8l_id`). */
  line: number;
  /** Byte by byte as it was signed. */
  rawBody: Buffer;
  /** `X-Hub-Signature-256`. */
  signature: string;
}

export interface HookAnswer {
  http: number;
  text: string;
  retryAfterSeconds?: number;
}

/** The one way in, for the HTTP door and for an upstream in this process. Never throws. */
export type ReceiveHook = (hook: Hook) => Promise<HookAnswer>;

/** Events of one hook. */
const MOST_EVENTS = 10_000;

export const chatHookReceiver =
  (scope: ChatHookHandlerDeps): ReceiveHook =>
  async (hook) => {
    try {
      return await receive(scope, hook);
    } catch (error) {
      if (error instanceof HookMustBeResent) return { http: 503, text: error.message, retryAfterSeconds: 5 };
      return scope.failed(error);
    }
  };

const receive = async (scope: ChatHookHandlerDeps, hook: Hook): Promise<HookAnswer> => {
  const line = await scope.findLine(hook.line);
  if (line?.class !== hook.channel) return { http: 404, text: 'there is no such line' };
  const appSecret = line.openAppSecret();
  if (appSecret === '') return { http: 403, text: 'the line has no app secret, so it takes no hooks' };
  if (!isHookSignatureValid(hook.rawBody, hook.signature, appSecret))
    return { http: 403, text: 'the signature does not fit' };
  const json = readBody(hook.rawBody);
  if (!json) return { http: 400, text: 'the body is no JSON object' };
  const heard = readers[line.class](json);
  if (heard.length > MOST_EVENTS) return { http: 413, text: `more than ${MOST_EVENTS} events` };
  await takeAll(scope, line, heard);
  return { http: 200, text: 'EVENT_RECEIVED' };
};

const readers: Readonly<Record<ChatSenderLine['class'], (json: Json) => HookEventWithLineIdentity[]>> = {
  msgapp: readMsgappHook,
  pagechat: readPageMessagingHook,
  photodm: readPageMessagingHook,
};

/** Undefined: it is none, or nested beyond all reason. */
const readBody = (rawBody: Buffer): Json | undefined => {
  try {
    const json = madeStorable(parseJsonKeepingLargeIds(rawBody.toString('utf8')));
    return Object.keys(jsonObjectOrEmpty(json)).length > 0 ? jsonObjectOrEmpty(json) : undefined;
  } catch {
    return undefined;
  }
};

/** One app has one address for all its numbers and pages, so a hook may be about another line of the account. */
const takeAll = async (
  scope: ChatHookHandlerDeps,
  line: ChatSenderLine,
  heard: readonly HookEventWithLineIdentity[],
): Promise<void> => {
  for (const identity of new Set(heard.map((one) => one.identity))) {
    const events = heard.filter((one) => one.identity === identity).map(({ event }) => event);
    const meant = isOf(line, identity) ? line : await scope.sibling(line, identity);
    if (meant) await take(scope, meant, events);
    else
      scope.log.warn(
        { line: line.id, identity, events: events.length },
        'a hook about no line of the account',
      );
  }
};

const isOf = (line: ChatSenderLine, identity: string): boolean => {
  const own = { msgapp: line.appName, pagechat: line.pageId, photodm: line.photoAccountId }[line.class];
  return identity === '' || own === '' || own === identity;
};

const take = async (
  scope: ChatHookHandlerDeps,
  line: ChatSenderLine,
  events: readonly ChatHookEvent[],
): Promise<void> => {
  await receiveIncomingMessages(
    scope,
    line,
    events.filter((event) => event.what === 'incoming'),
  );
  await applyMessageReceipts(
    scope,
    line,
    events.filter((event) => event.what === 'receipt' || event.what === 'upTo'),
  );
  await applyTemplateNotices(
    scope,
    line,
    events.filter((event) => event.what === 'template' || event.what === 'templateNotice'),
  );
  await applyLineNotices(
    scope,
    line,
    events.filter((event) => event.what === 'lineNotice'),
  );
  const others = new Set(events.flatMap((event) => (event.what === 'other' ? [event.type] : [])));
  if (others.size > 0)
    scope.log.info(
      { line: line.id, types: [...others].slice(0, 20) },
      'events of a hook that are not handled',
    );
};
