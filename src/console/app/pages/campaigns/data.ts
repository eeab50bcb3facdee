/** What the admin API answers of campaigns and lists, and the questions and orders of these pages. */
import {
  type AdminRouteAnswer,
  type AdminBody,
  adminPath,
  type AdminQuery,
} from '../../../../admin/client.ts';
import { adminApiClient } from '../../api.ts';
import type { ConsoleLanguage } from '../../browserPreferences.ts';
import { readAllPages } from '../../readAllPages.ts';

type Campaigns = AdminRouteAnswer<'GET /campaigns'>;
export type ListedCampaign = Campaigns['campaigns'][number];

/** One with its figures. */
export type CampaignWithFigures = AdminRouteAnswer<'GET /campaigns/:campaign'>;
export type CampaignChartFigures = CampaignWithFigures['figures'];

export type CampaignForecastAnswer = AdminRouteAnswer<'POST /campaigns/:campaign/forecast'>;

export type List = AdminRouteAnswer<'GET /accounts/:account/lists/:list'>;
export type RejectedListRow =
  AdminRouteAnswer<'GET /accounts/:account/lists/:list/rejects'>['rejects'][number];

type LeftOut = AdminRouteAnswer<'GET /accounts/:account/campaigns/:campaign/skipped'>;
export type SkippedDestination = LeftOut['skipped'][number];

type Audio = AdminRouteAnswer<'GET /accounts/:account/audios'>['audios'][number];

type Mended = 'POST /accounts/:account/lists/:list/mended';

/** Parameters by the names of CreateCampaign. */
export type NewCampaign = AdminBody<'POST /accounts/:account/campaigns'>;

const pathOf = ({ cdcs_id: account, cp_id: campaign }: ListedCampaign) => ({ account, campaign });

export const fetchCampaigns = (
  query: AdminQuery<'GET /campaigns'>,
  signal: AbortSignal,
): Promise<Campaigns> => adminApiClient('GET /campaigns', { query, signal });

export const fetchCampaign = (campaign: string): Promise<CampaignWithFigures> =>
  adminApiClient('GET /campaigns/:campaign', { path: { campaign } });

/** What becomes of it at a pace; null: as fast as the carrier bears. */
export const forecastCampaignAtPace = (
  campaign: number,
  pace: number | null,
  signal: AbortSignal,
): Promise<CampaignForecastAnswer> =>
  adminApiClient('POST /campaigns/:campaign/forecast', {
    path: { campaign },
    body: { calls_per_minute: pace },
    signal,
  });

export const changeCampaign = (
  campaign: ListedCampaign,
  changes: AdminBody<'PATCH /accounts/:account/campaigns/:campaign'>,
): Promise<ListedCampaign> =>
  adminApiClient('PATCH /accounts/:account/campaigns/:campaign', { path: pathOf(campaign), body: changes });

export const closeCampaign = (campaign: ListedCampaign): Promise<ListedCampaign> =>
  adminApiClient('POST /accounts/:account/campaigns/:campaign/close', { path: pathOf(campaign) });

/** A new campaign for those who did not answer. */
export const createCampaignForUnanswered = (
  campaign: ListedCampaign,
  name: string,
): Promise<ListedCampaign> =>
  adminApiClient('POST /accounts/:account/campaigns/:campaign/retry', {
    path: pathOf(campaign),
    body: { name },
  });

/** Where the results are downloaded, in columns for spreadsheets of the page's language; each download is in the audit log. */
export const campaignResultsUrl = (campaign: ListedCampaign, of: ConsoleLanguage): string =>
  `/admin/api${adminPath('GET /accounts/:account/campaigns/:campaign/results', {
    path: pathOf(campaign),
    query: { delimiter: of === 'pt' ? ';' : undefined },
  })}`;

export const fetchSkippedDestinations = (campaign: ListedCampaign, cursor: string | null): Promise<LeftOut> =>
  adminApiClient('GET /accounts/:account/campaigns/:campaign/skipped', {
    path: pathOf(campaign),
    query: { cursor: cursor ?? undefined },
  });

/** All lists of an account, newest first. */
export const fetchDestinationLists = (account: number, signal: AbortSignal): Promise<List[]> =>
  readAllPages(
    (cursor) =>
      adminApiClient('GET /accounts/:account/lists', { path: { account }, query: { cursor }, signal }),
    ({ lists }) => lists,
  );

/** All audios of an account, newest first. */
export const fetchAudios = (account: number, signal: AbortSignal): Promise<Audio[]> =>
  readAllPages(
    (cursor) =>
      adminApiClient('GET /accounts/:account/audios', { path: { account }, query: { cursor }, signal }),
    ({ audios }) => audios,
  );

/** Makes a list of a file as it is. */
export const postDestinationListFile = (account: number, file: File): Promise<List> => {
  const query = { file: file.name, name: file.name.replace(/\.\w{1,5}$/, '') };
  return adminApiClient('POST /accounts/:account/lists', { path: { account }, query, body: file });
};

export const fetchDestinationList = (account: number, list: number, signal: AbortSignal): Promise<List> =>
  adminApiClient('GET /accounts/:account/lists/:list', { path: { account, list }, signal });

export const fetchRejectedListRows = async (
  account: number,
  list: number,
  signal: AbortSignal,
): Promise<RejectedListRow[]> =>
  (await adminApiClient('GET /accounts/:account/lists/:list/rejects', { path: { account, list }, signal }))
    .rejects;

/** Corrected records of a list that were refused. */
export const sendCorrectedListRows = (
  account: number,
  list: number,
  records: AdminBody<Mended>['records'],
): Promise<AdminRouteAnswer<Mended>> =>
  adminApiClient('POST /accounts/:account/lists/:list/mended', {
    path: { account, list },
    body: { records },
  });

export const postNewCampaign = (account: number, given: NewCampaign): Promise<ListedCampaign> =>
  adminApiClient('POST /accounts/:account/campaigns', { path: { account }, body: given });
