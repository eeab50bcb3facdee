/** Lists of events as people write them (`rurl_events`, `callback_events`): `all`, or names parted by commas. */

import { callCallbackEvents, messageCallbackEvents } from '../../../machines/contracts/callback.ts';

/** What `rurl_events` may name. */
export const callEventNames: readonly string[] = callCallbackEvents;
/** What the account's `callback_events` may name: events of calls and of messages, each once. */
export const callbackEventNames: readonly string[] = [
  ...new Set([...callCallbackEvents, ...messageCallbackEvents]),
];

/** The names in a list, each once. An empty text names none. */
export const readEventList = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== ''),
  ),
];

/** What is wrong with a list, which completes "<parameter> …"; undefined: each name is known. */
export const findEventListFault = (text: string, known: readonly string[]): string | undefined => {
  const unknown = readEventList(text).filter((name) => name !== 'all' && !known.includes(name));
  return unknown.length === 0
    ? undefined
    : `must be all, or a comma list of ${known.join(', ')}; ${unknown[0]!.slice(0, 40)} is none of them`;
};
