/** Sends a message by a chat line: placed and paid for, then its upstream's first word is awaited. */
import type { MessageChannel } from '../../../machines/contracts/message.ts';
import type { ExclusiveKeyClaimRequest } from '../../engine/contract/api.ts';
import type { ChatSenderLine } from '../../providers/contracts/chat.ts';
import type { MessageSubmissionOutcome } from '../../store/reads/sms/submissionOutcomeAndFollowedCall.ts';
import type { RequestContext } from '../declare.ts';
import { replayedAnswer, type idempotencyErrors, buildIdempotencyClaims } from '../idempotency.ts';
import { waitForProviderResponse, startMessageAndAwaitProvider } from '../chargeAndStartMessage.ts';
import type { ParamDeclarations } from '../param.ts';
import type { DeclaredErrors } from '../refused.ts';

export interface OutgoingChatMessage {
  line: ChatSenderLine;
  /** Digits, or the upstream's id of a person. */
  to: string;
  /** `mtype`. */
  type: string;
  /** The upstream's own message. */
  body: Record<string, unknown>;
  /** What stands for it in the log. */
  shown: string;
  correlation?: string;
  /** `msg_id`. */
  related: string;
  /** Ten-thousandths. */
  price: number;
  /** Besides that of the Idempotency-Key. */
  claims?: readonly ExclusiveKeyClaimRequest[];
}

export type Sent =
  | { outcome: 'sent'; id: number; heard: MessageSubmissionOutcome; replayed: boolean }
  /** The same message was sent within its window. */
  | { outcome: 'duplicate' }
  | { outcome: 'insufficientBalance' };

type ChatErrors = DeclaredErrors & typeof idempotencyErrors;

/** What was answered under this Idempotency-Key, as it stands now; undefined when the key is new. */
export const findSendOfSameIdempotencyKey = async <P extends ParamDeclarations, E extends ChatErrors>(
  operation: string,
  ctx: RequestContext<P, E>,
): Promise<Sent | undefined> => {
  const fields = await replayedAnswer(operation, ctx);
  if (!fields) return undefined;
  const { warning } = fields;
  // The one who lost the race has warned of the same.
  if (typeof warning === 'string' && !ctx.warnings.includes(warning)) ctx.warn(warning);
  const id = Number(fields['cdls_id']);
  return { outcome: 'sent', id, heard: await waitForProviderResponse({ ...ctx, id }), replayed: true };
};

export const startChatMessage = async <P extends ParamDeclarations, E extends ChatErrors>(
  operation: string,
  ctx: RequestContext<P, E>,
  message: OutgoingChatMessage,
): Promise<Sent> => {
  const { account, services } = ctx;
  const id = services.engine.mintId(account.shard);
  const placed = await startMessageAndAwaitProvider({
    ...{ account, services, id, price: message.price },
    input: chatMessageInput(message),
    claims: [
      ...buildIdempotencyClaims(operation, ctx.idempotency, ctx.params, answerOf(id, ctx.warnings)),
      ...(message.claims ?? []),
    ],
  });
  if (placed.outcome === 'placed') return { outcome: 'sent', id, heard: placed.heard, replayed: false };
  if (placed.outcome === 'insufficientBalance') return { outcome: 'insufficientBalance' };
  // Another request was faster: with our Idempotency-Key its answer is ours, else we are its duplicate.
  return (await findSendOfSameIdempotencyKey(operation, ctx)) ?? { outcome: 'duplicate' };
};

/** What stands beside the claim; the rest of the answer is what has become of the message. */
const answerOf = (id: number, warnings: readonly string[]) => ({
  cdls_id: id,
  ...(warnings.length > 0 && { warning: warnings.join('; ') }),
});

/** What a message is started with. */
export const chatMessageInput = ({
  line,
  to,
  type,
  body,
  shown,
  correlation = '',
  related,
}: Omit<OutgoingChatMessage, 'price' | 'claims'>) => {
  const channel: Exclude<MessageChannel, 'sms'> = line.class;
  return {
    channel,
    routes: [
      { by: 'chat', submission: { channel, line: line.id, body }, ...(line.sandbox && { sandbox: true }) },
    ] as const,
    destination: to,
    sender: senderOf[channel](line),
    contentType: type,
    body: shown,
    ...{ correlation, related, campaignId: '', callId: '', segments: 1 },
  };
};

/** What the log shows as its sender. */
const senderOf: Readonly<Record<ChatSenderLine['class'], (line: ChatSenderLine) => string>> = {
  msgapp: ({ number }) => number,
  pagechat: ({ pageId }) => pageId,
  photodm: ({ photoAccountId }) => photoAccountId,
};
