/** The campaign that a path names, with the account that has it. */
import type { AccountRow } from '../../store/controlDatabase.ts';
import { findCampaignById, type CampaignRow } from '../../store/reads/campaigns/campaigns.ts';
import { findAccountsByCampaignId } from '../../store/reads/campaigns/forecastInputs.ts';
import { requireAccountById, accountInPath } from '../accounts/accountInPath.ts';
import type { PathResourceLookup } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import { idIn } from '../fieldSchemas.ts';
import { notFound, parsePathId } from '../adminErrorsAndRequestParsing.ts';

export interface CampaignWithAccount {
  account: AccountRow;
  row: CampaignRow;
}

/** Throws a 404 when the account has none with this id. */
export const requireCampaignById = async (
  deps: AdminDeps,
  account: AccountRow,
  written: string | undefined,
): Promise<CampaignRow> => {
  const row = await findCampaignById(deps.pool(account.shard), account.id, parsePathId(written, 'campaign'));
  if (!row) throw notFound(`campaign ${written}`, account.shard);
  return row;
};

/** Of paths that begin with `/accounts/:account/campaigns/:campaign`. */
export const campaignPathLookup: PathResourceLookup<CampaignWithAccount> = {
  params: { ...accountInPath.params, campaign: idIn('campaign', Number.MAX_SAFE_INTEGER) },
  find: async (request) => {
    const { account } = await accountInPath.find(request);
    return { account, row: await requireCampaignById(request.deps, account, request.written['campaign']) };
  },
};

/** The account that has this campaign; ids of campaigns are given out once. Throws a 404. */
export const findCampaignAccount = async (
  deps: AdminDeps,
  written: string | undefined,
): Promise<AccountRow> => {
  const id = parsePathId(written, 'campaign');
  const found = await Promise.all(deps.shards.map((shard) => findAccountsByCampaignId(deps.pool(shard), id)));
  const [account] = found.flat();
  if (account === undefined) throw notFound(`campaign ${written}`, ...deps.shards);
  return requireAccountById(deps, String(account));
};

/** Of paths that name a campaign of any account: `/campaigns/:campaign`. */
export const campaignInPathOfAnyAccount: PathResourceLookup<CampaignWithAccount> = {
  params: { campaign: idIn('campaign', Number.MAX_SAFE_INTEGER) },
  find: async ({ deps, written }) => {
    const account = await findCampaignAccount(deps, written['campaign']);
    return { account, row: await requireCampaignById(deps, account, written['campaign']) };
  },
};
