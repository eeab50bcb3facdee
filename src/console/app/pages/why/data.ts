/** What the service says of a number, and the one deed that follows from it. */
import type { AdminAnswer } from '../../../../admin/client.ts';
import { admin } from '../../api.ts';
import type { Language } from '../../settings.ts';

export type Story = AdminAnswer<'GET /why/:number'>;

/** What happened once. */
export type Happened = Story['happened'][number];
/** What the rules answered then. */
export type Statement = NonNullable<Happened['statement']>;
export type RuleLine = Statement['rules'][number];

/** What holds now, of one account. */
export type Present = Story['now'][number];

export interface AskedStory {
  /** A number, a `cd_id` or a `ctid`. */
  of: string;
  account: string | null;
  language: Language;
  cursor?: string;
  signal?: AbortSignal;
}

export const readStory = ({ of, account, language, cursor, signal }: AskedStory): Promise<Story> =>
  admin('GET /why/:number', {
    path: { number: of },
    query: { lang: language, account: account ?? undefined, cursor },
    signal,
  });

/** Puts a number on the block list of an account. */
export const neverCall = (account: number, number: string, reason: string): Promise<unknown> =>
  admin('POST /accounts/:account/blocklist', { path: { account }, body: { number, reason } });
