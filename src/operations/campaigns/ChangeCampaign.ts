/** Pause, resume, throttle, reschedule or rename a campaign, all at once (spec 4.4). */
import * as z from 'zod';
import type { CampaignChanges } from '../../../machines/campaign/input.ts';
import { toLocal } from '../../lib/localTime.ts';
import {
  changeCampaignParamsByKind,
  type CampaignChangeFacts,
} from './campaignInput/paramEffectInCampaignOrModel.ts';
import { toCampaignChanges, campaignChangesToColumns, isCampaignUnchanged } from './campaignInput/changes.ts';
import { isUpsideDown } from './campaignInput/hours.ts';
import { withCampaignNameHeld } from './campaignInput/holdNameDuringChange.ts';
import { missingCampaignAudioSentence } from './campaignInput/missingAudio.ts';
import { findCampaignById, type CampaignRow } from '../../store/reads/campaigns/campaigns.ts';
import { campaignApiRecordSchema, formatCampaignRecord } from '../../wire/campaignRecord.ts';
import { emptyObjectSchema, defineOperation } from '../declare.ts';
import {
  changeCampaignParams,
  changeCampaignErrors,
  type ChangeCampaignRequestContext,
} from './campaignInput/changeCampaignParamsAndErrors.ts';

export const ChangeCampaignOperation = defineOperation({
  name: 'ChangeCampaign',
  section: '4.4',
  topic: 'campaigns',
  summary: 'Pause, resume, throttle, reschedule or rename a campaign.',
  permission: 'telephony',
  creates: false,
  params: changeCampaignParams,
  modes: changeCampaignParamsByKind,
  needs: ['active', 'lig_min', 'pas', 'date_start', 'date_end', 'time_start', 'time_end', 'name'],
  errors: changeCampaignErrors,
  answer: {
    fields: emptyObjectSchema,
    beside: z.object({ campaigns: z.array(campaignApiRecordSchema) }),
  },
  tools: [
    {
      name: 'change_campaign',
      title: 'Change a campaign',
      description:
        'Pauses or starts a campaign, changes its pace, days, hours or name. Started (active true) it calls' +
        ' people and charges; calls in progress end by themselves after a pause. 230: it already is as asked, or' +
        ' is over for good.',
      answersAsIn: 'get_campaigns_list',
      effects: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
      requires: { campaign: 'noCampaign' },
      example: { cp_id: 3, active: false },
    },
  ],
  failure: { fields: {}, beside: { campaigns: [] } },
  example: {
    request: { tsid: 'DEMO0token0DEMO0token0DEMO0tok', cp_id: 3, lig_min: 60 },
    response: {
      return: { status: 'OK', status_code: '0' },
      campaigns: [
        {
          cp_id: 3, cp_name: 'Model', cp_ctid: 'null', 'cp_group ': 'null', 'cp_active ': '0', 'cp_ontime ': '0',
          cp_date_start: '2026-11-20', cp_date_end: '2099-12-31', cp_time_start: '00:00', cp_time_end: '23:59',
          cp_destinations: 3, cp_lig_min: '60', cp_pas: 'null', cp_made: 0, cp_answered: 0,
          cp_transfered: 'null', cp_model: 1, cp_state: 'paused',
        },
      ],
    },
  }, // prettier-ignore

  async handle(ctx) {
    const { account, params, services, refuse } = ctx;
    if (params.campaign === undefined) return refuse('noCampaign');
    const wished = toCampaignChanges(params);
    if (Object.keys(wished).length === 0) return refuse('nothingToChange');
    const row = await findCampaignById(services.database(account.shard), account.id, params.campaign);
    if (!row) return refuse('notOurs');
    checkHours(ctx, row);
    warnOfIdle(ctx, row);
    const changes = pausedIfModel(row, wished);
    if (Object.keys(changes).length === 0) return { beside: { campaigns: [await shown(ctx, changes)] } };
    if (isCampaignUnchanged(row, changes)) return refuse('unchanged');
    if (changes.active) await checkAudio(ctx, row);
    const ref = { shard: account.shard, account: account.id, id: row.id };
    const sent = await withCampaignNameHeld(
      { services, ref, row, changes },
      () => services.engine.send(ref, { type: 'changed', changes }),
      () => refuse('nameTaken'),
    );
    if (sent.outcome === 'gone') return refuse('unchanged', 'the campaign is over for good');
    return { beside: { campaigns: [await shown(ctx, changes)] } };
  },
});

/** A model is never dialled: it stays paused, and whatever else was asked is done. */
const pausedIfModel = (row: CampaignRow, { active, ...others }: CampaignChanges): CampaignChanges =>
  !active || !row.model ? { ...others, ...(active !== undefined && { active }) } : others;

const warnOfIdle = (
  { account, params, services, inMode }: ChangeCampaignRequestContext,
  row: CampaignRow,
): void => {
  const today = toLocal(services.engine.now(account.shard), account.time_zone).date;
  const seen: CampaignChangeFacts = { params, row, today };
  inMode(row.model ? 'model' : 'campaign', seen);
};

/** The days and the window as they would be. */
const checkHours = ({ params, refuse }: ChangeCampaignRequestContext, row: CampaignRow): void => {
  const { dateStart = row.date_start, dateEnd = row.date_end } = params;
  const { timeStart = row.time_start, timeEnd = row.time_end } = params;
  if (dateEnd < dateStart)
    throw refuse('badValue', `date_end ${dateEnd} must not be before date_start ${dateStart}`);
  if (isUpsideDown({ timeStart, timeEnd }))
    throw refuse('badValue', `time_end ${timeEnd} must not be before time_start ${timeStart}`);
};

const checkAudio = async (
  { account, services, refuse }: ChangeCampaignRequestContext,
  { id }: CampaignRow,
): Promise<void> => {
  const why = await missingCampaignAudioSentence(services.database(account.shard), account.id, id);
  if (why !== undefined) throw refuse('badValue', why);
};

/** The campaign with its changes, which are durable; another node may yet have to hear of them. */
const shown = async (
  { account, params, services }: ChangeCampaignRequestContext,
  changes: CampaignChanges,
) => {
  const row = await findCampaignById(services.database(account.shard), account.id, params.campaign!);
  const now = services.engine.now(account.shard);
  return formatCampaignRecord({ ...row!, ...campaignChangesToColumns(changes) }, now, account.time_zone);
};
