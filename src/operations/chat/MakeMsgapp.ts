/** Send a chat-app message (spec 4.14). What is sent upstream is built in `src/rules/chat/buildMsgappMessage.ts`. */
import * as z from 'zod';
import type { ChatSenderLine } from '../../providers/contracts/chat.ts';
import { readHomeOrAbroadChatNumber } from '../../rules/chat/chatNumber.ts';
import { maxChatJsonCharacters } from '../../rules/chat/chatJsonAndUrlChecks.ts';
import {
  buildMsgappUpstreamMessage,
  isTemplateBody,
  msgappTypes,
} from '../../rules/chat/buildMsgappMessage.ts';
import { isChatErrorCodeShown } from '../../rules/chat/ownCode.ts';
import { amountToTenThousandths } from '../../rules/accounts/pricing.ts';
import { decimalDigitsSchema } from '../../wire/shapes.ts';
import { type Sent, startChatMessage, findSendOfSameIdempotencyKey } from './send.ts';
import { describeSentMessage } from './describeSentMessage.ts';
import { addUnknownOutcomeWarning } from './unknownOutcome.ts';
import {
  type RequestContext,
  emptyObjectSchema,
  defineOperation,
  type OperationSuccess,
  type ToolArgumentReading,
} from '../declare.ts';
import {
  int,
  sortedJsonTextSchema,
  wordChoiceSchema,
  text,
  trueOrFalseSchema,
} from '../parameterValueSchemas.ts';
import { idempotencyErrors } from '../idempotency.ts';
import { duplicateMessageClaimKey } from '../chargeAndStartMessage.ts';
import { defineParams } from '../param.ts';
import { replayedRefusal, type Refused } from '../refused.ts';

const msgappParams = defineParams({
  destination: {
    rest: 'dest',
    tool: 'dest',
    required: true,
    schema: text(40).optional(),
    refusedAs: 'noDestination',
    description: 'Destination number in international format, at least 6 digits.',
    toolDescription: 'International number; a Brazilian one may lack 55, others begin with +.',
  },
  line: {
    rest: 'app_id',
    tool: 'app_id',
    required: true,
    aliases: ['v8l_id'],
    schema: int(1, Number.MAX_SAFE_INTEGER).optional(),
    refusedAs: 'unknownLine',
    description: 'Line that sends.',
  },
  correlation: {
    rest: 'ctid',
    tool: 'ctid',
    schema: text(64).default(''),
    description: 'Customer-side id of the message.',
  },
  type: {
    rest: 'mtype',
    tool: 'mtype',
    schema: wordChoiceSchema(msgappTypes).default('text'),
    description: 'What it is; wabody is a whole upstream message.',
  },
  data: {
    rest: 'mdata',
    tool: 'mdata',
    schema: text(maxChatJsonCharacters).optional(),
    description:
      'Text, or http(s) address of the file; the JSON of the message without `to` for wabody. Templates need none.',
    toolDescription: 'Text, or http(s) address of the file; for wabody the JSON message without `to`.',
  },
  caption: {
    rest: 'mcaption',
    tool: 'mcaption',
    schema: text(1_024).optional(),
    description: 'Caption of an image or a video; the name of a file.',
  },
  opensSession: {
    rest: 'misHSM',
    tool: 'misHSM',
    schema: trueOrFalseSchema().default(false),
    description:
      'true for a template that opens a session; always so for templates, also as wabody. Charges price_2.',
    toolDescription: 'A template that opens a session; templates always do.',
  },
  template: {
    rest: 'template',
    toolShape: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        language: { type: 'object', properties: { code: { type: 'string' } } },
        components: { type: 'array', items: { type: 'object' } },
      },
    },
    tool: 'template',
    schema: sortedJsonTextSchema().optional(),
    description: 'The template: name, language {code}, components. For mtype wa_template and template.',
  },
  related: { rest: 'msg_id', tool: 'msg_id', schema: text(64).default(''), description: 'Related call id.' },
  duplicateWindow: {
    rest: 'httpdup',
    tool: 'httpdup',
    schema: int(1, 600, [0]).default(10),
    description: 'Seconds within which the same message is refused; 0 never.',
    toolDescription: 'Seconds in which it is sent once; 0 no limit.',
  },
});

const msgappErrors = {
  ...idempotencyErrors,
  notProvisioned: { code: '220', text: 'the account is not provisioned for messaging' },
  noDestination: {
    code: '230',
    text: 'dest must be a number in international format, of at least 6 digits and nothing but digits',
  },
  noProvider: { code: '231', text: 'the provider of the line is empty' },
  noAppName: { code: '232', text: 'the app name of the line is empty' },
  noApiKey: { code: '233', text: 'the API key of the line is empty' },
  noNumber: { code: '235', text: 'the number of the line is empty' },
  unknownLine: {
    code: '236',
    text: 'app_id is missing, or names no active line of the account for this channel',
    absent: true,
  },
  duplicate: { code: '250', text: 'duplicate within the httpdup window' },
  refusedUpstream: { code: '260', text: 'the upstream refused the message', passesUpstream: true },
  badValue: { code: '299', text: 'a parameter has the wrong type or is out of range' },
} as const;

type MsgappRequestContext = RequestContext<typeof msgappParams, typeof msgappErrors>;

