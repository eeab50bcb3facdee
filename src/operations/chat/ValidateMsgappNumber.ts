/** Check the credentials of a Msgapp number against the upstream; changes nothing (spec 4.15). */
import * as z from 'zod';
import type { GraphApiAnswer } from '../../providers/contracts/chat.ts';
import { type RequestContext, emptyObjectSchema, defineOperation } from '../declare.ts';
import { text } from '../parameterValueSchemas.ts';
import { defineParams } from '../param.ts';
import type { Refused } from '../refused.ts';

const numberParams = defineParams({
  token: {
    rest: 'wa_api_key',
    required: true,
    schema: text(2_000).optional(),
    refusedAs: 'noToken',
    description: 'Access token with a scope for business management or messaging.',
  },
  business: {
    rest: 'wa_business_id',
    required: true,
    schema: text(64).optional(),
    refusedAs: 'noBusiness',
    description: 'Id of the business account.',
  },
  phoneId: {
    rest: 'wa_phone_number_id',
    required: true,
    schema: text(64).optional(),
    refusedAs: 'noPhoneId',
    description: 'Id of the phone number; not the number.',
  },
  number: {
    rest: 'wa_number',
    required: true,
    schema: text(40).optional(),
    refusedAs: 'badNumber',
    description: 'The number registered under that id: international, digits only, the first 1 to 9.',
  },
});

/** `http_code`: the upstream's status; 0 when it did not answer, 400 when it was not asked. */
const invalid = (error_type: string, error_message: string, http_code: number) => ({
  result: { valid: false, error_type, error_message, http_code },
});
const paramError = { fields: (sentence: string) => invalid('PARAM_ERROR', sentence, 400) };

const numberErrors = {
  noToken: { code: '230', text: 'wa_api_key is missing', ...paramError },
  noBusiness: { code: '231', text: 'wa_business_id is missing or no id', ...paramError },
  noPhoneId: { code: '232', text: 'wa_phone_number_id is missing or no id', ...paramError },
  noNumber: { code: '233', text: 'wa_number is missing', ...paramError },
  badNumber: {
    code: '234',
    text: 'wa_number must be digits in international format, the first 1 to 9',
    ...paramError,
  },
  businessFailed: { code: '240', text: 'the business account cannot be read' },
  phoneFailed: { code: '245', text: 'the phone number id cannot be read' },
  otherNumber: { code: '246', text: 'wa_number is not the number registered under this id' },
  badToken: { code: '251', text: 'the token has expired, or lacks the scopes' },
} as const;

type NumberRequestContext = RequestContext<typeof numberParams, typeof numberErrors>;

export const ValidateMsgappNumberOperation = defineOperation({
  name: 'ValidateMsgappNumber',
  section: '4.15',
  topic: 'msgapp',
  summary: 'Check a chat-app number and its token against the upstream; changes nothing.',
  permission: 'msgapp',
  creates: false,
  params: numberParams,
  errors: numberErrors,
  answer: {
    fields: z.object({
      result: z.object({
        valid: z.literal(true),
        business_name: z.string().describe('Name of the business account.'),
        phone_display_number: z.string().describe('The number as the upstream writes it.'),
        phone_verified_name: z.string().describe('Name that was verified.'),
        phone_quality_rating: z.string().describe('GREEN, YELLOW, RED or another word of the upstream.'),
        token_is_valid: z.literal(true),
        token_scopes: z.array(z.string()).describe('Scopes as the upstream names them.'),
        configuration_status: z.literal('OK'),
      }),
    }),
    beside: emptyObjectSchema,
    failed: z.object({
      result: z
        .object({
          valid: z.literal(false),
          error_type: z.enum(['PARAM_ERROR', 'BUSINESS_ERROR', 'PHONE_ERROR', 'TOKEN_ERROR']),
          error_message: z.string().describe('What is wrong.'),
          http_code: z
            .int()
            .describe('HTTP status of the upstream; 0 when it did not answer, 400 when it was not asked.'),
        })
        .optional()
        .describe('Absent where nothing was checked: refusals of access, limits and the like.'),
    }),
  },
  failure: { fields: {}, beside: {} },
  example: {
    needs: 'msgapp-account',
    request: {
      tsid: 'DEMO0token0DEMO0token0DEMO0tok',
      wa_api_key: 'EAAG…',
      wa_business_id: '102290129340398',
      wa_phone_number_id: '106540352242922',
      wa_number: '15550783881',
    },
    response: {
      return: {
        status: 'OK',
        status_code: '0',
        result: {
          valid: true,
          business_name: 'Ana’s shop',
          phone_display_number: '+1 555-078-3881',
          phone_verified_name: 'Ana’s shop',
          phone_quality_rating: 'GREEN',
          token_is_valid: true,
          token_scopes: ['whatsapp_business_messaging'],
          configuration_status: 'OK',
        },
      },
    },
  },

  async handle(ctx) {
    checkParams(ctx);
    if (ctx.services.chat.hasSandbox) ctx.inSandbox();
    const business = await readBusiness(ctx);
    const phone = await readPhone(ctx);
    const token = await readToken(ctx);
    await checkOwner(ctx);
    return {
      fields: { result: { valid: true, ...business, ...phone, ...token, configuration_status: 'OK' } },
    };
  },
});

