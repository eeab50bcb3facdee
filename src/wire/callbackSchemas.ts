/** What is brought to a customer's own address, as schemas: the bodies of status callbacks and of forwarded messages. */
import * as z from 'zod';
import { callCallbackEvents, messageCallbackEvents } from '../../machines/contracts/callback.ts';
import { callRecordSchema } from './callRecord.ts';
import { countSchema } from './shapes.ts';

/** What every event says of itself. */
const head = {
  event_id: z.string().describe('Names the event; the same in every attempt to bring it, as webhook-id.'),
  seq: z.int().min(1).describe('1 is the first of this call or message.'),
  timestamp: z.iso.datetime().describe('When it happened.'),
  final: z.boolean().describe('Exactly one event of a call or message has true.'),
  attempt: z.int().min(0).describe('The dial attempt it is at.'),
  attempts: z.int().min(1).describe('Dial attempts that there may be in all.'),
};

const person = (description: string) =>
  z.string().optional().describe(`${description} Of a campaign’s call.`);

/** A call: its record as it was when the event happened. */
export const callEventBodySchema = callRecordSchema.extend({
  event: z.enum(callCallbackEvents).describe('What happened; completed and failed are final.'),
  ...head,
  name: person('Name.'),
  cod_cli: person('Client code.'),
  extra1: person('First extra.'),
  extra2: person('Second extra.'),
  extra3: person('Third extra.'),
  extra4: person('Fourth extra.'),
});

/** A message: its log entry as it was when the event happened. */
export const messageEventBodySchema = z.object({
  event: z
    .enum(messageCallbackEvents)
    .describe('What happened; the first of delivered, failed and undelivered is final.'),
  ...head,
  cdls_id: z.int().describe('Id in the message log.'),
  channel: z.enum(['sms', 'msgapp', 'pagechat', 'photodm']).describe('Channel.'),
  line: countSchema('Chat line; 0: SMS.'),
  dest: z.string().describe('Recipient.'),
  from: z.string().describe('Sender.'),
  mtype: z.string().describe('Kind of content.'),
  ctid: z.string().describe('Customer-side id.'),
  msg_id: z.string().describe('Related id.'),
  cp_id: z.string().describe('Campaign.'),
  cd_id: z.string().describe('Call.'),
  segments: countSchema('Parts of an SMS.'),
  status: z
    .string()
    .describe('accepted, submitted, acknowledged, delivered, read, failed, undelivered, unknown.'),
  status_code: z.string().describe('Code of the provider.'),
  status_text: z.string().describe('What the provider said.'),
  cdls_return_id: z.string().describe('The provider’s id.'),
  cdls_status_delivery: z.string().describe('What the last receipt said; empty: none came.'),
  cdls_value: z.string().describe('Price, with a comma.'),
  created: z.string().describe('On the wall clock of the account.'),
  updated: z.string().describe('On the wall clock of the account.'),
});

/** What an operator sends to see whether an address takes events. */
export const testEventBodySchema = z.object({ event: z.literal('test'), ...head });

/** A message from a person, brought to the forwarding address of its line, else to the account's callback address. */
export const forwardedMessageSchema = z.object({
  event: z.literal('message.received'),
  event_id: z.string().describe('Names the message; the same in every attempt, as webhook-id.'),
  timestamp: z.iso.datetime().describe('When it was written.'),
  channel: z.enum(['msgapp', 'pagechat', 'photodm']).describe('Channel.'),
  v8l_id: z.int().describe('Line.'),
  from: z.string().describe('Who wrote.'),
  name: z.string().describe('Their name; empty: not told.'),
  message_id: z.string().describe('The upstream’s id of the message.'),
  related_id: z.string().describe('The message that it answers; empty: none.'),
  mtype: z.string().describe('Kind of content, as when a message is sent.'),
  text: z.string().describe('Text.'),
  mdata: z.string().describe('Address of the file, or JSON of what is neither text nor file.'),
  mime_type: z.string().optional(),
  file_name: z.string().optional(),
  attachments: z.array(z.object({ mtype: z.string(), mdata: z.string() })).optional(),
});
