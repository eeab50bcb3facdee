/** Create a campaign (spec 4.3). Its parameters and codes, and what they mean, are in `campaignInput/`. */
import * as z from 'zod';
import { decimalDigitsSchema } from '../../wire/shapes.ts';
import { handleCreateCampaign } from './campaignInput/handleCreateCampaign.ts';
import { campaignErrors } from './campaignInput/errors.ts';
import { campaignParametersByType } from './campaignInput/paramEffectByCampaignType.ts';
import { questionCampaignParams, validationCampaignParams } from './campaignInput/campaignTypeParams.ts';
import { emptyObjectSchema, defineOperation } from '../declare.ts';
import { campaignParams } from './campaignInput/params.ts';

const ofOneType = [...Object.keys(questionCampaignParams), ...Object.keys(validationCampaignParams)] as (
  | keyof typeof questionCampaignParams
  | keyof typeof validationCampaignParams
)[];

export const CreateCampaignOperation = defineOperation({
  name: 'CreateCampaign',
  section: '4.3',
  topic: 'campaigns',
  summary: 'Create a campaign that calls every number of a list.',
  permission: 'telephony',
  creates: true,
  params: campaignParams,
  modes: campaignParametersByType,
  needs: ['cdlc_id', 'cp_id', 'datajson'],
  errors: campaignErrors,
  upload: {
    limit: 'list',
    spills: ['datajson', 'audio64'],
    refusedAs: {
      tooLarge: 'listTooLarge',
      partial: 'listNotArrived',
      notStored: 'listNotKept',
      several: 'badListFile',
    },
  },
  answer: {
    fields: z.object({
      cp_id: decimalDigitsSchema('Campaign id.'),
      duplicate_request: z
        .literal('1')
        .optional()
        .describe('The request_id was used before: this is the answer of then.'),
    }),
    beside: emptyObjectSchema,
  },
  tools: [
    {
      name: 'create_campaign',
      title: 'Create a campaign',
      description:
        'Makes a campaign that calls everybody on a list (cdlc_id, or destinations sent along). Paused unless' +
        ' cp_ativo is true, which begins to call people and charge: let a person look first (get_campaigns_list,' +
        ' campaign_forecast), start with change_campaign. The same arguments within a minute return the first' +
        ' outcome. 230: an active campaign has this name and first day.',
      effects: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
      without: ['source'],
      repeats: true,
      done: ({ cp_id }) => `The campaign ${String(cp_id)} is made. get_campaigns_list with cp_id shows it.`,
      example: {
        name: 'Reminders',
        cdlc_id: 1,
        text: 'Olá <NOME>',
        time_start: '09:00:00',
        time_end: '18:00:00',
        vel: '60',
      },
    },
    {
      name: 'clone_campaign',
      title: 'Clone a campaign',
      description:
        'Makes a campaign like another; what is given replaces what is copied (not name, cp_ctid, whether it is' +
        ' active). Paused unless cp_ativo is true. Arguments as in create_campaign; repeats likewise.',
      effects: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
      requires: { source: 'sourceNotOurs' },
      without: ['type', ...ofOneType],
      withoutDefaults: true,
      asIn: 'create_campaign',
      repeats: true,
      done: ({ cp_id }) => `The clone is campaign ${String(cp_id)}. get_campaigns_list with cp_id shows it.`,
      example: {
        cp_id: 3,
        name: 'Reminders, second round',
        date_start: '2026-11-23',
        date_end: '2026-11-27',
      },
    },
  ],
  failure: { fields: { cp_id: '0' }, beside: {} },
  example: {
    request: {
      tsid: 'DEMO0token0DEMO0token0DEMO0tok',
      name: 'Reminders',
      cdlc_id: 1,
      text: 'Olá <NOME>',
      time_start: '09:00:00',
      time_end: '18:00:00',
      cp_ativo: 1,
    },
    response: { return: { status: 'OK', status_code: '0', cp_id: '6' } },
  },
  handle: handleCreateCampaign,
});
