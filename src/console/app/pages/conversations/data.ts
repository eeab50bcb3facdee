/** What the page of conversations asks for and sends. */
import type { AdminAnswer } from '../../../../admin/client.ts';
import { admin } from '../../api.ts';

/** A page of people, those who were heard of last first. */
export type People = AdminAnswer<'GET /accounts/:account/conversations'>;
export type Conversation = People['conversations'][number];

export type Opened = AdminAnswer<'GET /accounts/:account/conversations/:line/:contact'>;
export type Message = Opened['messages'][number];

export const readConversations = (account: string, cursor: string | null): Promise<People> =>
  admin('GET /accounts/:account/conversations', {
    path: { account },
    query: { cursor: cursor ?? undefined },
  });

/** The person as an address names them. */
export const addressOf = ({ contact, contact_ref: reference }: Conversation): string => reference ?? contact;

/** Stands in the audit log. */
export const openConversation = (
  account: string,
  line: string,
  contact: string,
  cursor: string | null,
): Promise<Opened> =>
  admin('GET /accounts/:account/conversations/:line/:contact', {
    path: { account, line, contact },
    query: { cursor: cursor ?? undefined },
  });

export const answerPerson = (
  conversation: Conversation,
  text: string,
): Promise<AdminAnswer<'POST /accounts/:account/conversations/:line/:contact/answers'>> => {
  const { cdcs_id: account, v8l_id: line } = conversation;
  const path = { account, line, contact: addressOf(conversation) };
  return admin('POST /accounts/:account/conversations/:line/:contact/answers', { path, body: { text } });
};
