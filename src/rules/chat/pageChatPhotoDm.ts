/** The bodies of PageChat and PhotoDm messages (spec 4.20, 4.21): the same but for what each takes. */
import { countCharacters } from '../sms/smsText.ts';
import { type BuiltChatMessage, isWebAddress } from './chatJsonAndUrlChecks.ts';

export const socialPageMessageTypes = ['text', 'image', 'audio', 'video', 'file', 'document'] as const;
export const photoDmMessageTypes = ['text', 'image', 'audio', 'video'] as const;

export interface SocialMessageContent {
  /** The upstream's id of the person. */
  to: string;
  type: (typeof socialPageMessageTypes)[number];
  /** `mdata`: text, or address of a file. */
  data: string;
}

/** Longest text of a page, characters. */
const longestPageText = 2_000;
/** Longest text of a photo account, bytes of UTF-8. */
const longestPhotoText = 1_000;

export const buildPageChatMessageBody = (content: SocialMessageContent): BuiltChatMessage =>
  content.type === 'text' && countCharacters(content.data) > longestPageText
    ? { wrong: `mdata must be at most ${longestPageText} characters` }
    : pageMessage(content);

export const buildPhotoAccountMessage = (content: SocialMessageContent): BuiltChatMessage =>
  content.type === 'text' && Buffer.byteLength(content.data) > longestPhotoText
    ? { wrong: `mdata must be at most ${longestPhotoText} bytes of UTF-8` }
    : pageMessage(content);

const pageMessage = ({ to, type, data }: SocialMessageContent): BuiltChatMessage => {
  const addressed = (message: object) => ({
    body: { recipient: { id: to }, messaging_type: 'RESPONSE', message },
    shown: data,
  });
  if (type === 'text') return addressed({ text: data });
  if (!isWebAddress(data)) return { wrong: `mdata must be an http or https address for mtype ${type}` };
  const attachment = { type: type === 'document' ? 'file' : type, payload: { url: data } };
  return addressed({ attachment });
};
