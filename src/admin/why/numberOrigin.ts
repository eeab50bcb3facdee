/** Where a number came from: the list, its row, who uploaded it, who created the campaign, or who asked for the call. */
import type { CallInNumberHistory } from '../../store/reads/why/callsToNumber.ts';
import type { Deed } from '../../store/reads/why/auditLogActors.ts';
import type { AdminDeps } from '../deps.ts';
import type { AccountLocalizer } from './told.ts';

const listActions = ['CreateDestinationBase', 'create_destination_base', 'CreateCampaign', 'create_campaign'];
const campaignActions = ['CreateCampaign', 'create_campaign'];
const callActions = ['MakeTTSCall', 'make_tts_call'];

/** An upload may take so long, milliseconds. */
const uploadMs = 600_000;

type Source = Pick<
  CallInNumberHistory,
  | 'account_id'
  | 'campaign'
  | 'campaign_created_at'
  | 'list'
  | 'list_file'
  | 'list_created_at'
  | 'requested_at'
> & { campaign_row: number };

/** What was done that brought the call about; the upload of the list first. */
const deedsOf = ({ account_id: account, ...call }: Source): Deed[] => {
  if (call.campaign_created_at === null)
    return [{ account, actions: callActions, at: call.requested_at, takesMs: 0 }];
  const created = {
    account,
    actions: campaignActions,
    at: call.campaign_created_at,
    takesMs: uploadMs,
  };
  if (call.list_created_at === null) return [created];
  return [{ account, actions: listActions, at: call.list_created_at, takesMs: uploadMs }, created];
};

const keyOf = ({ account, actions, at }: Deed): string => `${account} ${at} ${actions[0]}`;

/** Says for each of these calls where its number came from. */
export type DescribeCalledNumberOrigin = (call: Source, teller: AccountLocalizer) => string;

/** One question to the audit log for all of them. */
export const loadCalledNumberOriginDescriber = async (
  deps: AdminDeps,
  calls: readonly Source[],
): Promise<DescribeCalledNumberOrigin> => {
  const deeds = new Map(calls.flatMap(deedsOf).map((deed) => [keyOf(deed), deed]));
  await deps.uses.flush();
  const actors = await deps.audit.actorsOf([...deeds.values()]);
  const known = new Map([...deeds.keys()].map((key, index) => [key, actors[index]]));
  return (call, teller) =>
    sentenceOf(
      call,
      deedsOf(call).map((deed) => known.get(keyOf(deed))),
      teller,
    );
};

const sentenceOf = (
  call: Source,
  [first, second]: readonly (string | undefined)[],
  { words, when }: AccountLocalizer,
): string => {
  const by = (actor: string | undefined): string => (actor === undefined ? '' : words.by(actor));
  if (call.campaign_created_at === null) return words.single(when(call.requested_at), by(first));
  const campaign = call.campaign ?? '';
  const started = when(call.campaign_created_at);
  if (call.list_created_at === null) return words.campaignOnly(campaign, started + by(first));
  const list = call.list_file || call.list || '';
  return words.fromList(
    String(call.campaign_row),
    list,
    when(call.list_created_at) + by(first),
    campaign,
    started + by(second),
  );
};
