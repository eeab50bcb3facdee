/** What a kind of machine or record is called in the language of the page. */
import type { Say, Word } from './words/index.ts';

const names: ReadonlyMap<string, Word> = new Map([
  ['call', 'kindCall'],
  ['campaign', 'kindCampaign'],
  ['message', 'kindMessage'],
  ['template', 'kindTemplate'],
  ['delivery', 'kindDelivery'],
  ['line', 'kindLine'],
  ['conversation', 'kindConversation'],
  ['account', 'kindAccount'],
]);

/** A kind that has no name here is called as the API has it. */
export const kindName = (kind: string, say: Say): string => {
  const word = names.get(kind);
  return word === undefined ? kind : say(word);
};
