/** A text that an operator answers a person with, by the line that the person wrote to. Priced and kept as any message is. */
import { amountToTenThousandths } from '../../rules/accounts/pricing.ts';
import type { BuiltChatMessage } from '../../rules/chat/chatJsonAndUrlChecks.ts';
import { buildMsgappUpstreamMessage } from '../../rules/chat/buildMsgappMessage.ts';
import { buildPageChatMessageBody, buildPhotoAccountMessage } from '../../rules/chat/pageChatPhotoDm.ts';
import type { ChatSenderLine } from '../../providers/contracts/chat.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import type { MessageSubmissionOutcome } from '../../store/reads/sms/submissionOutcomeAndFollowedCall.ts';
import type { Services } from '../services.ts';
import { duplicateMessageClaimKey, startMessageAndAwaitProvider } from '../chargeAndStartMessage.ts';
import { chatMessageInput } from './send.ts';

export interface OperatorChatReply {
  account: AccountRow;
  /** Its number; it may be none of the account's. */
  line: number;
  /** As the upstream names the person. */
  to: string;
  text: string;
}

export type OperatorReplyResult =
  | { outcome: 'sent'; id: number; heard: MessageSubmissionOutcome }
  /** The line cannot send, or the text is none that it takes. */
  | { outcome: 'refused'; field: 'text' | null; why: string }
  | { outcome: 'duplicate' }
  | { outcome: 'insufficientBalance' };

type AnswerServices = Pick<Services, 'engine' | 'database' | 'payersOf' | 'chat'>;

/** The same text to the same person is sent once within this time, milliseconds. */
const duplicateMs = 10_000;

const refused = (why: string, field: 'text' | null = null): OperatorReplyResult => ({
  outcome: 'refused',
  field,
  why,
});

export const sendOperatorReply = async (
  services: AnswerServices,
  { account, line: lineId, to, text }: OperatorChatReply,
): Promise<OperatorReplyResult> => {
  const line = await services.chat.line({ shard: account.shard, account: account.id }, lineId);
  if (!line?.active) return refused(`line ${lineId} is not active, or is gone`);
  if (!line.hasApiKey) return refused(`line ${lineId} has no access token`);
  const built = build(line, to, text);
  if ('wrong' in built) return refused(built.wrong, 'text');
  const id = services.engine.mintId(account.shard);
  const started = await startMessageAndAwaitProvider({
    ...{ account, services, id, price: priceOf(account, line) },
    input: chatMessageInput({ line, to, type: 'text', related: '', ...built }),
    claims: [
      { key: duplicateMessageClaimKey('answer', { line: line.id, body: built.body }), forMs: duplicateMs },
    ],
  });
  if (started.outcome === 'placed') return { outcome: 'sent', id, heard: started.heard };
  return started.outcome === 'claimed' ? { outcome: 'duplicate' } : { outcome: 'insufficientBalance' };
};

const build = (line: ChatSenderLine, to: string, text: string): BuiltChatMessage => {
  if (line.class === 'msgapp')
    return buildMsgappUpstreamMessage({
      to,
      type: 'text',
      data: text,
      caption: undefined,
      template: undefined,
    });
  const content = { to, type: 'text', data: text } as const;
  return line.class === 'pagechat' ? buildPageChatMessageBody(content) : buildPhotoAccountMessage(content);
};

/** Spec 4.14 names prices for Msgapp alone. */
const priceOf = (account: AccountRow, line: ChatSenderLine): number =>
  line.class === 'msgapp' ? Number(amountToTenThousandths(account.chat_price.toFixed(4))) : 0;
