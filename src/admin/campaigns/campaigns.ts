/** Campaigns (cp): their records, what became of every record of the list, and changes by an operator. */
import * as z from 'zod';
import type { CampaignChanges } from '../../../machines/campaign/input.ts';
import { campaignChangesToColumns } from '../../operations/campaigns/campaignInput/changes.ts';
import { isUpsideDown } from '../../operations/campaigns/campaignInput/hours.ts';
import { withCampaignNameHeld } from '../../operations/campaigns/campaignInput/holdNameDuringChange.ts';
import { missingCampaignAudioSentence } from '../../operations/campaigns/campaignInput/missingAudio.ts';
import { readDate } from '../../rules/voice/parseCallSchedule.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { doesCampaignGroupExist } from '../../store/reads/campaigns/campaignParts.ts';
import {
  type DialledDestinationRow,
  readDestinationsWithCalls,
  countSkippedDestinations,
  readSkippedDestinations,
} from '../../store/reads/campaigns/skippedAndDialledRecords.ts';
import {
  type CampaignRow,
  readStoredCampaignDefinition,
  findCampaigns,
} from '../../store/reads/campaigns/campaigns.ts';
import { findDestinationLists } from '../../store/reads/lists/lists.ts';
import { writeCallId } from '../../wire/callId.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import {
  maxRecordId,
  name,
  nextPageFieldsSchema,
  pageWithCursor,
  text,
  pathIdField,
  referenceTo,
  booleanFieldSchema,
} from '../fieldSchemas.ts';
import { AdminError, omitUndefined } from '../adminErrorsAndRequestParsing.ts';
import { lineOfRow } from '../lists/destinationListSchemas.ts';
import { requireCampaignById, campaignPathLookup } from './campaignInPath.ts';
import { campaignDestinationSchema, campaignExample, campaignSchema, show, skip } from './campaignSchemas.ts';

const day = z.string().refine((value) => readDate(value) !== undefined, 'must be a date, YYYY-MM-DD');
const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, 'must be a time of day, HH:MM:SS')
  .transform((value) => (value.length === 5 ? `${value}:00` : value));

const fields = z
  .strictObject({
    name,
    detail: text(1000),
    group_id: referenceTo(
      { list: '/accounts/{account}/groups', value: 'cdg_id' },
      z.int().positive(),
    ).nullable(),
    active: booleanFieldSchema,
    model: booleanFieldSchema,
    /** The same, as the interface calls it. */
    cp_model: booleanFieldSchema,
    priority: z.int().min(-1).max(100),
    date_start: day,
    date_end: day,
    time_start: timeOfDay,
    time_end: timeOfDay,
    calls_per_minute: z.int().min(0).max(1_000_000).nullable(),
    max_transfers: z.int().min(1).max(1_000_000).nullable(),
  })
  .partial();

const pageSize = 100;

const isNotOurs = 'is not one of ours';

const cursor = z
  .string(isNotOurs)
  .regex(/^\d{1,15}$/, isNotOurs)
  .transform(Number);

/** A region and a place in it. */
const place = z
  .string(isNotOurs)
  .regex(/^[A-Z]{0,4}\.\d{1,9}$/, isNotOurs)
  .transform((written) => {
    const [region = '', seq] = written.split('.');
    return { region, seq: Number(seq) };
  });

const path = '/accounts/:account/campaigns';

