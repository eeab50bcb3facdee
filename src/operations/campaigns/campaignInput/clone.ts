/**
 * Cloning (spec 4.3 `cp_id`): the source's parameters, with those of the request over them, are read as if all of
 * them had been given. So whatever is no longer there (an audio, a list) is refused like in any request.
 */
import type { CampaignInput } from '../../../../machines/campaign/input.ts';
import { toLocal } from '../../../lib/localTime.ts';
import { findDestinationListById } from '../../../store/reads/campaigns/campaignParts.ts';
import {
  findCampaignById,
  type CampaignRow,
  readStoredCampaignDefinition,
} from '../../../store/reads/campaigns/campaigns.ts';
import type { CreateCampaignContext, CampaignParamValues } from './params.ts';

export interface ClonedCampaignRequest {
  /** The request with the source's parameters filled in. */
  ctx: CreateCampaignContext;
  /** `pas` of the source; null: no limit. */
  maxTransfers: number | null;
  /** What the campaign is called when it has no name of its own. Undefined: like its list. */
  usualName: string | undefined;
}

type Parameters = Partial<CampaignParamValues>;

/** What belongs to one campaign only. Fetched and sent audio has become `content`. */
const ownOnly: readonly (keyof CampaignParamValues)[] = [
  'name', 'correlation', 'active', 'source', 'requestId', 'contentUrl', 'audio64', 'records',
]; // prettier-ignore

/** Ways to say what is heard first: one that is given replaces the source's, whichever that was. */
const mainMessage = ['content', 'text', 'contentUrl', 'audio64'] as const;

/** The request itself when it clones nothing. Throws 282, and 260 for a source that does not say what it was made of. */
export const fillFromClonedCampaign = async (ctx: CreateCampaignContext): Promise<ClonedCampaignRequest> => {
  const { account, params, services, refuse } = ctx;
  if (params.source === undefined) return { ctx, maxTransfers: null, usualName: undefined };
  const pool = services.database(account.shard);
  const row = await findCampaignById(pool, account.id, params.source);
  if (!row) throw refuse('sourceNotOurs');
  const { parameters } = (await readStoredCampaignDefinition(
    pool,
    account.id,
    row.id,
  )) as Partial<CampaignInput>;
  if (!parameters) throw refuse('sourceUnreadable');
  const list = await findDestinationListById(pool, account.id, row.list_id);
  return {
    ctx: { ...ctx, params: { ...params, ...copied(ctx, parameters, row) } },
    maxTransfers: row.max_transfers,
    usualName: list?.name,
  };
};

/** What stays in the campaign for its clones. */
export const pickCloneableCampaignParameters = (
  values: CampaignParamValues,
): NonNullable<CampaignInput['parameters']> => {
  const kept = Object.entries(values).filter(
    ([name, value]) => value !== undefined && !(ownOnly as readonly string[]).includes(name),
  );
  return Object.fromEntries(kept) as NonNullable<CampaignInput['parameters']>;
};

/** The source's parameters as they are now, without those that the request has itself. */
const copied = (
  { account, provided, params, services, spilled, file }: CreateCampaignContext,
  parameters: NonNullable<CampaignInput['parameters']>,
  row: CampaignRow,
): Parameters => {
  const today = toLocal(services.engine.now(account.shard), account.time_zone).date;
  const source: Parameters = { ...parameters, ...changedSince(row) };
  const leave = new Set<string>([...provided, ...ownOnly, 'retryOf']);
  // It was taken out of its group since.
  if (row.group_id === null) leave.add('group');
  if (row.date_end < today) leave.add('dateStart').add('dateEnd');
  // Another first day begins another stretch of days.
  if (provided.has('dateStart')) leave.add('dateEnd');
  if (spilled['audio64'] || mainMessage.some((name) => provided.has(name)))
    for (const name of mainMessage) leave.add(name);
  if (params.type !== (parameters['type'] ?? '0') && provided.has('type'))
    for (const name of sms) leave.add(name);
  if (file || spilled['datajson']) leave.add('list');
  return Object.fromEntries(Object.entries(source).filter(([name]) => !leave.has(name)));
};

const sms = ['smsAction', 'smsText'] as const;

/** What ChangeCampaign and the admin API may have changed. */
const changedSince = (row: CampaignRow): Parameters => ({
  description: row.detail,
  ...(row.group_id !== null && { group: row.group_id }),
  dateStart: row.date_start,
  dateEnd: row.date_end,
  timeStart: row.time_start,
  timeEnd: row.time_end,
  callsPerMinute: row.calls_per_minute ?? 'max',
});