export const MakeMsgappOperation = defineOperation({
  name: 'MakeMsgapp',
  section: '4.14',
  topic: 'msgapp',
  summary: 'Send a chat-app message: text, a file, a template, or a whole upstream message.',
  permission: 'msgapp',
  creates: true,
  params: msgappParams,
  errors: msgappErrors,
  answer: {
    fields: z.object({ cdls_id: decimalDigitsSchema('Id in the message log.') }),
    beside: emptyObjectSchema,
    mayWait: true,
  },
  tools: [
    {
      name: 'send_msgapp',
      title: 'Send a chat-app message',
      description:
        'Sends one chat-app message by a line (get_msgapp_lines), now; it cannot be called back and is charged.' +
        ' 24 hours after the person wrote last, only templates arrive: mtype template, template as' +
        ' get_msgapp_templates names it. WR, or a warning of an unknown outcome: do not send it again;' +
        ' get_message_status tells. 236: no such active line. 220: no balance. 250: sent seconds ago.' +
        ' 260 and up: refused upstream.',
      effects: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
      requires: { destination: 'noDestination', line: 'unknownLine' },
      reads: { destination: readDestination },
      done: describeSentMessage,
      example: { dest: '5511987650000', app_id: 1, mtype: 'text', mdata: 'Your order is on its way' },
    },
  ],
  failure: { fields: { cdls_id: '0' }, beside: {} },
  example: {
    request: {
      tsid: 'DEMO0token0DEMO0token0DEMO0tok',
      dest: '5511987650000',
      app_id: 1,
      mtype: 'text',
      mdata: 'Your order is on its way',
    },
    response: { return: { status: 'OK', status_code: '0', cdls_id: '746511306801152' } },
  },

  async handle(ctx) {
    const before = await findSendOfSameIdempotencyKey('MakeMsgapp', ctx);
    if (before) return answer(ctx, before);
    const to = destinationOf(ctx);
    const line = await lineOf(ctx);
    const { type, data, caption, template, opensSession, correlation, related } = ctx.params;
    const built = buildMsgappUpstreamMessage({ to, type, data, caption, template });
    if ('wrong' in built) return ctx.refuse('badValue', built.wrong);
    return answer(
      ctx,
      await startChatMessage('MakeMsgapp', ctx, {
        ...{ line, to, type, correlation, related, ...built },
        price: priceOf(ctx, opensSession || isTemplateBody(built.body)),
        claims: duplicateClaims(ctx, line, built.body),
      }),
    );
  },
});

/**
 * Assistants write the numbers of Brazilian people as people do, without 55; such a one must not go abroad. Programs
 * write what the interface wants.
 */
function readDestination(written: string): ToolArgumentReading<typeof msgappErrors> {
  const read = readHomeOrAbroadChatNumber(written);
  if ('abroad' in read)
    return {
      refused: 'noDestination',
      sentence: `dest ${written} is a number of Brazil and of another country: write ${read.home} or ${read.abroad}`,
    };
  const warning = `dest ${written} was taken for the Brazilian number ${read.number}; write + before a foreign one`;
  return { value: read.number, ...(read.home && { warning }) };
}

const leastDigits = 6;

/** The digits; what people write between them does not count. */
const destinationOf = ({ params: { destination = '' }, refuse }: MsgappRequestContext): string => {
  const digits = destination.replaceAll(/[\s()+.-]/g, '');
  if (!/^\d+$/.test(digits) || digits.length < leastDigits) throw refuse('noDestination');
  return digits;
};

/** An active line of the account, set up as far as sending needs it. */
const lineOf = async ({
  account,
  params,
  services,
  refuse,
}: MsgappRequestContext): Promise<ChatSenderLine> => {
  if (params.line === undefined) throw refuse('unknownLine');
  const line = await services.chat.line({ shard: account.shard, account: account.id }, params.line);
  if (!line?.active || line.class !== 'msgapp') throw refuse('unknownLine');
  if (line.provider === '') throw refuse('noProvider');
  if (line.appName === '') throw refuse('noAppName');
  if (!line.hasApiKey) throw refuse('noApiKey');
  if (line.number === '') throw refuse('noNumber');
  return line;
};

/** Ten-thousandths: `price_2` for what opens a session, else `price_1`. */
const priceOf = ({ account }: MsgappRequestContext, opensSession: boolean): number =>
  Number(amountToTenThousandths((opensSession ? account.template_price : account.chat_price).toFixed(4)));

const duplicateClaims = (
  { params: { duplicateWindow: seconds } }: MsgappRequestContext,
  line: ChatSenderLine,
  body: object,
) =>
  seconds === 0
    ? []
    : [{ key: duplicateMessageClaimKey('MakeMsgapp', { line: line.id, body }), forMs: seconds * 1000 }];

const answer = ({ refuse, inSandbox }: MsgappRequestContext, sent: Sent): OperationSuccess | Refused => {
  if (sent.outcome === 'duplicate') return refuse('duplicate');
  if (sent.outcome === 'insufficientBalance')
    return refuse(
      'notProvisioned',
      'the balance of the account or of its reseller does not cover the message',
    );
  const { heard, replayed } = sent;
  if (heard.sandbox) inSandbox();
  const fields = { cdls_id: String(sent.id) };
  if (heard.code === '0') return { fields, replayed };
  // Spec 3.2: it is recorded, and goes on.
  if (heard.code === '1') return { fields: { ...fields, status: 'WR', status_code: '1' }, replayed };
  const ownCode = isChatErrorCodeShown(Number(heard.code)) && { status_code: heard.code };
  const no = refuse('refusedUpstream', heard.text, {
    ...fields,
    ...ownCode,
    ...addUnknownOutcomeWarning(heard),
  });
  return replayed ? replayedRefusal(no) : no;
};
