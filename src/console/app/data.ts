/** What the admin API answers, as the pages use it, and the questions they ask. */
import type { AdminRouteAnswer, AdminBody, AdminQuery } from '../../admin/client.ts';
import type { StreamEventPayloads } from '../../admin/console/news.ts';
import { readAllPages } from './readAllPages.ts';
import { adminApiClient } from './api.ts';

export type MachineApiAnswer = AdminRouteAnswer<'GET /machines/:id'>;

/** As the stream tells of it, too. */
export type ConsoleStreamMachine = StreamEventPayloads['machine']['machine'];
export type MachineAgendaItem = ConsoleStreamMachine['agenda'][number];

/** One event that a machine took. */
export type MachineEventEntry = MachineApiAnswer['history'][number];
/** How an effect ended. */
export type EffectEndEntry = MachineEventEntry['ended'][number];

/** A machine as it was after an event. */
export type MachineAtMoment = AdminRouteAnswer<'GET /machines/:id/moment'>;

/** A page of its events. */
export type MachineTimelinePage = AdminRouteAnswer<'GET /machines/:id/timeline'>;
/** An event by its place in the history. */
export type Row = MachineTimelinePage['rows'][number];

export type MachineExplainAnswer = AdminRouteAnswer<'GET /machines/:id/explain'>;

type FoundAnswer = AdminRouteAnswer<'GET /find'>;
export type SearchHit = FoundAnswer['found'][number];

type Machines = AdminRouteAnswer<'GET /machines'>;
export type ListedMachine = Machines['machines'][number];

export type ServiceOverview = AdminRouteAnswer<'GET /now'>;

export type Account = AdminRouteAnswer<'GET /accounts/:account'>;

/** Which moment: by its place, or by its revision; neither: the newest. */
export interface HistoryPosition {
  index?: number;
  revision?: number;
}

/** `account`: tells machines with small ids apart. */
const whose = (account: string | null): { account: string | undefined } => ({
  account: account ?? undefined,
});

/** After all entries there can be: the history is read by its places. */
const noHistory = 999_999_999;

export const fetchMachine = (id: string, account: string | null): Promise<MachineApiAnswer> =>
  adminApiClient('GET /machines/:id', { path: { id }, query: { after: noHistory, ...whose(account) } });

interface MomentParts {
  /** The whole context. */
  isWhole?: boolean;
  /** Rows of the timeline before and after it. */
  rows?: number | undefined;
}

export const fetchMachineMoment = (
  id: string,
  account: string | null,
  { index, revision }: HistoryPosition,
  { isWhole = false, rows }: MomentParts = {},
): Promise<MachineAtMoment> =>
  adminApiClient('GET /machines/:id/moment', {
    path: { id },
    query: { index, revision, whole: isWhole ? 1 : 0, rows, ...whose(account) },
  });

/** A hundred rows; `state`: only those that have to do with it. */
export const fetchMachineTimeline = (
  id: string,
  account: string | null,
  from: number,
  state: string | undefined,
): Promise<MachineTimelinePage> =>
  adminApiClient('GET /machines/:id/timeline', { path: { id }, query: { from, state, ...whose(account) } });

export const fetchMachineExplanation = (
  id: string,
  account: string | null,
  language: string,
): Promise<MachineExplainAnswer> =>
  adminApiClient('GET /machines/:id/explain', { path: { id }, query: { lang: language, ...whose(account) } });

/** Gives a machine an event that its chart allows operators. */
export const postOperatorEventToMachine = (
  id: string,
  account: number,
  event: AdminBody<'POST /machines/:id/events'>,
): Promise<AdminRouteAnswer<'POST /machines/:id/events'>> =>
  adminApiClient('POST /machines/:id/events', { path: { id }, query: { account }, body: event });

/** Performs an owed effect again, now. */
export const requestEffectRetry = (
  id: string,
  account: number,
  effect: string,
): Promise<{ outcome: string }> =>
  adminApiClient('POST /machines/:id/effects/:effect/retry', { path: { id, effect }, query: { account } });

/** Gives up an effect that waits to be tried again. */
export const requestEffectCancel = (
  id: string,
  account: number,
  effect: string,
): Promise<{ outcome: string }> =>
  adminApiClient('POST /machines/:id/effects/:effect/cancel', { path: { id, effect }, query: { account } });

export const find = (text: string, signal: AbortSignal): Promise<FoundAnswer> =>
  adminApiClient('GET /find', { query: { q: text }, signal });

/** Machines of a kind, in a state. */
export const fetchMachines = (query: AdminQuery<'GET /machines'>, signal: AbortSignal): Promise<Machines> =>
  adminApiClient('GET /machines', { query, signal });

export const fetchServiceOverview = (): Promise<ServiceOverview> => adminApiClient('GET /now');

export const fetchAccount = (account: string | number, signal: AbortSignal): Promise<Account> =>
  adminApiClient('GET /accounts/:account', { path: { account }, signal });

/** All accounts, from which forms choose one; they are answered by the page. */
export const fetchAccounts = (signal: AbortSignal): Promise<Account[]> =>
  readAllPages(
    (cursor) => adminApiClient('GET /accounts', { query: { cursor }, signal }),
    ({ accounts }) => accounts,
  );
