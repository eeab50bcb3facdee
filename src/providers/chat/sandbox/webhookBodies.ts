/** The hooks of the sandbox upstream: their bodies, as the real one writes them. Pure. */
import type { ChatSenderLine } from '../../contracts/chat.ts';
import type { Due, SandboxChatMessage, SandboxChatTemplate } from './sharedStateFile.ts';

/** What became of a message, or what the person answers. */
export const sandboxMessageWebhookBody = (
  entry: SandboxChatMessage,
  due: Due,
  line: ChatSenderLine,
): object => (entry.channel === 'msgapp' ? msgappHook(entry, due, line) : pageHook(entry, due));

const seconds = (at: number): string => String(Math.floor(at / 1000));

const msgappHook = (entry: SandboxChatMessage, due: Due, line: ChatSenderLine): object => {
  const value =
    due.what === 'reply'
      ? {
          contacts: [{ profile: { name: `Person ${entry.to.slice(-4)}` }, wa_id: entry.to }],
          messages: [
            {
              from: entry.to,
              id: `${entry.id}.reply`,
              timestamp: seconds(due.at),
              type: 'text',
              text: { body: 'Olá!' },
              context: { from: line.number, id: entry.id },
            },
          ],
        }
      : { statuses: [statusOf(entry, due)] };
  const metadata = { display_phone_number: line.number, phone_number_id: entry.sender };
  return {
    object: 'whatsapp_business_account',
    entry: [
      {
        id: line.businessId || '0',
        changes: [{ field: 'messages', value: { messaging_product: 'whatsapp', metadata, ...value } }],
      },
    ],
  };
};

const statusOf = ({ id, to, reference }: SandboxChatMessage, { what, at }: Due): object => ({
  id,
  status: what,
  timestamp: seconds(at),
  recipient_id: to,
  ...(reference !== '' && { biz_opaque_callback_data: reference }),
  ...(what === 'failed' && {
    errors: [
      {
        code: 131_026,
        title: 'Message undeliverable',
        message: 'Message undeliverable',
        error_data: { details: 'Message Undeliverable.' },
      },
    ],
  }),
});

const pageHook = ({ id, to, sender, channel }: SandboxChatMessage, { what, at }: Due): object => {
  const happened = {
    delivered: { delivery: { mids: [id], watermark: at } },
    read: { read: channel === 'photodm' ? { mid: id } : { watermark: at } },
    reply: { message: { mid: `${id}.reply`, text: 'Olá!' } },
  }[what as 'delivered' | 'read' | 'reply'];
  const item = { sender: { id: to }, recipient: { id: sender }, timestamp: at, ...happened };
  return {
    object: channel === 'photodm' ? 'instagram' : 'page',
    entry: [{ id: sender, time: at, messaging: [item] }],
  };
};

/** That a template was approved, or not. Its id is a number here, as the real one writes it. */
export const sandboxTemplateWebhookBody = (
  { id, business, name, language }: SandboxChatTemplate,
  { status, reason, at }: { status: string; reason: string; at: number },
): object => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: business,
      time: Math.floor(at / 1000),
      changes: [
        {
          field: 'message_template_status_update',
          value: {
            event: status,
            message_template_id: Number(id),
            message_template_name: name,
            message_template_language: language,
            reason,
          },
        },
      ],
    },
  ],
});
