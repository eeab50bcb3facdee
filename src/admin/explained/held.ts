/** What holds a machine and stands in no context of its own: its account is switched off, its campaign is paused. */
import type { Pool } from 'pg';
import type { Explanation } from '../../../machines/kind.ts';
import type { MachineView } from '../../engine/verbs.ts';
import { campaignOf } from '../../store/reads/campaigns.ts';

export interface HeldScope {
  view: MachineView;
  pool: Pool;
  isAccountActive: boolean;
  /** Epoch milliseconds. */
  now: number;
}

export const heldBy = async ({ view, pool, isAccountActive, now }: HeldScope): Promise<Explanation[]> => {
  const dials = view.kind === 'call' || view.kind === 'campaign';
  if (!dials || view.endedAt !== null) return [];
  const off: Explanation[] = isAccountActive
    ? []
    : [{ rule: 'account', detail: 'the account is switched off: nothing is dialled for it', at: now }];
  const campaign = view.kind === 'call' && !view.unborn ? campaignOfCall(view.context) : undefined;
  if (campaign === undefined) return off;
  const row = await campaignOf(pool, view.account, campaign);
  if (!row || (row.active && !row.model)) return off;
  const detail = `its campaign ${campaign} is paused, and it is not dialled before the campaign goes on`;
  return [...off, { rule: 'paused', detail, at: now }];
};

/** Of a call that does not dial on its campaign's word now. */
const campaignOfCall = (context: unknown): number | undefined => {
  const { call, turn } = context as { call?: { campaign?: { id: number } }; turn?: { stage: string } };
  return turn?.stage === 'wanted' || turn?.stage === 'idle' ? call?.campaign?.id : undefined;
};
