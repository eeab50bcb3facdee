/** Two active campaigns of one name and first day would call the same people twice (docs/decisions/0006). */
import { setTimeout as pause } from 'node:timers/promises';
import type { CampaignChanges } from '../../../../machines/campaign/input.ts';
import type { MachineRef, SendEventResult } from '../../../engine/contract/api.ts';
import {
  findCampaignById,
  type CampaignRow,
  findNewestCampaignByName,
} from '../../../store/reads/campaigns/campaigns.ts';
import type { Services } from '../../services.ts';
import { campaignChangesToColumns } from './changes.ts';
import { holdCampaignName } from './campaignNameLock.ts';

/** How long the campaign's row is looked at for a change that another node is to make, milliseconds. */
const shownWithinMs = 1_000;
const lookEveryMs = 25;

export interface CampaignNameChange {
  services: Pick<Services, 'database' | 'engine'>;
  ref: MachineRef;
  row: CampaignRow;
  changes: CampaignChanges;
}

/**
 * Makes a change while no other request takes the same name and day. Throws `taken()` when an active campaign has them
 * already. A change whose outcome is unknown, or that another node has yet to hear of, keeps the name for ten seconds.
 */
export const withCampaignNameHeld = async (
  change: CampaignNameChange,
  make: () => Promise<SendEventResult>,
  taken: () => Error,
): Promise<SendEventResult> => {
  const { services, ref, row, changes } = change;
  const next = { ...row, ...campaignChangesToColumns(changes) };
  if (!takesName(row, next, changes)) return make();
  const since = services.engine.now(ref.shard);
  const giveBack = await holdCampaignName({
    ...{ services, shard: ref.shard, account: ref.account, name: next.name, date: next.date_start },
    owner: `change ${ref.id} ${services.engine.mintId(ref.shard)}`,
  });
  if (!giveBack) throw taken();
  const pool = services.database(ref.shard);
  const same = await findNewestCampaignByName(pool, ref.account, {
    ...{ name: next.name, dateStart: next.date_start, since, except: ref.id },
  });
  if (same.active) {
    await giveBack();
    throw taken();
  }
  const sent = await make();
  if (sent.outcome !== 'left' || (await isShown(change, next))) await giveBack();
  return sent;
};

/** Whether a request that looks for campaigns of the name sees the change. */
const isShown = async (
  { services, ref, changes }: CampaignNameChange,
  next: CampaignRow,
): Promise<boolean> => {
  const pool = services.database(ref.shard);
  for (let waited = 0; waited <= shownWithinMs; waited += lookEveryMs) {
    const row = await findCampaignById(pool, ref.account, ref.id);
    if (row && !takesName(row, next, changes)) return true;
    await pause(lookEveryMs);
  }
  return false;
};

/**
 * Whether it will dial under a name and a day under which it does not dial now. One whose last day is over dials no more, until
 * it is given other hours or is opened again.
 */
const takesName = (row: CampaignRow, next: CampaignRow, changes: CampaignChanges): boolean => {
  const isExpired = row.state === 'expired';
  const dials = (one: CampaignRow): boolean => one.active && !one.model;
  const goesOn = !isExpired || changes.hours !== undefined || !row.active;
  const isSame = row.name === next.name && row.date_start === next.date_start;
  return dials(next) && goesOn && !(dials(row) && !isExpired && isSame);
};
