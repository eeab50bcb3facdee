/**
 * The file of a campaign's results (spec 4.3 `relftp`): the fields of the call record (spec 2.1) and, beside them,
 * what the list says of the person called.
 */
import { csvLine, type Delimiter } from '../rules/deliveries/csvLine.ts';
import type { CampaignResultRow } from '../store/reads/deliveries/deliveryProfilesAndCampaignCalls.ts';
import { type CallApiRecord, type CallRecordFormatOptions, formatCallRecord } from './callRecord.ts';

const recordFields = [
  'cd_id',
  'cd_status',
  'cd_amdasw',
  'cp_id',
  'cpid',
  'ctid',
  'origin',
  'dest',
  'date',
  'time_dial',
  'time_start',
  'time_end',
  'dur',
  'resp_1',
  'resp_2',
  'resp_3',
  'route',
  'rate',
  'value',
  'cdr_url',
  'cdr_sec',
] as const satisfies (keyof CallApiRecord)[];

const personFields = ['name', 'cod_cli', 'extra1', 'extra2', 'extra3', 'extra4'] as const;

/** The first line. */
export const campaignResultsCsvHeader = (delimiter: Delimiter): string =>
  csvLine([...recordFields, ...personFields], delimiter);

/** A line for a call. */
export const campaignResultsCsvLine = (
  row: CampaignResultRow,
  view: CallRecordFormatOptions,
  delimiter: Delimiter,
): string => {
  const record = formatCallRecord(row, view);
  const person = [row.name, row.client_code, row.extra_1, row.extra_2, row.extra_3, row.extra_4];
  return csvLine([...recordFields.map((field) => record[field]), ...person], delimiter);
};
