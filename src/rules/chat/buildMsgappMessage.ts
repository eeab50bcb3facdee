/** The body of a Msgapp message (spec 4.14), as the upstream wants it: unknown keys are refused there. */
import { type BuiltChatMessage, isWebAddress, parseChatJsonParameter } from './chatJsonAndUrlChecks.ts';

export const msgappTypes = [
  'text',
  'audio',
  'image',
  'video',
  'file',
  'sticker',
  'wabody',
  'wa_template',
  'template',
] as const;
export type MsgappType = (typeof msgappTypes)[number];

export interface MsgappContent {
  /** Digits. */
  to: string;
  type: MsgappType;
  /** `mdata`: text, address of a file, or JSON. */
  data: string | undefined;
  /** `mcaption`. */
  caption: string | undefined;
  /** The text of an object. */
  template: string | undefined;
}

/**
 * Whether a message as it goes upstream is a template, and so opens a session: by its type, in whatever case it is
 * written, or by what it carries.
 */
export const isTemplateBody = (body: Readonly<Record<string, unknown>>): boolean => {
  const { type } = body;
  return (
    Object.hasOwn(body, 'template') || (typeof type === 'string' && type.trim().toLowerCase() === 'template')
  );
};

const isTemplate = (type: MsgappType): type is 'template' | 'wa_template' =>
  type === 'template' || type === 'wa_template';

export const buildMsgappUpstreamMessage = (content: MsgappContent): BuiltChatMessage => {
  const { type, data } = content;
  if (isTemplate(type)) return templateMessage(content);
  if (data === undefined || data.trim() === '') return { wrong: `mdata is required for mtype ${type}` };
  if (type === 'wabody') return wholeMessage(content, data);
  if (type === 'text') return { body: { ...headed(content.to, 'text'), text: { body: data } }, shown: data };
  return fileMessage(content, type, data);
};

const headed = (to: string, type: string) => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to,
  type,
});

const templateMessage = ({ to, template: given }: MsgappContent): BuiltChatMessage => {
  if (given === undefined) return { wrong: 'template is required for a template message' };
  const template = parseChatJsonParameter(given);
  if (!template) return { wrong: 'template must be a JSON object' };
  const name = template['name'];
  return {
    body: { ...headed(to, 'template'), template },
    shown: typeof name === 'string' ? name : '',
  };
};

/** The upstream's own message without its recipient; a recipient in it does not count. */
const wholeMessage = ({ to }: MsgappContent, data: string): BuiltChatMessage => {
  const message = parseChatJsonParameter(data);
  if (!message) return { wrong: 'mdata must be the JSON object of a message for mtype wabody' };
  const { messaging_product = 'whatsapp', recipient_type = 'individual', ...rest } = message;
  return { body: { ...rest, messaging_product, recipient_type, to }, shown: data };
};

type FileType = 'audio' | 'image' | 'video' | 'file' | 'sticker';

/** What the upstream calls it, and the key of its caption there; sounds and stickers have none. */
const files: Readonly<Record<FileType, { type: string; caption?: string }>> = {
  audio: { type: 'audio' },
  image: { type: 'image', caption: 'caption' },
  video: { type: 'video', caption: 'caption' },
  file: { type: 'document', caption: 'filename' },
  sticker: { type: 'sticker' },
};

const fileMessage = ({ to, caption }: MsgappContent, kind: FileType, link: string): BuiltChatMessage => {
  if (!isWebAddress(link)) return { wrong: `mdata must be an http or https address for mtype ${kind}` };
  const { type, caption: key } = files[kind];
  const file = { link, ...(key !== undefined && caption !== undefined && { [key]: caption }) };
  return { body: { ...headed(to, type), [type]: file }, shown: link };
};
