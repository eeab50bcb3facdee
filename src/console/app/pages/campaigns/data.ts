/** What the admin API answers of campaigns and lists, and the questions and orders of these pages. */
import { ask } from '../../api.ts';

export interface CampaignRecord {
  cp_id: number;
  cdcs_id: number;
  created_at: number;
  mode: string;
  list_id: number;
  name: string;
  detail: string;
  active: boolean;
  state: string;
  phase: string;
  reason: string;
  model: boolean;
  date_start: string;
  date_end: string;
  time_start: string;
  time_end: string;
  calls_per_minute: number | null;
  max_transfers: number | null;
  destinations: number;
  skipped: number;
  made: number;
  answered: number;
  transferred: number;
  ended: number;
  finished_at: number | null;
}

export interface List {
  cdlc_id: number;
  cdlc_name: string;
  cdlc_file: string;
  cdlc_num: number;
  rejected: number;
  active: boolean;
}

export interface Figures {
  states: { state: string; count: number }[];
  outcomes: Record<string, number>;
  cost: { sale: string; purchase: string; margin: string; unpriced: number };
  from: number;
  step_ms: number;
  ended: { bucket: number; outcome: string; count: number }[];
  dialled: { bucket: number; dials: number; answers: number }[];
}

export interface Campaign extends CampaignRecord {
  account: { name: string; time_zone: string };
  shard: string;
  skipped_by_reason: Record<string, number>;
  list: List | null;
  heard: { text: string; url: string }[];
  attempts: number;
  retry_minutes: number;
  /** Version of the chart of its calls. */
  call_chart: number;
  figures: Figures;
}

/** What the stream tells of a campaign. */
export interface CampaignNews {
  at: number;
  campaign: CampaignRecord;
  figures: Figures;
}

export interface Forecast {
  source_of_rates: 'campaign' | 'campaigns' | 'calls' | 'default';
  rates: { answer_rate: number };
  destinations: number;
  started_at: string;
  ends: string;
  finishes_at: string | null;
  stops_at: string;
  reason: string;
  truncated: boolean;
  unreached: number;
  calls: number;
  attempts: number;
  answered: number;
  cost: string;
  earnings: { purchase: string; margin: string };
  left_out: { ends: 'CANCEL' | 'waits'; reason: string; trunks: string[]; destinations: number }[];
  balance: { runs_out_at: string | null; unfunded: number } | null;
  calls_per_hour: { hour: string; dials: number; answered: number }[];
  peak_concurrent: number;
}

export interface Reject {
  row: number;
  reason: string;
  content: string;
}

export interface Skipped {
  row: number;
  reason: string;
  numbers: string;
  name: string;
}

export interface Audio {
  cdw_file: string;
  name: string;
  file_name: string;
  seconds: number;
  url: string;
  type: string;
}

type Campaigns = { campaigns: CampaignRecord[]; cursor: string | null; accounts: Record<string, string> };

const post = <Answer>(path: string, body: object): Promise<Answer> => ask(path, { method: 'POST', body });

const campaignPath = ({ cdcs_id, cp_id }: Pick<CampaignRecord, 'cdcs_id' | 'cp_id'>): string =>
  `/accounts/${cdcs_id}/campaigns/${cp_id}`;

/** `query`: the page's own. */
export const listCampaigns = (query: URLSearchParams, signal: AbortSignal): Promise<Campaigns> =>
  ask(`/campaigns?${query}`, { signal });

export const readCampaign = (id: string, signal?: AbortSignal): Promise<Campaign> =>
  ask(`/campaigns/${encodeURIComponent(id)}`, { ...(signal && { signal }) });

/** What becomes of it at a pace; null: as fast as the carrier bears. */
export const forecastAt = (id: number, pace: number | null, signal: AbortSignal): Promise<Forecast> =>
  ask(`/campaigns/${id}/forecast`, { method: 'POST', body: { calls_per_minute: pace }, signal });

export const changeCampaign = (campaign: CampaignRecord, changes: object): Promise<CampaignRecord> =>
  ask(campaignPath(campaign), { method: 'PATCH', body: changes });

export const closeCampaign = (campaign: CampaignRecord): Promise<CampaignRecord> =>
  post(`${campaignPath(campaign)}/close`, {});

/** A new campaign for those who did not answer. */
export const retryUnanswered = (campaign: CampaignRecord, name: string): Promise<CampaignRecord> =>
  post(`${campaignPath(campaign)}/retry`, { name });

/** Where the results are downloaded; each download is in the audit log. */
export const resultsAddress = (campaign: CampaignRecord): string =>
  `/admin/api${campaignPath(campaign)}/results`;

export const readSkipped = (
  campaign: CampaignRecord,
  cursor: string | null,
): Promise<{ skipped: Skipped[]; cursor: string | null }> =>
  ask(`${campaignPath(campaign)}/skipped${cursor === null ? '' : `?cursor=${cursor}`}`);

/** An account as forms choose one. */
export interface Account {
  cdcs_id: number;
  name: string;
  active: boolean;
  time_zone: string;
}

export const listAccounts = async (signal: AbortSignal): Promise<Account[]> =>
  (await ask<{ accounts: Account[] }>('/accounts', { signal })).accounts;

export const listLists = async (account: number, signal: AbortSignal): Promise<List[]> =>
  (await ask<{ lists: List[] }>(`/accounts/${account}/lists`, { signal })).lists;

export const listAudios = async (account: number, signal: AbortSignal): Promise<Audio[]> =>
  (await ask<{ audios: Audio[] }>(`/accounts/${account}/audios`, { signal })).audios;

/** Makes a list of a file as it is. */
export const uploadList = (account: number, file: File): Promise<List> => {
  const query = new URLSearchParams({ file: file.name, name: file.name.replace(/\.\w{1,5}$/, '') });
  return ask(`/accounts/${account}/lists?${query}`, { method: 'POST', file });
};

export const readList = (account: number, list: number, signal: AbortSignal): Promise<List> =>
  ask(`/accounts/${account}/lists/${list}`, { signal });

export const listRejects = async (account: number, list: number, signal: AbortSignal): Promise<Reject[]> =>
  (await ask<{ rejects: Reject[] }>(`/accounts/${account}/lists/${list}/rejects`, { signal })).rejects;

/** Corrected records of a list that were refused. */
export const mendList = (
  account: number,
  list: number,
  records: readonly object[],
): Promise<{ mended: number; list: List; rejects: Reject[] }> =>
  post(`/accounts/${account}/lists/${list}/mended`, { records });

/** Parameters by the names of CreateCampaign. */
export const createCampaign = (account: number, given: object): Promise<CampaignRecord> =>
  post(`/accounts/${account}/campaigns`, given);
