/** What the admin API answers, as the pages use it, and the questions they ask. */
import type { AdminAnswer, AdminBody, AdminQuery } from '../../admin/client.ts';
import type { StreamNews } from '../../admin/console/news.ts';
import { allPages } from './allPages.ts';
import { admin } from './api.ts';

export type MachineAnswer = AdminAnswer<'GET /machines/:id'>;

/** As the stream tells of it, too. */
export type Machine = StreamNews['machine']['machine'];
export type AgendaItem = Machine['agenda'][number];

/** One event that a machine took. */
export type Entry = MachineAnswer['history'][number];
/** How an effect ended. */
export type EffectEnd = Entry['ended'][number];

/** A machine as it was after an event. */
export type Moment = AdminAnswer<'GET /machines/:id/moment'>;

/** A page of its events. */
export type Timeline = AdminAnswer<'GET /machines/:id/timeline'>;
/** An event by its place in the history. */
export type Row = Timeline['rows'][number];

export type Explained = AdminAnswer<'GET /machines/:id/explain'>;

type FoundAnswer = AdminAnswer<'GET /find'>;
export type Found = FoundAnswer['found'][number];

type Machines = AdminAnswer<'GET /machines'>;
export type MachineRow = Machines['machines'][number];

export type Overview = AdminAnswer<'GET /now'>;

export type Account = AdminAnswer<'GET /accounts/:account'>;

/** Which moment: by its place, or by its revision; neither: the newest. */
export interface Place {
  index?: number;
  revision?: number;
}

/** `account`: tells machines with small ids apart. */
const whose = (account: string | null): { account: string | undefined } => ({
  account: account ?? undefined,
});

/** After all entries there can be: the history is read by its places. */
const noHistory = 999_999_999;

export const readMachine = (id: string, account: string | null): Promise<MachineAnswer> =>
  admin('GET /machines/:id', { path: { id }, query: { after: noHistory, ...whose(account) } });

export const readMoment = (
  id: string,
  account: string | null,
  { index, revision }: Place,
  isWhole = false,
): Promise<Moment> =>
  admin('GET /machines/:id/moment', {
    path: { id },
    query: { index, revision, whole: isWhole ? 1 : 0, ...whose(account) },
  });

/** A hundred rows; `state`: only those that have to do with it. */
export const readTimeline = (
  id: string,
  account: string | null,
  from: number,
  state: string | undefined,
): Promise<Timeline> =>
  admin('GET /machines/:id/timeline', { path: { id }, query: { from, state, ...whose(account) } });

export const explain = (id: string, account: string | null, language: string): Promise<Explained> =>
  admin('GET /machines/:id/explain', { path: { id }, query: { lang: language, ...whose(account) } });

/** Gives a machine an event that its chart allows operators. */
export const sendEvent = (
  id: string,
  account: number,
  event: AdminBody<'POST /machines/:id/events'>,
): Promise<unknown> => admin('POST /machines/:id/events', { path: { id }, query: { account }, body: event });

/** Performs an owed effect again, now. */
export const retryEffect = (id: string, account: number, effect: string): Promise<unknown> =>
  admin('POST /machines/:id/effects/:effect/retry', { path: { id, effect }, query: { account } });

export const find = (text: string, signal: AbortSignal): Promise<FoundAnswer> =>
  admin('GET /find', { query: { q: text }, signal });

/** Machines of a kind, in a state. */
export const listMachines = (query: AdminQuery<'GET /machines'>, signal: AbortSignal): Promise<Machines> =>
  admin('GET /machines', { query, signal });

export const readOverview = (): Promise<Overview> => admin('GET /now');

export const readAccount = (account: string | number, signal: AbortSignal): Promise<Account> =>
  admin('GET /accounts/:account', { path: { account }, signal });

/** All accounts, from which forms choose one; they are answered by the page. */
export const readAccounts = (signal: AbortSignal): Promise<Account[]> =>
  allPages(
    (cursor) => admin('GET /accounts', { query: { cursor }, signal }),
    ({ accounts }) => accounts,
  );

/** Sends an account's dead letters again. */
export const replayDeadLetters = (
  account: number,
): Promise<AdminAnswer<'POST /accounts/:account/deliveries/replay'>> =>
  admin('POST /accounts/:account/deliveries/replay', { path: { account }, body: {} });
