/** What the upstream takes as a message, key by key: an unknown one is refused, as the real one does. */
import * as z from 'zod';

const link = z.string().regex(/^https?:\/\//);
const file = (more: z.ZodRawShape = {}) => z.strictObject({ link, ...more });
const caption = z.string().max(1024).optional();

const parameter = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string(), parameter_name: z.string().optional() }),
  z.strictObject({ type: z.literal('image'), image: file() }),
  z.strictObject({ type: z.literal('payload'), payload: z.string() }),
]);

const template = z.strictObject({
  name: z.string(),
  language: z.strictObject({ code: z.string(), policy: z.literal('deterministic').optional() }),
  components: z
    .array(
      z.strictObject({
        type: z.enum(['header', 'body', 'button']),
        sub_type: z.enum(['quick_reply', 'url']).optional(),
        index: z.string().optional(),
        parameters: z.array(parameter),
      }),
    )
    .optional(),
});

const location = z.strictObject({ latitude: z.number(), longitude: z.number(), name: z.string().optional() });

const contents = {
  text: z.strictObject({ body: z.string().min(1).max(4096), preview_url: z.boolean().optional() }),
  image: file({ caption }),
  video: file({ caption }),
  document: file({ caption, filename: z.string().optional() }),
  audio: file(),
  sticker: file(),
  location,
  template,
};

const headed = {
  messaging_product: z.literal('whatsapp'),
  recipient_type: z.literal('individual'),
  to: z.string().regex(/^\d{6,20}$/),
  biz_opaque_callback_data: z.string().max(512),
};

const msgapp = z.union(
  Object.entries(contents).map(([type, content]) =>
    z.strictObject({ ...headed, type: z.literal(type), [type]: content }),
  ),
);

const attachment = z.strictObject({
  type: z.enum(['image', 'audio', 'video', 'file']),
  payload: z.strictObject({ url: link, is_reusable: z.boolean().optional() }),
});

const page = z.strictObject({
  recipient: z.strictObject({ id: z.string().min(1) }),
  messaging_type: z.literal('RESPONSE'),
  message: z.union([z.strictObject({ text: z.string().min(1) }), z.strictObject({ attachment })]),
});

export const messageOf: z.ZodType = z.union([msgapp, page]);
