/** What the page of conversations asks for and sends. */
import type { AdminRouteAnswer } from '../../../../admin/client.ts';
import { adminApiClient } from '../../api.ts';

/** A page of people, those who were heard of last first. */
export type ConversationList = AdminRouteAnswer<'GET /accounts/:account/conversations'>;
export type Conversation = ConversationList['conversations'][number];

export type ConversationWithMessages =
  AdminRouteAnswer<'GET /accounts/:account/conversations/:line/:contact'>;
export type ConversationMessage = ConversationWithMessages['messages'][number];

export const fetchConversations = (account: string, cursor: string | null): Promise<ConversationList> =>
  adminApiClient('GET /accounts/:account/conversations', {
    path: { account },
    query: { cursor: cursor ?? undefined },
  });

/** The person as an address names them. */
export const contactUrlKey = ({ contact, contact_ref: reference }: Conversation): string =>
  reference ?? contact;

/** Stands in the audit log. */
export const fetchConversation = (
  account: string,
  line: string,
  contact: string,
  cursor: string | null,
): Promise<ConversationWithMessages> =>
  adminApiClient('GET /accounts/:account/conversations/:line/:contact', {
    path: { account, line, contact },
    query: { cursor: cursor ?? undefined },
  });

export const sendConversationAnswer = (
  conversation: Conversation,
  text: string,
): Promise<AdminRouteAnswer<'POST /accounts/:account/conversations/:line/:contact/answers'>> => {
  const { cdcs_id: account, v8l_id: line } = conversation;
  const path = { account, line, contact: contactUrlKey(conversation) };
  return adminApiClient('POST /accounts/:account/conversations/:line/:contact/answers', {
    path,
    body: { text },
  });
};
