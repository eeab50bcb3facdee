/** The list that a campaign dials: one of the account's, or one that came with the request (codes 205 to 207, 251, 270 to 275). */
import { listNamed, type NamedList } from '../../store/reads/campaignParts.ts';
import type { CampaignAsked } from '../CreateCampaign.ts';

/** The account's list; undefined: one comes with the request. Throws 251. */
export const readList = async (asked: CampaignAsked): Promise<NamedList | undefined> => {
  const { account, params: given, services, refuse } = asked;
  if (isInline(asked)) {
    if (given.list !== undefined) throw refuse('badValue', 'cdlc_id must not be given with an inline list');
    return undefined;
  }
  if (given.list === undefined) throw refuse('noList', 'cdlc_id is missing');
  const list = await listNamed(services.database(account.shard), account.id, given.list);
  if (!list) throw refuse('noList', `cdlc_id ${given.list} is not a list of this account`);
  if (!list.active) throw refuse('noList', `the list ${given.list} is inactive`);
  return list;
};

/** Whether a list came with the request. */
export const isInline = ({ file, spilled }: CampaignAsked): boolean =>
  file !== undefined || spilled['datajson'] !== undefined;
