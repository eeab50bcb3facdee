/** What holds a machine and stands in no context of its own: its account is switched off, its campaign is paused. */
import type { Pool } from 'pg';
import type { Explanation } from '../../engine/contract/kind.ts';
import type { MachineView } from '../../engine/contract/api.ts';
import { findCampaignById } from '../../store/reads/campaigns/campaigns.ts';

export interface AccountAndCampaignHoldQuery {
  view: MachineView;
  pool: Pool;
  /** The account, or the reseller above it, that is switched off; undefined: none is. */
  switchedOff: number | undefined;
  /** Epoch milliseconds. */
  now: number;
}

export const explainAccountAndCampaignHolds = async ({
  view,
  pool,
  switchedOff,
  now,
}: AccountAndCampaignHoldQuery): Promise<Explanation[]> => {
  const dials = view.kind === 'call' || view.kind === 'campaign';
  if (!dials || view.endedAt !== null) return [];
  const off = switchedOff === undefined ? [] : [accountOff(view.account, switchedOff, now)];
  const campaign = view.kind === 'call' && !view.pending ? campaignOfCall(view.context) : undefined;
  if (campaign === undefined) return off;
  const row = await findCampaignById(pool, view.account, campaign);
  if (!row || (row.active && !row.model)) return off;
  const detail = `its campaign ${campaign} is paused, and it is not dialled before the campaign goes on`;
  return [...off, { rule: 'paused', detail, at: now }];
};

const accountOff = (account: number, off: number, at: number): Explanation =>
  off === account
    ? { rule: 'account', detail: 'the account is switched off: nothing is dialled for it', at }
    : {
        rule: 'reseller',
        detail: `its reseller ${off} is switched off: nothing is dialled for the account`,
        at,
      };

/** Of a call that does not dial on its campaign's word now. */
const campaignOfCall = (context: unknown): number | undefined => {
  const { call, turn } = context as { call?: { campaign?: { id: number } }; turn?: { stage: string } };
  return turn?.stage === 'wanted' || turn?.stage === 'idle' ? call?.campaign?.id : undefined;
};
