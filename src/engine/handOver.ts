/**
 * What a shard was told that another takes the place of in the same process: providers tell a fact once, so none may be lost
 * with its memory.
 */
import type { ChartEvent } from '../../machines/effect.ts';
import type { Item } from './item.ts';
import type { Lane } from './lane.ts';
import type { Mail } from './mail.ts';
import { hasLanded } from './readBack.ts';
import type { Residents } from './resident.ts';
import type { ShardStore } from './store.ts';

interface Fact {
  account: number;
  id: number;
  event: ChartEvent;
}

/** Steps with facts that were sent to the database, had no answer, and do not stand there. */
export const unwrittenOf = async (
  lanes: readonly Pick<Lane, 'underWay'>[],
  store: Pick<ShardStore, 'read' | 'history'>,
): Promise<Item[]> => {
  const items = lanes.flatMap(({ underWay }) => underWay).filter(({ mails }) => mails.some(isFact));
  if (items.length === 0) return [];
  const rows = await store.read(items.map(({ draft: { account, id } }) => ({ account, id })));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const landed = await Promise.all(
    items.map(async ({ draft }) => {
      const row = byId.get(draft.id);
      return row !== undefined && (await hasLanded(store, draft, row));
    }),
  );
  return items.filter((_, nth) => !landed[nth]);
};

/** Facts of these steps, and those that wait in memory: what a step took came before what waits behind it. */
export const unheardFacts = (unwritten: readonly Item[], residents: Residents): Fact[] => {
  const waiting = { [Symbol.iterator]: () => residents[Symbol.iterator]() };
  return [
    ...unwritten.flatMap(({ draft, mails }) => factsOf(draft, mails)),
    ...[...waiting].flatMap((resident) => factsOf(resident, resident.mailbox)),
  ];
};

const factsOf = ({ account, id }: { account: number; id: number }, mails: readonly Mail[]): Fact[] =>
  mails.filter(isFact).map(({ event }) => ({ account, id, event }));

/** What a provider told: no row of the inbox holds it, and nobody waits who would send it again. */
const isFact = (mail: Mail): mail is Extract<Mail, { what: 'event' }> =>
  mail.what === 'event' && mail.inbox === undefined && !mail.done;
