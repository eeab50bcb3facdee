/** Two active campaigns of one name and first day would call the same people twice (docs/decisions/0110). */
import type { CampaignChanges } from '../../../machines/campaign/input.ts';
import type { MachineRef } from '../../engine/verbs.ts';
import { dropClaim, takeClaim } from '../../store/claims.ts';
import { type CampaignRow, namesakes } from '../../store/reads/campaigns.ts';
import { digest } from '../idempotency.ts';
import type { Services } from '../services.ts';
import { columnsOf } from './changes.ts';

/** A change holds its name no longer than this, whatever becomes of its process. */
const claimMs = 10_000;

export interface NamedChange {
  services: Pick<Services, 'database' | 'engine'>;
  ref: MachineRef;
  row: CampaignRow;
  changes: CampaignChanges;
}

/**
 * Makes a change while no other change takes the same name and day. Throws `taken()` when an active campaign has them
 * already, or another request is just about to give them to one.
 */
export const underItsName = async <T>(
  { services, ref, row, changes }: NamedChange,
  make: () => Promise<T>,
  taken: () => Error,
): Promise<T> => {
  const next = { ...row, ...columnsOf(changes) };
  if (!takesName(row, next)) return make();
  const pool = services.database(ref.shard);
  const key = `campaign:change:${digest({ name: next.name, date: next.date_start })}`;
  const owner = `change ${ref.id}`;
  const at = services.engine.now(ref.shard);
  if (!(await takeClaim(pool, ref.account, { key, forMs: claimMs }, { owner, at }))) throw taken();
  try {
    const same = await namesakes(pool, ref.account, next.name, next.date_start, ref.id);
    if (same.active) throw taken();
    return await make();
  } finally {
    await dropClaim(pool, ref.account, { key, owner });
  }
};

/** Whether it will dial under a name and a day under which it does not dial now. */
const takesName = (row: CampaignRow, next: CampaignRow): boolean => {
  const dials = (one: CampaignRow): boolean => one.active && !one.model;
  return dials(next) && (!dials(row) || row.name !== next.name || row.date_start !== next.date_start);
};
