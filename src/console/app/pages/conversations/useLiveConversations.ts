/** What the page is told while it is shown: who wrote last, and what comes to the conversation that is open. */
import { useState } from 'preact/hooks';
import { useStream } from '../../stream.ts';
import { contactUrlKey, type ConversationWithMessages, type ConversationList } from './data.ts';

/** Which conversation. */
export interface ConversationKey {
  account: string;
  line: string;
  contact: string;
}

export interface Live {
  /** The first page of people; undefined: nothing was told yet. */
  people: ConversationList | undefined;
  /** The newest messages of the conversation that is followed. */
  newest: ConversationWithMessages | undefined;
  /** Follows this conversation from now on: it was opened. */
  follow(which: ConversationKey): void;
}

const isOf = (one: ConversationWithMessages, which: ConversationKey): boolean =>
  String(one.cdcs_id) === which.account &&
  String(one.v8l_id) === which.line &&
  contactUrlKey(one) === which.contact;

const topicOf = ({ account, line, contact }: ConversationKey): string =>
  `conversation:${account}:${line}:${encodeURIComponent(contact)}`;

/** `account`: empty while none is chosen; `which`: the conversation that the address names. */
export const useLiveConversations = (account: string, which: ConversationKey | undefined): Live => {
  const [people, setPeople] = useState<{ account: string; page: ConversationList }>();
  const [newest, setNewest] = useState<ConversationWithMessages>();
  const [followed, setFollowed] = useState<ConversationKey>();
  const isFollowed = which !== undefined && followed !== undefined && topicOf(which) === topicOf(followed);
  const topics = [`people:${account}`, ...(isFollowed ? [topicOf(which)] : [])];
  useStream(account === '' ? undefined : topics.join(','), {
    people: (page) => setPeople({ account, page }),
    conversation: setNewest,
  });
  return {
    people: people?.account === account ? people.page : undefined,
    newest: newest && which && isOf(newest, which) ? newest : undefined,
    follow: setFollowed,
  };
};
