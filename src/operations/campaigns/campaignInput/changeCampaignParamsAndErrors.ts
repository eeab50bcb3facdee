/** Parameters and codes of ChangeCampaign (spec 4.4), and what its steps are given. */
import { date, wholeNumberOrNullSchema, callsPerMinuteSchema, time } from './campaignValueSchemas.ts';
import type { RequestContext } from '../../declare.ts';
import { flag, looseIdSchema, text } from '../../parameterValueSchemas.ts';
import { defineParams } from '../../param.ts';

/** By our names; in the order in which the reference shows them. */
export const changeCampaignParams = defineParams({
  campaign: {
    rest: 'cp_id',
    tool: 'cp_id',
    required: true,
    schema: looseIdSchema(2 ** 31 - 1).optional(),
    description: 'Campaign id.',
  },
  active: {
    rest: 'active',
    tool: 'active',
    schema: flag().optional(),
    description: '0 pauses, 1 activates.',
  },
  callsPerMinute: {
    rest: 'lig_min',
    tool: 'lig_min',
    schema: callsPerMinuteSchema(0, 1_000_000).optional(),
    description: 'Calls per minute, or max; 0: no new dials.',
  },
  maxTransfers: {
    rest: 'pas',
    tool: 'pas',
    schema: wholeNumberOrNullSchema(1, 1_000_000).optional(),
    description: 'Most transfers at a time, at least 1; the text null takes the limit away.',
  },
  dateStart: {
    rest: 'date_start',
    tool: 'date_start',
    schema: date().optional(),
    description: 'First day, YYYY-MM-DD.',
  },
  dateEnd: { rest: 'date_end', tool: 'date_end', schema: date().optional(), description: 'Last day.' },
  timeStart: {
    rest: 'time_start',
    tool: 'time_start',
    schema: time().optional(),
    description: 'From this time of day, in the destination’s time zone.',
  },
  timeEnd: {
    rest: 'time_end',
    tool: 'time_end',
    schema: time().optional(),
    description: 'To this time of day.',
  },
  name: { rest: 'name', tool: 'name', schema: text(200).optional(), description: 'Name.' },
});

/** The refusals of ChangeCampaign, by the words that its steps use. */
export const changeCampaignErrors = {
  noCampaign: { code: '200', text: 'cp_id is missing' },
  nothingToChange: {
    code: '210',
    text: 'one of active, lig_min, pas, date_start, date_end, time_start, time_end or name is required',
  },
  notOurs: { code: '212', text: 'cp_id is not a campaign of the account', absent: true },
  unchanged: { code: '230', text: 'nothing was changed: the values are those of the campaign' },
  nameTaken: {
    code: '231',
    text: 'another active campaign has the same name and start date; pause it, or choose another name or day',
  },
  badValue: { code: '299', text: 'a parameter is out of range' },
} as const;

/** What a step of ChangeCampaign is given. */
export type ChangeCampaignRequestContext = RequestContext<
  typeof changeCampaignParams,
  typeof changeCampaignErrors
>;

/** What was asked to be changed, by our names of the parameters. */
/** Its parameters as they were read, by our names. */
export type ChangeCampaignValues = ChangeCampaignRequestContext['params'];
