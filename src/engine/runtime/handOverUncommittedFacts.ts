/**
 * What a shard passes to the one that replaces it in the same process: provider facts that are not committed yet.
 * Providers report a fact once, so it must not be lost with the memory of the old shard.
 */
import type { MachineEvent } from '../contract/effect.ts';
import type { CommitBatchItem } from '../writer/batchItem.ts';
import type { ShardWriter } from '../writer/writer.ts';
import type { Mail } from '../contract/machineMail.ts';
import { wasStepWritten } from '../writer/readBackUncertainWrites.ts';
import type { MachineCache } from '../writer/cachedMachine.ts';
import type { ShardMachineStore } from '../contract/store.ts';

interface Fact {
  account: number;
  id: number;
  event: MachineEvent;
}

/** Steps with facts that were sent to the database, had no answer, and do not stand there. */
export const findSentButUnwrittenSteps = async (
  writers: readonly Pick<ShardWriter, 'underWay'>[],
  store: Pick<ShardMachineStore, 'read' | 'history'>,
): Promise<CommitBatchItem[]> => {
  const items = writers.flatMap(({ underWay }) => underWay).filter(({ mails }) => mails.some(isFact));
  if (items.length === 0) return [];
  const rows = await store.read(items.map(({ tx: { account, id } }) => ({ account, id })));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const landed = await Promise.all(
    items.map(async ({ tx }) => {
      const row = byId.get(tx.id);
      return row !== undefined && (await wasStepWritten(store, tx, row));
    }),
  );
  return items.filter((_, nth) => !landed[nth]);
};

/** Facts of these steps, and those that wait in memory: what a step took came before what waits behind it. */
export const collectUncommittedFactsInMemory = (
  unwritten: readonly CommitBatchItem[],
  cache: MachineCache,
): Fact[] => {
  const waiting = { [Symbol.iterator]: () => cache[Symbol.iterator]() };
  return [
    ...unwritten.flatMap(({ tx, mails }) => factsOf(tx, mails)),
    ...[...waiting].flatMap((cached) => factsOf(cached, cached.mailbox)),
  ];
};

const factsOf = ({ account, id }: { account: number; id: number }, mails: readonly Mail[]): Fact[] =>
  mails.filter(isFact).map(({ event }) => ({ account, id, event }));

/** A provider's fact: no row of the inbox holds it, and no caller waits who would send it again. */
const isFact = (mail: Mail): mail is Extract<Mail, { what: 'event' }> =>
  mail.what === 'event' && mail.inbox === undefined && !mail.done;
