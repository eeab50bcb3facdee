/** What the sandbox upstream takes as a message, key by key; like the real one it refuses keys that it does not know. */
import * as z from 'zod';
import type { ChatChannelKind } from '../../contracts/chat.ts';
import type { GraphApiHttpReply } from '../interpretGraphApiReply.ts';
import { graphApiInvalidParameterReply, sandboxGraphApiErrorReply } from './graphApiReplies.ts';

const link = z.string().regex(/^https?:\/\/\S+$/, 'must be an http or https address');
const file = <More extends z.ZodRawShape>(more: More) =>
  z.strictObject({ link: link.optional(), id: z.string().optional(), ...more });
const caption = z.string().max(1_024).optional();

const parameter = z.looseObject({ type: z.string(), text: z.string().optional() });

const template = z.strictObject({
  name: z.string(),
  language: z.strictObject({ code: z.string(), policy: z.string().optional() }),
  components: z
    .array(
      z.strictObject({
        type: z.enum(['header', 'body', 'button']),
        sub_type: z.string().optional(),
        index: z.union([z.string(), z.number()]).optional(),
        parameters: z.array(parameter).optional(),
      }),
    )
    .optional(),
});
export type SentTemplate = z.output<typeof template>;

const contents = {
  text: z.strictObject({ body: z.string().min(1).max(4_096), preview_url: z.boolean().optional() }),
  image: file({ caption }),
  video: file({ caption }),
  document: file({ caption, filename: z.string().optional() }),
  audio: file({}),
  sticker: file({}),
  location: z.strictObject({
    latitude: z.union([z.number(), z.string()]),
    longitude: z.union([z.number(), z.string()]),
    name: z.string().optional(),
    address: z.string().optional(),
  }),
  contacts: z.array(z.looseObject({})).min(1),
  reaction: z.strictObject({ message_id: z.string(), emoji: z.string() }),
  interactive: z.looseObject({ type: z.string(), action: z.looseObject({}) }),
  template,
};
type Content = keyof typeof contents;

const head = z.looseObject({
  messaging_product: z.literal('whatsapp', 'must be whatsapp'),
  recipient_type: z.enum(['individual', 'group']).optional(),
  to: z.string().regex(/^\+?\d{6,20}$/, 'must be a phone number'),
  type: z.enum(Object.keys(contents) as [Content, ...Content[]]).default('text'),
  context: z.strictObject({ message_id: z.string() }).optional(),
  biz_opaque_callback_data: z.string().max(512).optional(),
});
const heads = new Set(Object.keys(head.shape));

const attachment = z.strictObject({
  type: z.enum(['image', 'audio', 'video', 'file']),
  payload: z.strictObject({ url: link, is_reusable: z.boolean().optional() }),
});
const pageOf = (text: z.ZodString) =>
  z.strictObject({
    recipient: z.strictObject({ id: z.string().regex(/^\d{1,40}$/, 'must be the id of a person') }),
    messaging_type: z.enum(['RESPONSE', 'UPDATE', 'MESSAGE_TAG']).optional(),
    tag: z.string().optional(),
    message: z.union([z.strictObject({ text }), z.strictObject({ attachment })]),
  });
const pages = {
  pagechat: pageOf(z.string().min(1).max(2_000)),
  photodm: pageOf(
    z
      .string()
      .min(1)
      .refine((text) => Buffer.byteLength(text) <= 1_000, 'must be at most 1000 bytes'),
  ),
};

/** What the sandbox needs to know of a message. */
export interface MessagePostedToSandbox {
  to: string;
  reference: string;
  template?: SentTemplate;
}

export const parseMessagePostedToSandbox = (
  channel: ChatChannelKind,
  body: unknown,
): MessagePostedToSandbox | { no: GraphApiHttpReply } => {
  if (channel !== 'msgapp') return readPage(channel, body);
  const { data, error } = head.safeParse(body);
  if (error) return { no: noOf(error, 'body') };
  const { to, type, biz_opaque_callback_data: reference = '' } = data;
  const stray = Object.keys(data).find((key) => key !== type && !heads.has(key));
  if (stray !== undefined)
    return { no: graphApiInvalidParameterReply(`Unexpected key "${stray}" on param "body"`) };
  const content = contents[type].safeParse(data[type]);
  if (content.error) return { no: noOf(content.error, type) };
  const posted = { to: to.replace('+', ''), reference };
  return type === 'template' ? { ...posted, template: content.data as SentTemplate } : posted;
};

const readPage = (
  channel: keyof typeof pages,
  body: unknown,
): MessagePostedToSandbox | { no: GraphApiHttpReply } => {
  const { data, error } = pages[channel].safeParse(body);
  return error ? { no: noOf(error, 'body') } : { to: data.recipient.id, reference: '' };
};

const noOf = ({ issues }: z.ZodError, param: string): GraphApiHttpReply => {
  const issue = issues[0]!;
  if (issue.code === 'unrecognized_keys')
    return graphApiInvalidParameterReply(`Unexpected key "${issue.keys[0]}" on param "${param}"`);
  const path = [param, ...issue.path].join('.');
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('undefined');
  return missing
    ? sandboxGraphApiErrorReply(400, {
        code: 131_008,
        message: 'Required parameter is missing',
        details: `${path} is missing`,
      })
    : sandboxGraphApiErrorReply(400, {
        code: 131_009,
        message: 'Parameter value is not valid',
        details: `${path}: ${issue.message}`,
      });
};
