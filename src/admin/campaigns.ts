/** Campaigns (cp): their records, what became of every record of the list, and changes by an operator. */
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import * as z from 'zod';
import type { CampaignChanges } from '../../machines/campaign/input.ts';
import { columnsOf } from '../operations/campaigns/campaignInput/changes.ts';
import { isUpsideDown } from '../operations/campaigns/campaignInput/hours.ts';
import { underItsName } from '../operations/campaigns/campaignInput/namesake.ts';
import { missingAudioOf } from '../operations/campaigns/campaignInput/missingAudio.ts';
import { readDate } from '../rules/voice/schedule.ts';
import type { AccountRow } from '../store/control.ts';
import { hasGroup } from '../store/reads/campaigns/campaignParts.ts';
import {
  type DialledRow,
  dialledRows,
  skipCounts,
  skippedRows,
} from '../store/reads/campaigns/campaignRows.ts';
import {
  campaignOf,
  type CampaignRow,
  definitionOf,
  findCampaigns,
} from '../store/reads/campaigns/campaigns.ts';
import { writeCallId } from '../wire/callId.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { name, text, yesNo } from './fields.ts';
import { AdminError, given, notFound, pathId, read } from './respond.ts';

const day = z.string().refine((value) => readDate(value) !== undefined, 'must be a date, YYYY-MM-DD');
const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/, 'must be a time of day, HH:MM:SS')
  .transform((value) => (value.length === 5 ? `${value}:00` : value));

const fields = z
  .strictObject({
    name,
    detail: text(1000),
    group_id: z.int().positive().nullable(),
    active: yesNo,
    model: yesNo,
    /** The same, as the interface calls it. */
    cp_model: yesNo,
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

export const campaignRoutes = (router: Router, door: AdminDoor): void => {
  const find = async (account: AccountRow, written: string | undefined): Promise<CampaignRow> => {
    const row = await campaignOf(door.pool(account.shard), account.id, pathId(written, 'campaign'));
    if (!row) throw notFound(`campaign ${written}`);
    return row;
  };
  const path = '/accounts/:account/campaigns';

  router.get(path, async (ctx) => {
    const { id: account, shard } = await accountOf(door, ctx.params['account']);
    const below = ctx.query['cursor'] === undefined ? {} : { belowId: cursorOf(ctx) };
    const rows = await findCampaigns(door.pool(shard), { account, ...below, limit: pageSize + 1 });
    const page = rows.slice(0, pageSize);
    ctx.body = {
      campaigns: page.map((row) => show(account, row)),
      cursor: rows.length > pageSize ? String(page.at(-1)!.id) : null,
    };
  });

  router.get(`${path}/:campaign`, async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const row = await find(account, ctx.params['campaign']);
    const pool = door.pool(account.shard);
    const byReason = await skipCounts(pool, account.id, row.id);
    const definition = await definitionOf(pool, account.id, row.id);
    ctx.body = { ...show(account.id, row), skipped_by_reason: byReason, definition };
  });

  router.patch(`${path}/:campaign`, async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const asked = read(fields, ctx.request.body);
    const row = await find(account, ctx.params['campaign']);
    await checkGroup(door, account, asked.group_id);
    checkHours({ ...row, ...given(asked) });
    if (asked.active) await checkAudio(door, account, row);
    const changes = changesOf(asked);
    checkModel({ ...row, ...columnsOf(changes) }, changes);
    const ref = { shard: account.shard, account: account.id, id: row.id };
    const sent = await underItsName(
      { services: { engine: door.engine, database: door.pool }, ref, row, changes },
      () => door.engine.send(ref, { type: 'changed', changes }),
      () =>
        new AdminError(409, 'name: another active campaign has the same name and first day', {
          field: 'name',
        }),
    );
    if (sent.outcome === 'gone') throw new AdminError(409, 'the campaign is over for good');
    const changed = await find(account, ctx.params['campaign']);
    ctx.body = show(account.id, { ...changed, ...columnsOf(changes) });
  });

  router.get(`${path}/:campaign/skipped`, async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const rows = await skippedRows(door.pool(account.shard), {
      ...pageOf(account, await find(account, ctx.params['campaign'])),
      after: cursorOf(ctx),
    });
    const page = rows.slice(0, pageSize);
    ctx.body = { skipped: page, cursor: rows.length > pageSize ? String(page.at(-1)!.row) : null };
  });

  router.get(`${path}/:campaign/destinations`, async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const rows = await dialledRows(door.pool(account.shard), {
      ...pageOf(account, await find(account, ctx.params['campaign'])),
      after: placeOf(ctx),
    });
    const page = rows.slice(0, pageSize);
    const last = page.at(-1);
    ctx.body = {
      destinations: page.map((row) => showDestination(account.shard, row)),
      cursor: rows.length > pageSize && last ? `${last.region}.${last.seq}` : null,
    };
  });
};

/** One row more tells whether there are more. */
const pageOf = (account: AccountRow, row: CampaignRow) => ({
  account: account.id,
  campaign: row.id,
  list: row.list_id,
  limit: pageSize + 1,
});

const cursorOf = ({ query }: Context): number => {
  const cursor = query['cursor'] ?? '0';
  if (typeof cursor === 'string' && /^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new AdminError(400, 'cursor: is not one of ours', { field: 'cursor' });
};

/** A region and a place in it. */
const placeOf = ({ query }: Context): { region: string; seq: number } | undefined => {
  const cursor = query['cursor'];
  if (cursor === undefined) return undefined;
  const match = typeof cursor === 'string' ? /^([A-Z]{0,4})\.(\d{1,9})$/.exec(cursor) : null;
  if (!match) throw new AdminError(400, 'cursor: is not one of ours', { field: 'cursor' });
  return { region: match[1]!, seq: Number(match[2]) };
};

const checkGroup = async (
  door: AdminDoor,
  { shard, id }: AccountRow,
  group: number | null | undefined,
): Promise<void> => {
  if (group === null || group === undefined) return;
  if (group < 2 ** 31 && (await hasGroup(door.pool(shard), id, group))) return;
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

const checkAudio = async (door: AdminDoor, { shard, id }: AccountRow, row: CampaignRow): Promise<void> => {
  const why = await missingAudioOf(door.pool(shard), id, row.id);
  if (why !== undefined) throw new AdminError(409, why, { field: 'active' });
};

const changesOf = (asked: z.output<typeof fields>): CampaignChanges => {
  const hours = given({
    dateStart: asked.date_start,
    dateEnd: asked.date_end,
    timeStart: asked.time_start,
    timeEnd: asked.time_end,
  });
  const pace = given({ callsPerMinute: asked.calls_per_minute, maxTransfers: asked.max_transfers });
  const model = asked.model ?? asked.cp_model;
  return {
    ...given({
      name: asked.name,
      description: asked.detail,
      group: asked.group_id,
      // What becomes a model stops dialling.
      active: asked.active ?? (model ? false : undefined),
      model,
      priority: asked.priority,
    }),
    ...(Object.keys(hours).length > 0 && { hours }),
    ...(Object.keys(pace).length > 0 && { pace }),
  };
};

const show = (account: number, { id, ...row }: CampaignRow) => ({ cp_id: id, cdcs_id: account, ...row });

const showDestination = (
  shard: string,
  { call_id, status, reason, attempt, finished, ...row }: DialledRow,
) => ({
  ...row,
  state: call_id === null ? 'waiting' : finished ? 'ended' : 'calling',
  call: call_id === null ? null : { cd_id: writeCallId(shard, call_id), status, reason, attempt },
});
