/** Templates at the sandbox upstream: what it takes, and what it thinks of them. */
import * as z from 'zod';
import type { GraphApiHttpReply } from '../interpretGraphApiReply.ts';
import type { SandboxChatTemplate } from './sharedStateFile.ts';
import { graphApiInvalidParameterReply, sandboxGraphApiErrorReply } from './graphApiReplies.ts';
import type { SentTemplate } from './postedMessageSchemas.ts';

const component = z.looseObject({
  type: z.enum(['HEADER', 'BODY', 'FOOTER', 'BUTTONS']),
  format: z.enum(['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION']).optional(),
  text: z.string().optional(),
  example: z.looseObject({}).optional(),
  buttons: z
    .array(z.looseObject({ type: z.string(), text: z.string().max(25).optional() }))
    .min(1)
    .max(10)
    .optional(),
});

const submitted = z.strictObject({
  name: z.string().regex(/^[a-z0-9_]{1,512}$/, 'must be lower case letters, digits and underscores'),
  language: z.string().regex(/^[a-z]{2,3}(_[A-Za-z]{2,4})?$/, 'must be a language code'),
  category: z.enum(['AUTHENTICATION', 'MARKETING', 'UTILITY']),
  components: z.array(component).min(1),
  allow_category_change: z.boolean().optional(),
  parameter_format: z.enum(['NAMED', 'POSITIONAL']).optional(),
  message_send_ttl_seconds: z.number().optional(),
});
export type TemplateSubmissionBody = z.output<typeof submitted>;
type Component = z.output<typeof component>;

/** As upstream takes it, or its no, whose reason stands in `error_user_msg`. */
export const parseTemplatePostedToSandbox = (
  body: unknown,
): TemplateSubmissionBody | { no: GraphApiHttpReply } => {
  const { data, error } = submitted.safeParse(body);
  if (error) {
    const { path, message } = error.issues[0]!;
    return { no: wrong(2_388_043, `${path.join('.') || 'body'}: ${message}`) };
  }
  const no = data.category === 'AUTHENTICATION' ? undefined : wrongComponents(data.components);
  return no ? { no } : data;
};

const wrong = (subcode: number, userMessage: string): GraphApiHttpReply =>
  graphApiInvalidParameterReply('Invalid parameter', { subcode, userMessage });

const wrongComponents = (components: readonly Component[]): GraphApiHttpReply | undefined => {
  const [body, ...more] = components.filter(({ type }) => type === 'BODY');
  if (!body?.text || more.length > 0) return wrong(2_388_072, 'A template needs exactly one body with text.');
  const header = components.find(({ type }) => type === 'HEADER');
  return wrongBody(body.text, body.example) ?? (header && wrongHeader(header));
};

const wrongBody = (text: string, example: Component['example']): GraphApiHttpReply | undefined => {
  if (text.length > 1_024) return wrong(2_388_040, 'The body may have 1024 characters.');
  const wanted = placeholders(text);
  if (wanted === 0) return undefined;
  if (/^\s*\{\{\d+\}\}|\{\{\d+\}\}\s*$/.test(text))
    return wrong(2_388_299, 'Variables can’t be at the start or end of the template.');
  const rows = example?.['body_text'];
  const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
  if (!Array.isArray(row) || row.length !== wanted)
    return wrong(2_388_043, 'The body is missing expected field(s): example.body_text');
  return undefined;
};

const wrongHeader = ({ format = 'TEXT', text = '', example }: Component): GraphApiHttpReply | undefined => {
  if (format === 'LOCATION') return undefined;
  const key = format === 'TEXT' ? 'header_text' : 'header_handle';
  const needs = format !== 'TEXT' || placeholders(text) > 0;
  const given = example?.[key];
  if (needs && !(Array.isArray(given) && given.length === 1))
    return wrong(2_388_047, `The header is missing expected field(s): example.${key}`);
  return undefined;
};

/** How many placeholders a text has. */
const placeholders = (text: string): number => new Set(text.match(/\{\{\d+\}\}/g)).size;

/** The review takes so long, milliseconds. */
const REVIEW_MS = 5_000;

/** `at`: when it was decided, or will be; until then it is PENDING. */
export interface TemplateReview {
  status: string;
  reason: string;
  at: number;
}

/** A name with `reject` in it is rejected. */
export const simulatedTemplateReview = (
  { name, at }: SandboxChatTemplate,
  speed: number,
): TemplateReview => ({
  status: name.includes('reject') ? 'REJECTED' : 'APPROVED',
  reason: name.includes('reject') ? 'INVALID_FORMAT' : 'NONE',
  at: at + Math.round(REVIEW_MS / speed),
});

/** What a GET answers of it. */
export const sandboxTemplateJson = (
  entry: SandboxChatTemplate,
  speed: number,
  now: number,
): Record<string, unknown> => {
  const review = simulatedTemplateReview(entry, speed);
  const decided = review.at <= now;
  const { id, name, language, category, components } = entry;
  return {
    ...{ id, name, language, category, components },
    status: decided ? review.status : 'PENDING',
    rejected_reason: decided ? review.reason : 'NONE',
  };
};

/** Why a message cannot be sent with it. */
export const refuseTemplateUse = (
  sent: SentTemplate,
  entry: SandboxChatTemplate | undefined,
  isApproved: boolean,
): GraphApiHttpReply | undefined => {
  if (!entry || !isApproved)
    return sandboxGraphApiErrorReply(404, {
      code: 132_001,
      message: 'Template name does not exist in the translation',
      details: `template name (${sent.name}) does not exist in ${sent.language.code}`,
    });
  const body = entry.components.find(({ type }) => type === 'BODY')?.['text'];
  const wanted = typeof body === 'string' ? placeholders(body) : 0;
  const given = sent.components?.find(({ type }) => type === 'body')?.parameters?.length ?? 0;
  if (entry.category === 'AUTHENTICATION' || wanted === given) return undefined;
  return sandboxGraphApiErrorReply(400, {
    code: 132_000,
    message: 'Number of parameters does not match the expected number of params',
    details: `body: number of localizable_params (${given}) does not match the expected number of params (${wanted})`,
  });
};
