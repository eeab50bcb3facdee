/** The list that a campaign dials: one of the account's, or one that came with the request. */
import { findDestinationListById } from '../../../store/reads/campaigns/campaignParts.ts';
import { deleteDestinationList } from '../../../store/sql/deleteDestinationList.ts';
import type { ListLoadFailure } from '../../lists/job.ts';
import { type ListSource, loadUploadedList } from '../../lists/loadUploadedList.ts';
import { defaultListName, listFaultText, uploadedListSource, warnOfCutRecords } from '../../lists/source.ts';
import type { RequestUndoActions } from './compensation.ts';
import type { CreateCampaignContext } from './params.ts';

/** A list to be dialled. */
export interface DestinationListToDial {
  id: number;
  name: string;
  /** Accepted records. */
  records: number;
}

/** One that is there, or the way to one that came with the request. */
export type ExistingOrUploadedList = { list: DestinationListToDial } | { source: ListSource };

/** Throws 251 for a list that is missing, unknown, another's, inactive, or without a record that can be called. */
export const readRequestedDestinationList = async (
  ctx: CreateCampaignContext,
): Promise<ExistingOrUploadedList> => {
  const { account, params, services, refuse } = ctx;
  const source = uploadedListSource(ctx);
  if (source && params.list !== undefined)
    throw refuse('badValue', 'cdlc_id must not be given when a list is sent along');
  if (source) return { source };
  if (params.list === undefined) throw refuse('noList', 'cdlc_id is missing');
  const list = await findDestinationListById(services.database(account.shard), account.id, params.list);
  if (!list) throw refuse('noList', `cdlc_id ${params.list} is not a list of this account`);
  if (!list.active) throw refuse('noList', `the list ${params.list} is inactive`);
  if (list.records === 0)
    throw refuse('noList', `the list ${params.list} holds no record that can be called`);
  return { list };
};

/** The list itself; one that came with the request is loaded now. Throws 205 to 207 and 270 to 272. */
export const resolveDestinationListToDial = async (
  ctx: CreateCampaignContext,
  wish: ExistingOrUploadedList,
  compensation: RequestUndoActions,
): Promise<DestinationListToDial> => {
  if ('list' in wish) return wish.list;
  const { account, params, services, warn } = ctx;
  const { source } = wish;
  const name = params.name?.trim() || defaultListName(account.id, source, services.engine.now(account.shard));
  const loaded = await loadUploadedList(services, { account, name, correlation: '', source });
  if ('failed' in loaded) throw ctx.refuse(wordOf(loaded, source), listFaultText(source, loaded.why));
  compensation.add(
    async () => void (await deleteDestinationList(services.database(account.shard), account.id, loaded.id)),
  );
  warnOfCutRecords(ctx, loaded);
  if (loaded.rejected > 0) warn(`${loaded.rejected} records of the list were refused`);
  return { id: loaded.id, name, records: loaded.accepted };
};

const wordOf = ({ failed }: ListLoadFailure, { as }: ListSource) => {
  if (failed === 'notJson') return as === 'records' ? 'badInlineList' : 'badListFile';
  const words = {
    executable: 'executable',
    empty: 'listEmpty',
    broken: 'listBroken',
    tooMany: 'listTooLong',
    // Nothing is claimed with it.
    claimed: 'listNotKept',
  } as const;
  return words[failed];
};
