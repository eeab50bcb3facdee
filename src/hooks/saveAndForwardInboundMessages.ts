/** Messages from people: kept once, the conversation opened, and each brought to the customer's address once. */
import { createHash } from 'node:crypto';
import type { ChatSenderLine } from '../providers/contracts/chat.ts';
import { contactIdsWithAndWithoutNinthDigit } from '../rules/chat/contact.ts';
import {
  inboundIdsReceivedBefore,
  type InboundMessage,
  saveInboundMessages,
} from '../store/inboundMessages.ts';
import type { IncomingMessageEvent } from './chatHookEventTypes.ts';
import { type ForwardedMessage, forwardingDeliveryInput } from './incomingMessageCallback.ts';
import type { ChatHookHandlerDeps } from './scope.ts';

/** How long a delivery of a message keeps a second one of it away: longer than any upstream repeats a hook. */
const ONCE_MS = 10 * 86_400_000;
/** What is kept of a message as it came, characters of JSON; a longer one is kept without. */
const LONGEST_PAYLOAD = 64_000;
const LONGEST_NAME = 200;

export const receiveIncomingMessages = async (
  scope: ChatHookHandlerDeps,
  line: ChatSenderLine,
  incoming: readonly IncomingMessageEvent[],
): Promise<void> => {
  if (incoming.length === 0) return;
  const { shard, account, id } = line;
  const at = scope.engine.now(shard);
  const pool = scope.database(shard);
  const messages = incoming.map((one) => kept(one, at));
  await saveInboundMessages(pool, {
    ...{ account, line: id, at },
    messages,
    conversations: conversationsOf(messages),
  });
  const url = line.forwardUrl || (await scope.callbackUrl(account));
  if (url === '') return;
  const upstreamIds = incoming.map(({ upstreamId }) => upstreamId);
  // Their claims may have run out. Those that came in lately are given again: the node that kept them may have died
  // since.
  const old = await inboundIdsReceivedBefore(pool, { account, line: id, upstreamIds, before: at - ONCE_MS });
  await Promise.all(
    incoming.map(async (one, index) => {
      if (!old.has(one.upstreamId)) await forwardOnce(scope, line, url, { ...one, ...messages[index]! });
    }),
  );
};

/** The upstream's time, but none that is still to come. */
const sentAt = (one: IncomingMessageEvent, at: number): number =>
  one.sentAt === 0 ? at : Math.min(one.sentAt, at);

const kept = (one: IncomingMessageEvent, at: number): InboundMessage => {
  const payload = JSON.stringify(one.payload);
  return {
    upstreamId: one.upstreamId,
    sentAt: sentAt(one, at),
    contact: one.contact,
    name: one.name.slice(0, LONGEST_NAME).toWellFormed(),
    type: one.type,
    body: one.text || one.data,
    payload: payload.length > LONGEST_PAYLOAD ? '' : payload,
  };
};

/** When each person last wrote, under every id that a message to them may be sent to. */
const conversationsOf = (messages: readonly InboundMessage[]): Map<string, number> => {
  const heard = new Map<string, number>();
  for (const message of messages)
    for (const contact of contactIdsWithAndWithoutNinthDigit(message.contact))
      heard.set(contact, Math.max(heard.get(contact) ?? 0, message.sentAt));
  return heard;
};

/** The claim is made of the upstream's own id: a hook that comes again, to whichever node, starts nothing. */
const forwardOnce = async (
  { engine }: ChatHookHandlerDeps,
  line: ChatSenderLine,
  url: string,
  message: ForwardedMessage,
): Promise<void> => {
  const { shard, account } = line;
  const eventId = eventIdOf(line, message);
  const input = forwardingDeliveryInput({ line, url, eventId, message });
  const claims = [{ key: `inbound:${eventId}`, forMs: ONCE_MS }];
  await engine.start({ kind: 'delivery', shard, account, input, claims });
};

/** The same for the same message, whenever and however often it comes. */
const eventIdOf = ({ shard, account, id }: ChatSenderLine, { upstreamId }: ForwardedMessage): string => {
  const name = `${shard}.${account}.${id}.${upstreamId}`;
  return `evt_${createHash('sha256').update(name).digest('base64url').slice(0, 27)}`;
};
