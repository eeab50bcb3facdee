/** The campaign that a path names, with the account that has it. */
import type { AccountRow } from '../../store/control.ts';
import { campaignOf, type CampaignRow } from '../../store/reads/campaigns/campaigns.ts';
import { accountsOfCampaign } from '../../store/reads/campaigns/forecast.ts';
import { accountOf, ofAccount } from '../accounts/ofAccount.ts';
import type { Scope } from '../declare.ts';
import type { AdminDeps } from '../deps.ts';
import { idIn } from '../fields.ts';
import { notFound, pathId } from '../respond.ts';

export interface FoundCampaign {
  account: AccountRow;
  row: CampaignRow;
}

/** Throws a 404 when the account has none with this id. */
export const campaignNamed = async (
  deps: AdminDeps,
  account: AccountRow,
  written: string | undefined,
): Promise<CampaignRow> => {
  const row = await campaignOf(deps.pool(account.shard), account.id, pathId(written, 'campaign'));
  if (!row) throw notFound(`campaign ${written}`, account.shard);
  return row;
};

/** Of paths that begin with `/accounts/:account/campaigns/:campaign`. */
export const ofCampaign: Scope<FoundCampaign> = {
  params: { ...ofAccount.params, campaign: idIn('campaign', Number.MAX_SAFE_INTEGER) },
  find: async (request) => {
    const { account } = await ofAccount.find(request);
    return { account, row: await campaignNamed(request.deps, account, request.written['campaign']) };
  },
};

/** The account that has this campaign; ids of campaigns are given out once. Throws a 404. */
export const ownerOf = async (deps: AdminDeps, written: string | undefined): Promise<AccountRow> => {
  const id = pathId(written, 'campaign');
  const found = await Promise.all(deps.shards.map((shard) => accountsOfCampaign(deps.pool(shard), id)));
  const [account] = found.flat();
  if (account === undefined) throw notFound(`campaign ${written}`, ...deps.shards);
  return accountOf(deps, String(account));
};

/** Of paths that name a campaign of any account: `/campaigns/:campaign`. */
export const ofAnyAccount: Scope<FoundCampaign> = {
  params: { campaign: idIn('campaign', Number.MAX_SAFE_INTEGER) },
  find: async ({ deps, written }) => {
    const account = await ownerOf(deps, written['campaign']);
    return { account, row: await campaignNamed(deps, account, written['campaign']) };
  },
};
