/** Answers that were begun and not sent: they are there again when the person is looked at again, as long as one is signed in. */
import { signedInAdministratorStore } from '../../api.ts';
import type { Conversation } from './data.ts';

/** The newest are kept. */
const mostDrafts = 50;
const drafts = new Map<string, string>();

// What one wrote is not the next one's who signs in here.
signedInAdministratorStore.subscribe((who) => typeof who === 'object' || drafts.clear());

const keyOf = ({ cdcs_id: account, v8l_id: line, contact }: Conversation): string =>
  `${account} ${line} ${contact}`;

export const draftFor = (conversation: Conversation): string => drafts.get(keyOf(conversation)) ?? '';

/** Empty: there is none any more. */
export const keepDraft = (conversation: Conversation, text: string): void => {
  const key = keyOf(conversation);
  drafts.delete(key);
  if (text !== '') drafts.set(key, text);
  for (const oldest of drafts.keys()) if (drafts.size > mostDrafts) drafts.delete(oldest);
};
