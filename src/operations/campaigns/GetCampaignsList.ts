/** Campaigns with their counts, newest first (spec 4.5). */
import * as z from 'zod';
import { toLocal } from '../../lib/localTime.ts';
import { readDate } from '../../rules/voice/parseCallSchedule.ts';
import { type CampaignRow, findCampaigns } from '../../store/reads/campaigns/campaigns.ts';
import { campaignApiRecordSchema, formatCampaignRecord } from '../../wire/campaignRecord.ts';
import { assertAbsenceCertain } from '../absence.ts';
import { emptyObjectSchema, defineOperation } from '../declare.ts';
import { int, looseIdSchema, text } from '../parameterValueSchemas.ts';
import { formatWarningField, rowsPerStreamedRead, streamPagesAsJson } from '../streamPagedJson.ts';
import { warnOfUnknownWord } from '../unknownWordWarning.ts';
import { defineParams } from '../param.ts';

const id = looseIdSchema(2 ** 31 - 1).optional();

const typeWords = { acts: 'on', silent: ['all', 'todas'], instead: 'paused campaigns are listed as well' };
const modelWords = { acts: '1', silent: ['0'], instead: 'campaigns are listed with the models' };

/** `1`, or a day. */
const floor = text(40)
  .transform((value) => value.trim())
  .pipe(
    z.string().refine((value) => value === '1' || readDate(value) !== undefined, {
      error: 'must be 1 or a date, YYYY-MM-DD',
    }),
  )
  .meta({ json: { type: 'string', pattern: '^(1|[0-9]{4}-[0-9]{2}-[0-9]{2})$' } });

export const GetCampaignsListOperation = defineOperation({
  name: 'GetCampaignsList',
  section: '4.5',
  topic: 'campaigns',
  summary: 'Campaigns with their counts, newest first.',
  permission: 'telephony',
  creates: false,
  params: defineParams({
    campaign: { rest: 'cp_id', tool: 'cp_id', schema: id, description: 'One campaign.' },
    correlation: {
      rest: 'cp_ctid',
      tool: 'cp_ctid',
      schema: text(64).optional(),
      description: 'Customer-side id.',
    },
    group: { rest: 'group', tool: 'group', schema: id, description: 'Group id.' },
    type: {
      rest: 'type',
      tool: 'type',
      schema: text(20).optional(),
      description: 'on: only active campaigns.',
    },
    model: { rest: 'model', tool: 'model', schema: text(20).optional(), description: '1: only models.' },
    endsFrom: {
      rest: 'date',
      tool: 'date',
      schema: floor.optional(),
      description: '1: those that end today or later; a date: those that end then or later.',
      toolDescription: '1: end today or later; a date: then or later.',
    },
    search: {
      rest: 'search',
      tool: 'search',
      schema: text(200).optional(),
      description: 'Text in name, description, id or audio ids, in any case, with or without accents.',
      toolDescription: 'Text in name, description, id or audio ids.',
    },
    limit: {
      rest: 'maxreg',
      tool: 'max_records',
      schema: int(1, 1_000_000).default(500),
      description: 'Most campaigns.',
    },
  }),
  errors: {},
  answer: {
    fields: emptyObjectSchema,
    beside: z.object({ campaigns: z.array(campaignApiRecordSchema) }),
  },
  tools: [
    {
      name: 'get_campaigns_list',
      title: 'Look up campaigns',
      description:
        'Campaigns, newest first, with state and counts; changes nothing. Some keys end in a blank. Ask for few' +
        ' (max_records 20). get_skipped_records tells who is not called, campaign_forecast when one ends.',
      effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      example: { type: 'on', max_records: 20 },
    },
  ],
  failure: { fields: {}, beside: { campaigns: [] } },
  example: {
    request: { tsid: 'DEMO0token0DEMO0token0DEMO0tok', cp_id: 3 },
    response: {
      return: { status: 'OK', status_code: '0' },
      campaigns: [
        {
          cp_id: 3, cp_name: 'Model', cp_ctid: 'null', 'cp_group ': 'null', 'cp_active ': '0', 'cp_ontime ': '1',
          cp_date_start: '2026-11-20', cp_date_end: '2099-12-31', cp_time_start: '00:00', cp_time_end: '23:59',
          cp_destinations: 3, cp_lig_min: 'max', cp_pas: 'null', cp_made: 0, cp_answered: 0,
          cp_transfered: 'null', cp_model: 1, cp_state: 'paused',
        },
      ],
    },
  }, // prettier-ignore

  async handle(ctx) {
    const { account, params, services, warnings } = ctx;
    warnOfUnknownWord(ctx, 'type', params.type, typeWords);
    warnOfUnknownWord(ctx, 'model', params.model, modelWords);
    const now = services.engine.now(account.shard);
    const today = toLocal(now, account.time_zone).date;
    const query = {
      account: account.id,
      ...(params.campaign !== undefined && { id: params.campaign }),
      ...(params.correlation !== undefined && { correlation: params.correlation }),
      ...(params.group !== undefined && { group: params.group }),
      ...(params.endsFrom !== undefined && { endsFrom: params.endsFrom === '1' ? today : params.endsFrom }),
      ...(params.search !== undefined && { search: params.search }),
      active: params.type?.trim().toLowerCase() === 'on',
      model: params.model?.trim() === '1',
    };
    const write = (row: CampaignRow) => formatCampaignRecord(row, now, account.time_zone);
    const isNamed = params.campaign !== undefined || (params.correlation ?? '') !== '';
    const most = params.campaign === undefined ? params.limit : 1;
    if (most > rowsPerStreamedRead)
      return {
        stream: streamPagesAsJson({
          ...{ key: 'campaigns', most, write },
          beside: () => formatWarningField(warnings),
          read: (page) => findCampaigns(services.longReads(account.shard), { ...query, ...page }),
        }),
      };
    const rows = await findCampaigns(services.database(account.shard), { ...query, limit: most });
    if (rows.length === 0 && isNamed) await assertAbsenceCertain(services, account.shard);
    return { beside: { campaigns: rows.map(write) } };
  },
});
