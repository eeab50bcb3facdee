/** What the people of the sandbox do: the last two digits of their number, or id, decide. */
import type { ChatChannelKind } from '../../contracts/chat.ts';
import type { GraphApiHttpReply } from '../interpretGraphApiReply.ts';
import type { Due } from './sharedStateFile.ts';
import { sandboxGraphApiErrorReply } from './graphApiReplies.ts';

/** Milliseconds after the message was taken. */
const SENT_MS = 200;
const DELIVERED_MS = 1_000;
const READ_MS = 3_000;
const LATE_MS = 20_000;

/** How long the upstream takes to answer, milliseconds. */
export const answerDelayForSimulatedRecipient = (to: string): number => (to.endsWith('08') ? LATE_MS : 0);

/** A no; undefined: it is taken. `isTemplate`: one that may open a conversation. */
export const simulatedRecipientRefusal = (
  channel: ChatChannelKind,
  to: string,
  isTemplate: boolean,
): GraphApiHttpReply | undefined => {
  if (to.endsWith('09')) return sandboxGraphApiErrorReply(500, broken[channel]);
  if (to.endsWith('05') && !isTemplate)
    return sandboxGraphApiErrorReply(channel === 'msgapp' ? 400 : 403, outside[channel]);
  return undefined;
};

const away = { code: 551, message: "This person isn't available right now.", subcode: 1_545_041 };
const broken: Readonly<Record<ChatChannelKind, Parameters<typeof sandboxGraphApiErrorReply>[1]>> = {
  msgapp: { code: 131_000, message: 'Something went wrong' },
  pagechat: away,
  photodm: away,
};

const windowText = 'This message is sent outside of allowed window.';
const outside: Readonly<Record<ChatChannelKind, Parameters<typeof sandboxGraphApiErrorReply>[1]>> = {
  msgapp: {
    code: 131_047,
    message: 'Re-engagement message',
    details: 'Message failed to send because more than 24 hours have passed since the customer last replied',
  },
  pagechat: { code: 10, message: windowText, subcode: 2_018_278 },
  photodm: { code: 10, message: windowText, subcode: 2_534_022 },
};

/** What is heard of a message, and when; `speed` divides. */
export const simulatedChatStatusEvents = (
  channel: ChatChannelKind,
  to: string,
  at: number,
  speed: number,
): Due[] => {
  // The hooks of a message follow the answer to its own request.
  const due = (what: Due['what'], ms: number): Due => ({
    what,
    at: at + Math.round((ms + answerDelayForSimulatedRecipient(to)) / speed),
  });
  const isMsgapp = channel === 'msgapp';
  if (to.endsWith('06')) return isMsgapp ? [due('sent', SENT_MS), due('failed', DELIVERED_MS)] : [];
  const later = to.endsWith('07') ? LATE_MS : 0;
  return [
    ...(isMsgapp ? [due('sent', SENT_MS)] : []),
    // Photo accounts are told of reading alone.
    ...(channel === 'photodm' ? [] : [due('delivered', DELIVERED_MS + later)]),
    due('read', READ_MS + later),
    ...(to.endsWith('11') ? [due('reply', READ_MS + DELIVERED_MS)] : []),
  ];
};