const isId = (value: string): boolean => /^\d{1,40}$/.test(value);

const checkParams = (ctx: NumberRequestContext): void => {
  const { token = '', business = '', phoneId = '', number = '' } = ctx.params;
  if (token.trim() === '') throw ctx.refuse('noToken');
  if (!isId(business)) throw ctx.refuse('noBusiness');
  if (!isId(phoneId)) throw ctx.refuse('noPhoneId');
  if (number.trim() === '') throw ctx.refuse('noNumber');
  if (!/^[1-9]\d{5,19}$/.test(number)) throw ctx.refuse('badNumber');
};

const readBusiness = async (ctx: NumberRequestContext) => {
  const path = ctx.params.business!;
  const { name } = await readOrRefuse(ctx, 'businessFailed', path, { fields: 'id,name' });
  return { business_name: textOf(name) };
};

const readPhone = async (ctx: NumberRequestContext) => {
  const fields = 'display_phone_number,verified_name,quality_rating';
  const read = await readOrRefuse(ctx, 'phoneFailed', ctx.params.phoneId!, { fields });
  const shown = textOf(read['display_phone_number']);
  if (shown.replaceAll(/\D/g, '') !== ctx.params.number)
    throw failed(ctx, 'otherNumber', `the number registered under this id is ${shown}`, 200);
  return {
    phone_display_number: shown,
    phone_verified_name: textOf(read['verified_name']),
    phone_quality_rating: textOf(read['quality_rating']),
  };
};

/** The upstream's names, and those of the interface. */
const goodScopes: ReadonlySet<string> = new Set(
  ['whatsapp', 'msgapp'].flatMap((app) => [`${app}_business_management`, `${app}_business_messaging`]),
);

/** A token that the upstream does not take is told of with HTTP 200. */
const readToken = async (ctx: NumberRequestContext) => {
  const query = { input_token: ctx.params.token! };
  const { data } = await readOrRefuse(ctx, 'badToken', 'debug_token', query);
  const { is_valid, scopes, error } = (data ?? {}) as Record<string, unknown>;
  const names = Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [];
  const why = textOf((error as { message?: unknown } | undefined)?.message);
  if (is_valid !== true) throw failed(ctx, 'badToken', why || 'the token is not valid', 200);
  if (!names.some((scope) => goodScopes.has(scope)))
    throw failed(
      ctx,
      'badToken',
      'the token has none of the scopes for business management or messaging',
      200,
    );
  return { token_is_valid: true, token_scopes: names };
};

/** Numbers of a business that are looked through; one that has more is not judged. */
const mostNumbers = 200;

/**
 * A token may read numbers of several businesses, and a line whose number is another business's submits its templates
 * where they are of no use. A list that cannot be read, or goes on, says nothing: the token may be for messaging alone.
 */
const checkOwner = async (ctx: NumberRequestContext): Promise<void> => {
  const { business, phoneId } = ctx.params;
  const query = { fields: 'id', limit: String(mostNumbers) };
  const answer = await askUpstream(ctx, `${business}/phone_numbers`, query);
  if (answer.outcome !== 'ok') return;
  const { data, paging } = answer.json as { data?: unknown; paging?: { next?: unknown } };
  if (!Array.isArray(data) || paging?.next !== undefined) return;
  const isListed = data.some((one: { id?: unknown } | null) => String(one?.id) === phoneId);
  if (!isListed)
    throw failed(ctx, 'phoneFailed', `the phone number id is none of the business account ${business}`, 200);
};

/** Of one question, milliseconds. */
const timeoutMs = 8_000;

const readOrRefuse = async (
  ctx: NumberRequestContext,
  word: keyof typeof errorTypes,
  path: string,
  query: Record<string, string>,
): Promise<Readonly<Record<string, unknown>>> => {
  const answer = await askUpstream(ctx, path, query);
  if (answer.outcome === 'ok') return answer.json;
  const http = answer.outcome === 'refused' ? answer.http : 0;
  throw failed(ctx, isAboutToken(answer) ? 'badToken' : word, answer.text, http);
};

const askUpstream = (
  { params, services }: NumberRequestContext,
  path: string,
  query: Record<string, string>,
): Promise<GraphApiAnswer> =>
  services.chat.graph.ask({
    ...{ method: 'GET', path, query, token: params.token!, timeoutMs, sandbox: services.chat.hasSandbox },
  });

/** The token is at fault, whatever was asked with it. */
const isAboutToken = (answer: GraphApiAnswer): boolean => {
  const code = answer.outcome === 'refused' ? (answer.code ?? -1) : -1;
  return code === 190 || code === 10 || (code >= 200 && code <= 299);
};

const errorTypes = {
  businessFailed: 'BUSINESS_ERROR',
  phoneFailed: 'PHONE_ERROR',
  otherNumber: 'PHONE_ERROR',
  badToken: 'TOKEN_ERROR',
} as const;

const failed = (
  { refuse }: NumberRequestContext,
  word: keyof typeof errorTypes,
  message: string,
  http: number,
): Refused => refuse(word, undefined, invalid(errorTypes[word], message, http));

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