export const campaignRoutes = {
  [`GET ${path}` as const]: defineRoute({
    role: 'operator',
    summary: 'Lists the campaigns of an account, newest first.',
    scope: accountInPath,
    query: z.object({ cursor: cursor.optional() }),
    answer: z.object({ campaigns: z.array(campaignSchema), ...nextPageFieldsSchema.shape }),
    example: { answer: { campaigns: [campaignExample], cursor: null } },
    handle: async ({ deps, account: { id: account, shard }, query }) => {
      const below = query.cursor === undefined ? {} : { belowId: query.cursor };
      const found = await findCampaigns(deps.pool(shard), { account, ...below, limit: pageSize + 1 });
      const { rows, cursor: next } = pageWithCursor(found, pageSize);
      return { campaigns: rows.map((row) => show(account, row)), cursor: next };
    },
  }),
  [`GET ${path}/:campaign` as const]: defineRoute({
    role: 'operator',
    summary: 'Shows a campaign: how it stands, what was left out, and how it was made.',
    scope: campaignPathLookup,
    answer: campaignSchema.extend({
      skipped_by_reason: z.record(z.string(), z.int()).describe('Records left out, by reason.'),
      definition: z.unknown().describe('As it was made.'),
    }),
    example: { answer: { ...campaignExample, skipped_by_reason: { duplicate: 3 }, definition: {} } },
    handle: async ({ deps, account, row }) => {
      const pool = deps.pool(account.shard);
      const byReason = await countSkippedDestinations(pool, account.id, row.id);
      const definition = await readStoredCampaignDefinition(pool, account.id, row.id);
      return { ...show(account.id, row), skipped_by_reason: byReason, definition };
    },
  }),
  [`PATCH ${path}/:campaign` as const]: defineRoute({
    role: 'admin',
    summary: 'Changes a campaign that is not over for good.',
    scope: accountInPath,
    path: z.object({ campaign: pathIdField }),
    body: fields,
    answer: campaignSchema,
    refuses: { 409: 'It is over, a model, lacks its audio, or another one has its name and first day.' },
    example: { body: { calls_per_minute: 30 }, answer: { ...campaignExample, calls_per_minute: 30 } },
    handle: async ({ deps, account, body, written }) => {
      const row = await requireCampaignById(deps, account, written['campaign']);
      await checkGroup(deps, account, body.group_id);
      checkHours({ ...row, ...omitUndefined(body) });
      if (body.active) await checkAudio(deps, account, row);
      const changes = changesOf(body);
      checkModel({ ...row, ...campaignChangesToColumns(changes) }, changes);
      const ref = { shard: account.shard, account: account.id, id: row.id };
      const sent = await withCampaignNameHeld(
        { services: { engine: deps.engine, database: deps.pool }, ref, row, changes },
        () => deps.engine.send(ref, { type: 'changed', changes }),
        () =>
          new AdminError(409, 'name: another active campaign has the same name and first day', {
            field: 'name',
          }),
      );
      if (sent.outcome === 'gone') throw new AdminError(409, 'the campaign is over for good');
      const changed = await requireCampaignById(deps, account, written['campaign']);
      return show(account.id, { ...changed, ...campaignChangesToColumns(changes) });
    },
  }),
  [`GET ${path}/:campaign/skipped` as const]: defineRoute({
    role: 'operator',
    summary: 'Lists the records that a campaign left out, and why.',
    scope: campaignPathLookup,
    query: z.object({ cursor: cursor.optional() }),
    answer: z.object({
      skipped: z.array(skip),
      ...nextPageFieldsSchema.shape,
    }),
    example: {
      answer: {
        skipped: [{ row: 2, line: 3, reason: 'duplicate', numbers: '5511987650000', name: 'Ana' }],
        cursor: null,
      },
    },
    handle: async ({ deps, account, row, query }) => {
      const filter = { ...rowsOf(account, row), after: Math.min(query.cursor ?? 0, maxRecordId) };
      const rows = await readSkippedDestinations(deps.pool(account.shard), filter);
      const page = rows.slice(0, pageSize);
      const list = { account: account.id, id: row.list_id, limit: 1 };
      const [from] = await findDestinationLists(deps.pool(account.shard), list);
      return {
        skipped: page.map((one) => ({ ...one, line: lineOfRow(from?.file ?? '', one.row) })),
        cursor: rows.length > pageSize ? String(page.at(-1)!.row) : null,
      };
    },
  }),
  [`GET ${path}/:campaign/destinations` as const]: defineRoute({
    role: 'operator',
    summary: 'Lists the destinations of a campaign in the order of dialling, each with its call.',
    scope: campaignPathLookup,
    query: z.object({ cursor: place.optional() }),
    answer: z.object({
      destinations: z.array(campaignDestinationSchema),
      ...nextPageFieldsSchema.shape,
    }),
    example: {
      answer: {
        destinations: [
          {
            ...{ region: 'SP', seq: 1, row: 1, numbers: '5511987650000', name: 'Ana', state: 'ended' },
            call: { cd_id: 'a_746512037707776', status: 'OK', reason: '', attempt: 1 },
          },
        ],
        cursor: null,
      },
    },
    handle: async ({ deps, account, row, query }) => {
      const filter = { ...rowsOf(account, row), after: query.cursor };
      const rows = await readDestinationsWithCalls(deps.pool(account.shard), filter);
      const page = rows.slice(0, pageSize);
      const last = page.at(-1);
      return {
        destinations: page.map((one) => showDestination(account.shard, one)),
        cursor: rows.length > pageSize && last ? `${last.region}.${last.seq}` : null,
      };
    },
  }),
};

