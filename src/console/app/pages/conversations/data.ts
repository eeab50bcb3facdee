/** What the page of conversations asks for and sends. */
import { ask } from '../../api.ts';

export interface Conversation {
  cdcs_id: number;
  v8l_id: number;
  v8l_class: string;
  contact: string;
  /** Stands for `contact` in addresses where numbers are masked. */
  contact_ref?: string;
  name: string;
  heard_at: number;
  open: boolean;
  open_until: number;
  last_text: string;
  last_type: string;
}

export interface Message {
  direction: 'in' | 'out';
  id: string;
  at: number;
  mtype: string;
  text: string;
  status: string;
  status_text: string;
  delivered_at: number | null;
  read_at: number | null;
}

export interface Opened extends Conversation {
  messages: Message[];
  cursor: string | null;
}

/** A page of people, those who were heard of last first. */
export interface People {
  conversations: Conversation[];
  cursor: string | null;
}

export interface AccountOf {
  cdcs_id: number;
  name: string;
  time_zone: string;
}

export const readAccounts = async (): Promise<AccountOf[]> =>
  (await ask<{ accounts: AccountOf[] }>('/accounts')).accounts;

export const readConversations = (account: string, query: URLSearchParams): Promise<People> =>
  ask(`/accounts/${encodeURIComponent(account)}/conversations?${query}`);

/** The person as an address names them. */
export const addressOf = ({ contact, contact_ref: reference }: Conversation): string => reference ?? contact;

const pathOf = (account: string, line: string, contact: string): string =>
  `/accounts/${encodeURIComponent(account)}/conversations/${encodeURIComponent(line)}/${encodeURIComponent(contact)}`;

/** Stands in the audit log. */
export const openConversation = (
  account: string,
  line: string,
  contact: string,
  cursor: string | null,
): Promise<Opened> =>
  ask(pathOf(account, line, contact) + (cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`));

export const answerPerson = (
  conversation: Conversation,
  text: string,
): Promise<{ status: string; status_text: string }> => {
  const { cdcs_id: account, v8l_id: line } = conversation;
  const path = pathOf(String(account), String(line), addressOf(conversation));
  return ask(`${path}/answers`, { method: 'POST', body: { text } });
};
