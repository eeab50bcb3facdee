/** What the service says of a number, and the one deed that follows from it. */
import { ask } from '../../api.ts';
import type { Language } from '../../settings.ts';

export interface RuleLine {
  rule: string;
  title: string;
  answer: 'yes' | 'no' | 'notAsked';
  says: string;
}

export interface Statement {
  at: number;
  origin: string;
  /** Empty: what the rules answered was not written down. */
  rules: RuleLine[];
  text: string;
}

export interface Happened {
  what: 'called' | 'notCalled' | 'putBack' | 'waiting' | 'leftOut';
  at: number;
  account: number;
  call: string | null;
  campaign: { id: number; name: string } | null;
  rule: string;
  ruleName: string;
  sentence: string;
  until: number | null;
  times: number;
  statement: Statement | null;
}

export interface Present {
  account: number;
  name: string;
  may: 'now' | 'later' | 'never' | 'inCall';
  rule: string;
  until: number | null;
  sentence: string;
  rules: RuleLine[];
  blocked: 'account' | 'global' | null;
}

export interface Story {
  number: string;
  call: string | null;
  region: string | null;
  answer: string[];
  now: Present[];
  happened: Happened[];
  unsearched: boolean;
  accounts: Record<string, string>;
  /** Time zones of those accounts. */
  zones: Record<string, string>;
  cursor: string | null;
}

export interface AskedStory {
  /** A number, a `cd_id` or a `ctid`. */
  of: string;
  account: string | null;
  language: Language;
  cursor?: string;
  signal?: AbortSignal;
}

export const readStory = ({ of, account, language, cursor, signal }: AskedStory): Promise<Story> => {
  const query = new URLSearchParams({
    lang: language,
    ...(account !== null && { account }),
    ...(cursor !== undefined && { cursor }),
  });
  return ask(`/why/${encodeURIComponent(of)}?${query}`, signal ? { signal } : {});
};

/** Puts a number on the block list of an account. */
export const neverCall = (account: number, number: string, reason: string): Promise<unknown> =>
  ask(`/accounts/${account}/blocklist`, { method: 'POST', body: { number, reason } });
