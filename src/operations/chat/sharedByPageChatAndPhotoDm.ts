/** What MakePageChat and MakePhotoDm share (spec 4.20, 4.21): parameters, codes, the tool, and how an outcome is answered. */
import * as z from 'zod';
import type { ChatSenderLine } from '../../providers/contracts/chat.ts';
import { type BuiltChatMessage, maxChatJsonCharacters } from '../../rules/chat/chatJsonAndUrlChecks.ts';
import { isConversationOpen } from '../../store/reads/chat/conversations.ts';
import { countSchema } from '../../wire/shapes.ts';
import {
  type OperationAnswerFields,
  type RequestContext,
  emptyObjectSchema,
  type OperationSuccess,
} from '../declare.ts';
import { looseIdSchema, text } from '../parameterValueSchemas.ts';
import { idempotencyErrors } from '../idempotency.ts';
import { type Sent, startChatMessage, findSendOfSameIdempotencyKey } from './send.ts';
import { describeSentMessage } from './describeSentMessage.ts';
import { isAnswerOutcomeUnknown, addUnknownOutcomeWarning } from './unknownOutcome.ts';
import { type ParamDeclaration, defineParams } from '../param.ts';
import { replayedRefusal, Refused } from '../refused.ts';

export const socialMessageParams = defineParams({
  line: {
    rest: 'app_id',
    tool: 'app_id',
    required: true,
    aliases: ['v8l_id'],
    schema: looseIdSchema(Number.MAX_SAFE_INTEGER).optional(),
    refusedAs: 'noLine',
    description: 'Line that sends.',
  },
  destination: {
    rest: 'dest',
    tool: 'dest',
    required: true,
    schema: text(64).optional(),
    refusedAs: 'noDestination',
    description: 'The recipient’s id, as the upstream scopes it to the line.',
  },
  data: {
    rest: 'mdata',
    tool: 'mdata',
    required: true,
    schema: text(maxChatJsonCharacters).optional(),
    description: 'Text, or public http(s) address of the file.',
  },
  related: {
    rest: 'msg_id',
    tool: 'msg_id',
    schema: text(64).default(''),
    description: 'Related id, kept in the log.',
  },
} satisfies Record<string, ParamDeclaration>);

/** `class`: of the lines that may be used. */
export const socialMessageErrors = <const Class extends string>(lineClass: Class) =>
  ({
    ...idempotencyErrors,
    noLine: { code: '210', text: 'app_id is missing' },
    noDestination: { code: '220', text: 'dest is missing' },
    noData: { code: '225', text: 'mdata is missing' },
    unknownLine: {
      code: '230',
      text: `app_id names no active line of the account of class ${lineClass}`,
      absent: true,
    },
    noApiKey: { code: '233', text: 'the page access token of the line is empty' },
    badValue: { code: '299', text: 'a parameter has the wrong type or is out of range' },
    refusedUpstream: { code: '400', text: 'ERROR' },
  }) as const;

export type SocialMessageErrors = ReturnType<typeof socialMessageErrors>;
export type SocialMessageRequestContext = RequestContext<typeof socialMessageParams, SocialMessageErrors>;

export const socialMessageAnswerShape: OperationAnswerFields = {
  fields: z.object({
    messageId: z.string().describe('The upstream’s id of the message; empty: it gave none.'),
    cdls_id: countSchema('Id in the message log; 0: nothing was sent.'),
  }),
  beside: emptyObjectSchema,
  mayWait: true,
};

export const failedSocialMessageResponseFields = { fields: { messageId: '', cdls_id: 0 }, beside: {} };

interface PageTool<Name extends string> {
  name: Name;
  title: string;
  /** Who sends: "a page". */
  sender: string;
  example: Readonly<Record<string, unknown>>;
}