/** One row more tells whether there are more. */
const rowsOf = (account: AccountRow, row: CampaignRow) => ({
  account: account.id,
  campaign: row.id,
  list: row.list_id,
  limit: pageSize + 1,
});

const checkGroup = async (
  deps: AdminDeps,
  { shard, id }: AccountRow,
  group: number | null | undefined,
): Promise<void> => {
  if (group === null || group === undefined) return;
  if (group < 2 ** 31 && (await doesCampaignGroupExist(deps.pool(shard), id, group))) return;
  throw new AdminError(400, `group_id: ${group} is not a group of this account`, { field: 'group_id' });
};

const checkHours = (row: CampaignRow): void => {
  if (row.date_end < row.date_start)
    throw new AdminError(400, 'date_end: must not be before date_start', { field: 'date_end' });
  if (isUpsideDown({ timeStart: row.time_start, timeEnd: row.time_end }))
    throw new AdminError(400, 'time_end: must not be before time_start', { field: 'time_end' });
};

/** A model is cloned and never dialled. */
const checkModel = ({ model }: CampaignRow, { active }: CampaignChanges): void => {
  if (model && active)
    throw new AdminError(409, 'active: the campaign is a model, which is never dialled', { field: 'active' });
};

const checkAudio = async (deps: AdminDeps, { shard, id }: AccountRow, row: CampaignRow): Promise<void> => {
  const why = await missingCampaignAudioSentence(deps.pool(shard), id, row.id);
  if (why !== undefined) throw new AdminError(409, why, { field: 'active' });
};

const changesOf = (body: z.output<typeof fields>): CampaignChanges => {
  const hours = omitUndefined({
    dateStart: body.date_start,
    dateEnd: body.date_end,
    timeStart: body.time_start,
    timeEnd: body.time_end,
  });
  const pace = omitUndefined({ callsPerMinute: body.calls_per_minute, maxTransfers: body.max_transfers });
  const model = body.model ?? body.cp_model;
  return {
    ...omitUndefined({
      name: body.name,
      description: body.detail,
      group: body.group_id,
      // What becomes a model stops dialling.
      active: body.active ?? (model ? false : undefined),
      model,
      priority: body.priority,
    }),
    ...(Object.keys(hours).length > 0 && { hours }),
    ...(Object.keys(pace).length > 0 && { pace }),
  };
};

const showDestination = (
  shard: string,
  { call_id, status, reason, attempt, finished, ...row }: DialledDestinationRow,
) => ({
  ...row,
  state: stateOf(call_id, finished),
  call: call_id === null ? null : { cd_id: writeCallId(shard, call_id), status, reason, attempt },
});

const stateOf = (call: number | null, finished: boolean | null): 'waiting' | 'calling' | 'ended' => {
  if (call === null) return 'waiting';
  return finished ? 'ended' : 'calling';
};
