/** What the admin API answers of campaigns and lists, and the questions and orders of these pages. */
import { type AdminAnswer, type AdminBody, adminPath, type AdminQuery } from '../../../../admin/client.ts';
import { admin } from '../../api.ts';

type Campaigns = AdminAnswer<'GET /campaigns'>;
export type CampaignRecord = Campaigns['campaigns'][number];

/** One with its figures. */
export type Campaign = AdminAnswer<'GET /campaigns/:campaign'>;
export type Figures = Campaign['figures'];

export type Forecast = AdminAnswer<'POST /campaigns/:campaign/forecast'>;

export type List = AdminAnswer<'GET /accounts/:account/lists/:list'>;
export type Reject = AdminAnswer<'GET /accounts/:account/lists/:list/rejects'>['rejects'][number];

type LeftOut = AdminAnswer<'GET /accounts/:account/campaigns/:campaign/skipped'>;
export type Skipped = LeftOut['skipped'][number];

type Audio = AdminAnswer<'GET /accounts/:account/audios'>['audios'][number];

type Mended = 'POST /accounts/:account/lists/:list/mended';

/** Parameters by the names of CreateCampaign. */
export type NewCampaign = AdminBody<'POST /accounts/:account/campaigns'>;

const pathOf = ({ cdcs_id: account, cp_id: campaign }: CampaignRecord) => ({ account, campaign });

export const listCampaigns = (query: AdminQuery<'GET /campaigns'>, signal: AbortSignal): Promise<Campaigns> =>
  admin('GET /campaigns', { query, signal });

export const readCampaign = (campaign: string): Promise<Campaign> =>
  admin('GET /campaigns/:campaign', { path: { campaign } });

/** What becomes of it at a pace; null: as fast as the carrier bears. */
export const forecastAt = (campaign: number, pace: number | null, signal: AbortSignal): Promise<Forecast> =>
  admin('POST /campaigns/:campaign/forecast', {
    path: { campaign },
    body: { calls_per_minute: pace },
    signal,
  });

export const changeCampaign = (
  campaign: CampaignRecord,
  changes: AdminBody<'PATCH /accounts/:account/campaigns/:campaign'>,
): Promise<CampaignRecord> =>
  admin('PATCH /accounts/:account/campaigns/:campaign', { path: pathOf(campaign), body: changes });

export const closeCampaign = (campaign: CampaignRecord): Promise<CampaignRecord> =>
  admin('POST /accounts/:account/campaigns/:campaign/close', { path: pathOf(campaign) });

/** A new campaign for those who did not answer. */
export const retryUnanswered = (campaign: CampaignRecord, name: string): Promise<CampaignRecord> =>
  admin('POST /accounts/:account/campaigns/:campaign/retry', { path: pathOf(campaign), body: { name } });

/** Where the results are downloaded; each download is in the audit log. */
export const resultsAddress = (campaign: CampaignRecord): string =>
  `/admin/api${adminPath('GET /accounts/:account/campaigns/:campaign/results', { path: pathOf(campaign) })}`;

export const readSkipped = (campaign: CampaignRecord, cursor: string | null): Promise<LeftOut> =>
  admin('GET /accounts/:account/campaigns/:campaign/skipped', {
    path: pathOf(campaign),
    query: { cursor: cursor ?? undefined },
  });

export const listLists = async (account: number, signal: AbortSignal): Promise<List[]> =>
  (await admin('GET /accounts/:account/lists', { path: { account }, signal })).lists;

export const listAudios = async (account: number, signal: AbortSignal): Promise<Audio[]> =>
  (await admin('GET /accounts/:account/audios', { path: { account }, signal })).audios;

/** Makes a list of a file as it is. */
export const uploadList = (account: number, file: File): Promise<List> => {
  const query = { file: file.name, name: file.name.replace(/\.\w{1,5}$/, '') };
  return admin('POST /accounts/:account/lists', { path: { account }, query, body: file });
};

export const readList = (account: number, list: number, signal: AbortSignal): Promise<List> =>
  admin('GET /accounts/:account/lists/:list', { path: { account, list }, signal });

export const listRejects = async (account: number, list: number, signal: AbortSignal): Promise<Reject[]> =>
  (await admin('GET /accounts/:account/lists/:list/rejects', { path: { account, list }, signal })).rejects;

/** Corrected records of a list that were refused. */
export const mendList = (
  account: number,
  list: number,
  records: AdminBody<Mended>['records'],
): Promise<AdminAnswer<Mended>> =>
  admin('POST /accounts/:account/lists/:list/mended', { path: { account, list }, body: { records } });

export const createCampaign = (account: number, given: NewCampaign): Promise<CampaignRecord> =>
  admin('POST /accounts/:account/campaigns', { path: { account }, body: given });
