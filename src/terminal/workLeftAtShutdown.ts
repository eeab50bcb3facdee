/** What a person reads when the service has ended in order: what it finished, and what goes on where. */
import { countMachines } from '../store/reads/machines/machineCounts.ts';
import type { ControlAndShardPools } from '../store/pools.ts';

export interface WorkLeftAtShutdown {
  /** Machines that have not ended, by kind; undefined: a database did not tell. */
  unfinished: ReadonlyMap<string, number> | undefined;
  /** Other nodes that live. */
  others: number;
}

/** Asked when the engine has stopped and the databases are still open. Never rejects. */
export const countWorkLeftAtShutdown = async (
  { shards }: Pick<ControlAndShardPools, 'shards'>,
  others: number,
): Promise<WorkLeftAtShutdown> => {
  try {
    const counts = [...shards.values()].map(({ counting }) => countMachines(counting));
    const found = await Promise.race([Promise.all(counts), tooLate()]);
    const unfinished = new Map<string, number>();
    for (const { kind, count } of found.flat())
      if (kinds[kind]) unfinished.set(kind, (unfinished.get(kind) ?? 0) + count);
    return { unfinished, others };
  } catch {
    return { unfinished: undefined, others };
  }
};

/** A stop waits no longer for a count, milliseconds. */
const patienceMs = 2_000;

const tooLate = (): Promise<never> =>
  new Promise((_, reject) => setTimeout(() => reject(new Error('too late')), patienceMs).unref());

/** Kinds whose end is waited for; the queues of agents stand for good. */
const kinds: Readonly<Record<string, readonly [one: string, many: string]>> = {
  call: ['call', 'calls'],
  campaign: ['campaign', 'campaigns'],
  message: ['message', 'messages'],
  template: ['template', 'templates'],
  delivery: ['callback', 'callbacks'],
};

export const shutdownFarewellText = ({ unfinished, others }: WorkLeftAtShutdown): string => {
  const where = others > 0 ? `at the other ${others === 1 ? 'node' : 'nodes'}` : 'at the next start';
  const named = Object.entries(kinds).flatMap(([kind, [one, many]]) => {
    const count = unfinished?.get(kind) ?? 0;
    return count === 0 ? [] : [`${count.toLocaleString('en')} ${count === 1 ? one : many}`];
  });
  const left = unfinished === undefined ? 'what has not ended goes' : leftOf(named);
  return `
  Ramal has stopped. What was asked is answered, and every step is in the database;
  ${left === undefined ? 'nothing is left to do' : `${left} on ${where}`}. Goodbye.

`;
};

const leftOf = (named: readonly string[]): string | undefined =>
  named.length === 0
    ? undefined
    : `${named.join(', ')} ${named.length === 1 && named[0]!.startsWith('1 ') ? 'goes' : 'go'}`;
