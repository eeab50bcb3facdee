/** How a campaign stands, as the admin API tells it. */
import type { AdminRouteAnswer } from '../../admin/client.ts';
import { cliRefusedFailure } from '../failure.ts';
import type { ServiceClient } from '../http.ts';

export type CampaignProgress = AdminRouteAnswer<'GET /accounts/:account/campaigns/:campaign'>;

const overStates = ['completed', 'limitReached', 'expired', 'failed'];

/** Whether it has come to its end; one that failed may be told to try again. */
export const hasCampaignEnded = ({ state }: CampaignProgress): boolean => overStates.includes(state);

export interface CampaignAndMachineIds {
  account: number;
  campaign: number;
  /** Its machine; undefined: it has been over for so long that it rests. */
  machine: string | undefined;
}

/** Where a campaign is found. `account`: when it is known. Throws a `CommandFailure` when that cannot be found out. */
export const locateCampaign = async (
  client: ServiceClient,
  campaign: number,
  account?: number,
): Promise<CampaignAndMachineIds> => {
  const query = { kind: 'campaign', q: campaign, account };
  const { machines } = await client.admin('GET /machines', { query });
  const found = machines[0];
  const owner = account ?? found?.account;
  if (owner !== undefined) return { account: owner, campaign, machine: found?.id };
  throw cliRefusedFailure(
    `there is no campaign ${campaign}, or it has been over for long`,
    'npx ramal campaign ls shows those of your token; one that has been over for long is found with --account <id>.',
  );
};

export const readCampaignProgress = (
  client: ServiceClient,
  { account, campaign }: CampaignAndMachineIds,
): Promise<CampaignProgress> =>
  client.admin('GET /accounts/:account/campaigns/:campaign', { path: { account, campaign } });

export interface CampaignBlocker {
  rule: string;
  detail: string;
  /** Epoch milliseconds. */
  until?: number;
}

/** What stands in its way now; records that were left out are no part of it. */
export const readCampaignBlockers = async (
  client: ServiceClient,
  { account, machine }: CampaignAndMachineIds,
): Promise<CampaignBlocker[]> => {
  if (machine === undefined) return [];
  const { reasons } = await client.admin('GET /machines/:id/explain', {
    path: { id: machine },
    query: { account },
  });
  return reasons
    .filter(({ open, rule }) => open && !rule.startsWith('skipped:'))
    .map(({ rule, detail, until }) => ({ rule, detail, ...(until !== undefined && { until }) }));
};

/** When it will be over, epoch milliseconds, as the service plays it ahead; undefined: that cannot be said now. */
export const fetchCampaignEndForecast = async (
  client: ServiceClient,
  { account, campaign }: CampaignAndMachineIds,
): Promise<number | undefined> => {
  // One that is nearly through has nothing left to forecast, and a busy service has no place for one.
  const forecast = await client
    .admin('POST /accounts/:account/campaigns/:campaign/forecast', { path: { account, campaign }, body: {} })
    .catch(() => undefined);
  return forecast && !forecast.truncated ? Date.parse(forecast.stops_at) : undefined;
};
