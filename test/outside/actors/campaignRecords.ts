/** At the end: what the service says of every campaign of an account, as evidence. */
import type { Ledger } from '../evidence.ts';
import type { Account, Admin } from '../world/admin.ts';

interface Campaign {
  cp_id: number;
  name: string;
  state: string;
  answered: number;
}

interface Destination {
  numbers: string;
  state: string;
  call: { cd_id: string; status: string | null; reason: string | null } | null;
}

interface Skip {
  numbers: string;
  reason: string;
}

export const writeDownCampaigns = async (
  admin: Admin,
  { id: account }: Account,
  ledger: Ledger,
): Promise<void> => {
  const path = `/accounts/${account}/campaigns`;
  for (const { cp_id, name: tag, state, answered } of await admin.all<Campaign>(path, 'campaigns')) {
    const campaign = String(cp_id);
    ledger.add({ kind: 'standing', account, campaign, tag, state, answered });
    for (const { numbers: number, state: stands, call } of await admin.all<Destination>(
      `${path}/${campaign}/destinations`,
      'destinations',
    ))
      ledger.add({
        ...{ kind: 'destination', campaign, number, state: stands },
        ...{ call: call?.cd_id ?? '', status: call?.status ?? '', reason: call?.reason ?? '' },
      });
    for (const { numbers: number, reason } of await admin.all<Skip>(`${path}/${campaign}/skipped`, 'skipped'))
      ledger.add({ kind: 'skipped', campaign, number, reason });
  }
};
