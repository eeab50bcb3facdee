/** What the admin API answers of campaigns and lists, and the questions and orders of these pages. */
import { type AdminAnswer, type AdminBody, adminPath, type AdminQuery } from '../../../../admin/client.ts';
import { adminApi } from '../../api.ts';

type Campaigns = AdminAnswer<'GET /campaigns'>;
export type CampaignRecord = Campaigns['campaigns'][number];

/** One with its figures. */
export type CampaignWithFigures = AdminAnswer<'GET /campaigns/:campaign'>;
export type CampaignChartFigures = CampaignWithFigures['figures'];

export type CampaignForecastAnswer = AdminAnswer<'POST /campaigns/:campaign/forecast'>;

export type List = AdminAnswer<'GET /accounts/:account/lists/:list'>;
export type RejectedListRow = AdminAnswer<'GET /accounts/:account/lists/:list/rejects'>['rejects'][number];

type LeftOut = AdminAnswer<'GET /accounts/:account/campaigns/:campaign/skipped'>;
export type SkippedDestination = LeftOut['skipped'][number];

type Audio = AdminAnswer<'GET /accounts/:account/audios'>['audios'][number];

type Mended = 'POST /accounts/:account/lists/:list/mended';

/** Parameters by the names of CreateCampaign. */
export type NewCampaign = AdminBody<'POST /accounts/:account/campaigns'>;

const pathOf = ({ cdcs_id: account, cp_id: campaign }: CampaignRecord) => ({ account, campaign });

export const listCampaigns = (query: AdminQuery<'GET /campaigns'>, signal: AbortSignal): Promise<Campaigns> =>
  adminApi('GET /campaigns', { query, signal });

export const readCampaign = (campaign: string): Promise<CampaignWithFigures> =>
  adminApi('GET /campaigns/:campaign', { path: { campaign } });

/** What becomes of it at a pace; null: as fast as the carrier bears. */
export const forecastCampaignAtPace = (
  campaign: number,
  pace: number | null,
  signal: AbortSignal,
): Promise<CampaignForecastAnswer> =>
  adminApi('POST /campaigns/:campaign/forecast', {
    path: { campaign },
    body: { calls_per_minute: pace },
    signal,
  });

export const changeCampaign = (
  campaign: CampaignRecord,
  changes: AdminBody<'PATCH /accounts/:account/campaigns/:campaign'>,
): Promise<CampaignRecord> =>
  adminApi('PATCH /accounts/:account/campaigns/:campaign', { path: pathOf(campaign), body: changes });

export const closeCampaign = (campaign: CampaignRecord): Promise<CampaignRecord> =>
  adminApi('POST /accounts/:account/campaigns/:campaign/close', { path: pathOf(campaign) });

/** A new campaign for those who did not answer. */
export const retryUnanswered = (campaign: CampaignRecord, name: string): Promise<CampaignRecord> =>
  adminApi('POST /accounts/:account/campaigns/:campaign/retry', { path: pathOf(campaign), body: { name } });

/** Where the results are downloaded; each download is in the audit log. */
export const campaignResultsUrl = (campaign: CampaignRecord): string =>
  `/admin/api${adminPath('GET /accounts/:account/campaigns/:campaign/results', { path: pathOf(campaign) })}`;

export const fetchSkippedDestinations = (campaign: CampaignRecord, cursor: string | null): Promise<LeftOut> =>
  adminApi('GET /accounts/:account/campaigns/:campaign/skipped', {
    path: pathOf(campaign),
    query: { cursor: cursor ?? undefined },
  });

export const fetchDestinationLists = async (account: number, signal: AbortSignal): Promise<List[]> =>
  (await adminApi('GET /accounts/:account/lists', { path: { account }, signal })).lists;

export const listAudios = async (account: number, signal: AbortSignal): Promise<Audio[]> =>
  (await adminApi('GET /accounts/:account/audios', { path: { account }, signal })).audios;

/** Makes a list of a file as it is. */
export const uploadDestinationList = (account: number, file: File): Promise<List> => {
  const query = { file: file.name, name: file.name.replace(/\.\w{1,5}$/, '') };
  return adminApi('POST /accounts/:account/lists', { path: { account }, query, body: file });
};

export const readDestinationList = (account: number, list: number, signal: AbortSignal): Promise<List> =>
  adminApi('GET /accounts/:account/lists/:list', { path: { account, list }, signal });

export const fetchRejectedListRows = async (
  account: number,
  list: number,
  signal: AbortSignal,
): Promise<RejectedListRow[]> =>
  (await adminApi('GET /accounts/:account/lists/:list/rejects', { path: { account, list }, signal })).rejects;

/** Corrected records of a list that were refused. */
export const sendCorrectedListRows = (
  account: number,
  list: number,
  records: AdminBody<Mended>['records'],
): Promise<AdminAnswer<Mended>> =>
  adminApi('POST /accounts/:account/lists/:list/mended', { path: { account, list }, body: { records } });

export const createCampaign = (account: number, given: NewCampaign): Promise<CampaignRecord> =>
  adminApi('POST /accounts/:account/campaigns', { path: { account }, body: given });
