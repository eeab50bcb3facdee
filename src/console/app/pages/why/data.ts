/** What the service says of a number, and the one deed that follows from it. */
import type { AdminRouteAnswer } from '../../../../admin/client.ts';
import { adminApiClient } from '../../api.ts';
import type { ConsoleLanguage } from '../../browserPreferences.ts';

export type NumberHistoryAnswer = AdminRouteAnswer<'GET /why/:number'>;

/** What happened once. */
export type NumberHistoryItem = NumberHistoryAnswer['happened'][number];
/** What the rules answered then. */
export type NumberHistoryRuleResults = NonNullable<NumberHistoryItem['statement']>;
export type DialRuleVerdict = NumberHistoryRuleResults['rules'][number];

/** What holds now, of one account. */
export type NumberStatusNow = NumberHistoryAnswer['now'][number];

export interface NumberHistoryRequest {
  /** A number, a `cd_id` or a `ctid`. */
  of: string;
  account: string | null;
  language: ConsoleLanguage;
  cursor?: string;
  signal?: AbortSignal;
}

export const fetchNumberHistory = ({
  of,
  account,
  language,
  cursor,
  signal,
}: NumberHistoryRequest): Promise<NumberHistoryAnswer> =>
  adminApiClient('GET /why/:number', {
    path: { number: of },
    query: { lang: language, account: account ?? undefined, cursor },
    signal,
  });

/** Puts a number on the block list of an account. */
export const addToBlocklist = (account: number, number: string, reason: string): Promise<unknown> =>
  adminApiClient('POST /accounts/:account/blocklist', { path: { account }, body: { number, reason } });
