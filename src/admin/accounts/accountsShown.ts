/** Names and time zones of the accounts whose records an answer lists. */
import * as z from 'zod';
import type { AccountRow } from '../../store/controlDatabase.ts';

export const accountsShownSchema = z.object({
  accounts: z.record(z.string(), z.string()).describe('Names of accounts by their ids.'),
  zones: z.record(z.string(), z.string()).describe('Time zones of accounts by their ids.'),
});

/** Those of `known` that own one of these rows. */
export const accountsShown = (
  known: readonly Pick<AccountRow, 'id' | 'name' | 'time_zone'>[],
  rows: readonly { account_id: number }[],
): z.output<typeof accountsShownSchema> => {
  const owners = new Set(rows.map(({ account_id: owner }) => owner));
  const shown = known.filter(({ id }) => owners.has(id));
  return {
    accounts: Object.fromEntries(shown.map(({ id, name }) => [id, name])),
    zones: Object.fromEntries(shown.map(({ id, time_zone: zone }) => [id, zone])),
  };
};
