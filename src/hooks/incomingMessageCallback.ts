/** A message from a person, as it is brought to the customer (docs/guides/receive-messages.md). */
import type { DeliveryInput, VerbatimBodyCallback } from '../../machines/delivery/input.ts';
import type { ChatSenderLine } from '../providers/contracts/chat.ts';
import { redactUrlToHost } from '../lib/redactUrl.ts';
import type { IncomingMessageEvent } from './chatHookEventTypes.ts';

/** What is brought of it. */
export type ForwardedMessage = Omit<IncomingMessageEvent, 'what' | 'payload'>;

export interface IncomingMessageToForward {
  line: ChatSenderLine;
  /** Where it goes. */
  url: string;
  eventId: string;
  message: ForwardedMessage;
}

/** The delivery that brings it. */
export const forwardingDeliveryInput = ({
  line,
  url,
  eventId,
  message,
}: IncomingMessageToForward): DeliveryInput => {
  const subject: VerbatimBodyCallback = {
    ...{ what: 'written', url, eventId, contentType: 'application/json' },
    body: JSON.stringify(bodyOf(line, eventId, message)),
  };
  return {
    purpose: 'callback',
    subject,
    about: `message ${message.upstreamId} from ${message.contact} on line ${line.id}`,
    target: redactUrlToHost(url),
  };
};

/** No message of a person is longer; more would only fill the log of deliveries. Characters. */
const LONGEST = 20_000;

/** One flat object; `mtype` and `mdata` mean what they mean when a message is sent (spec 4.14, 4.20). */
const bodyOf = ({ class: channel, id }: ChatSenderLine, eventId: string, message: ForwardedMessage) => ({
  event: 'message.received',
  event_id: eventId,
  timestamp: new Date(message.sentAt).toISOString(),
  channel,
  v8l_id: id,
  from: message.contact,
  name: message.name,
  message_id: message.upstreamId,
  related_id: message.related,
  mtype: message.type,
  text: message.text.slice(0, LONGEST).toWellFormed(),
  mdata: shortData(message.data),
  ...(message.file && { mime_type: message.file.mimeType, file_name: message.file.name }),
  ...(message.attachments && {
    attachments: message.attachments
      .slice(0, MOST_ATTACHMENTS)
      .map(({ type, data }) => ({ mtype: type, mdata: shortData(data) })),
  }),
});

const MOST_ATTACHMENTS = 30;

/** Cut JSON, or a cut address, is worse than none. */
const shortData = (data: string): string => (data.length > LONGEST ? '' : data);
