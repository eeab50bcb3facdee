/** In which campaigns a parameter of ChangeCampaign acts. */
import type { CampaignRow } from '../../../store/reads/campaigns/campaigns.ts';
import {
  type ParameterAppliesCondition,
  type ParameterModeTable,
  type Row,
  ignoredParamTableRowBuilders,
} from '../../ignoredParamWarnings.ts';
import type { ChangeCampaignValues } from './changeCampaignParamsAndErrors.ts';

export interface CampaignChangeFacts {
  params: ChangeCampaignValues;
  /** As it was. */
  row: CampaignRow;
  /** YYYY-MM-DD, in the account's time zone. */
  today: string;
}

const modes = ['campaign', 'model'] as const;
const { always, only } = ignoredParamTableRowBuilders<CampaignChangeFacts, (typeof modes)[number]>(modes);

const paused: ParameterAppliesCondition<CampaignChangeFacts> = {
  if: 'it is 0',
  holds: ({ params }) => params.active !== true,
  because: 'the campaign is a model, which is cloned and never dialled, and stays paused',
};
const notOver: ParameterAppliesCondition<CampaignChangeFacts> = {
  if: 'the last day is not over',
  holds: ({ params, row, today }) => params.active !== true || (params.dateEnd ?? row.date_end) >= today,
  because: 'the last day of the campaign is over, so nothing will be dialled; give a later date_end',
};

const rows: Readonly<Record<keyof ChangeCampaignValues, Row<CampaignChangeFacts>>> = {
  campaign: always,
  active: only({ campaign: notOver, model: paused }),
  // A model hands them to its clones; `pas` limits the calls under way, of which each may become a transfer.
  callsPerMinute: always,
  maxTransfers: always,
  dateStart: always,
  dateEnd: always,
  timeStart: always,
  timeEnd: always,
  name: always,
};

export const changeCampaignParamsByKind: ParameterModeTable<CampaignChangeFacts> = {
  modes,
  rows,
  missing: [],
};