export const buildPageOrPhotoDmTool = <const Name extends string>({
  name,
  title,
  sender,
  example,
}: PageTool<Name>) =>
  ({
    ...{ name, title, example },
    description:
      `Sends one message of ${sender} to a person who wrote to it within the last 24 hours, now; it cannot be called` +
      ' back. dest is no telephone number. WR: do not send it again; get_message_status tells. 230: no such active line.' +
      ' 400: refused upstream, most often because the 24 hours are over.',
    effects: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    requires: { line: 'noLine', destination: 'noDestination', data: 'noData' },
    // The interface says ERROR of it (spec 4.20), which tells an assistant nothing.
    refusals: {
      '400': (answer: Readonly<Record<string, unknown>>) =>
        isAnswerOutcomeUnknown(answer)
          ? 'it is not known whether the upstream took the message: it may have arrived. Do not send it again; tell the person who asked to look whether it arrived.'
          : 'the upstream refused the message; most often the person has not written to this line within 24 hours. Do not repeat it.',
    },
    done: describeSentMessage,
  }) as const;

export interface SocialMessageApiOperation {
  name: 'MakePageChat' | 'MakePhotoDm';
  class: 'pagechat' | 'photodm';
  type: string;
  /** Why the line cannot send, beyond what both ask for. */
  refuseLine(line: ChatSenderLine): Refused | undefined;
  build(message: { to: string; data: string }): BuiltChatMessage;
}

export const handleSocialMessageRequest = async (
  ctx: SocialMessageRequestContext,
  of: SocialMessageApiOperation,
): Promise<OperationSuccess | Refused> => {
  const before = await findSendOfSameIdempotencyKey(of.name, ctx);
  if (before) return answer(ctx, before);
  const { line: lineId, data = '', related } = ctx.params;
  const to = ctx.params.destination?.trim() ?? '';
  if (lineId === undefined) return ctx.refuse('noLine');
  if (to === '') return ctx.refuse('noDestination');
  if (data.trim() === '') return ctx.refuse('noData');
  const line = await lineOf(ctx, lineId, of);
  if (line instanceof Refused) return line;
  const built = of.build({ to, data });
  if ('wrong' in built) return ctx.refuse('badValue', built.wrong);
  await warnOfWindow(ctx, line, to);
  // Spec 4.14 names prices for Msgapp alone.
  return answer(
    ctx,
    await startChatMessage(of.name, ctx, { line, to, type: of.type, related, price: 0, ...built }),
  );
};

const lineOf = async (
  { account, services, refuse }: SocialMessageRequestContext,
  id: number,
  of: SocialMessageApiOperation,
): Promise<ChatSenderLine | Refused> => {
  const line = await services.chat.line({ shard: account.shard, account: account.id }, id);
  if (!line?.active || line.class !== of.class) return refuse('unknownLine');
  if (!line.hasApiKey) return refuse('noApiKey');
  return of.refuseLine(line) ?? line;
};

/** Who has not written within a day is written to all the same: the upstream decides (spec 4.20). */
const warnOfWindow = async (
  { account, services, warn }: SocialMessageRequestContext,
  line: ChatSenderLine,
  contact: string,
) => {
  const at = services.engine.now(account.shard);
  const pool = services.database(account.shard);
  const isOpen = await isConversationOpen(pool, { account: account.id, line: line.id, contact, at });
  if (!isOpen) warn('dest has not written to this line within 24 hours; the upstream may refuse the message');
};

const answer = (
  { refuse, warnings, inSandbox }: SocialMessageRequestContext,
  sent: Sent,
): OperationSuccess | Refused => {
  // Nothing is claimed but an Idempotency-Key, and nothing paid.
  if (sent.outcome !== 'sent') throw new Error(`a page's message cannot be ${sent.outcome}`);
  const { id, heard, replayed } = sent;
  if (heard.sandbox) inSandbox();
  const fields = { messageId: heard.providerId, cdls_id: id };
  if (heard.code === '0') return { fields, replayed };
  // Spec 3.2: it is recorded, and goes on.
  if (heard.code === '1') return { fields: { ...fields, status: 'WR', status_code: 1 }, replayed };
  const warning = addUnknownOutcomeWarning(heard, warnings);
  const no = refuse('refusedUpstream', undefined, { messageId: '', cdls_id: id, ...warning });
  return replayed ? replayedRefusal(no) : no;
};
