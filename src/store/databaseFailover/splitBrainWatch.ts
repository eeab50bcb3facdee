/** Watches the servers of an address, now and then, on one connection each: where two write at once, what one of them confirms is lost. */
import { setTimeout as pause } from 'node:timers/promises';
import type { WritableDatabaseHostSelector } from '../databaseFailover.ts';
import type { DatabaseHostStatus } from './hostProbe.ts';

export interface DatabaseFailoverListener {
  /** Another server takes the writes now; names like `db1:5432`. */
  moved(from: string, to: string): void;
  /** Two servers hold different futures: a sentence, once; undefined: it is over. */
  split(sentence: string | undefined): void;
}

/** Between two looks, milliseconds: a promotion behind a server that hangs is noticed as late as this. */
const everyMs = 500;

/** Watches until it is stopped. */
export const watchForDatabaseSplitBrain = (
  hosts: WritableDatabaseHostSelector,
  heard: DatabaseFailoverListener,
): { stop(): void } => {
  const over = new AbortController();
  const watch = async (): Promise<void> => {
    let told: string | undefined;
    while (!over.signal.aborted) {
      const split = await findSplitBrain(hosts);
      if (over.signal.aborted) return;
      if (split !== told) heard.split(split);
      told = split;
      await pause(everyMs, undefined, { ref: false, signal: over.signal });
    }
  };
  hosts.keepWatch(heard.moved);
  watch().catch((error: unknown) => {
    if (!over.signal.aborted) throw error;
  });
  return {
    stop: () => {
      over.abort();
      hosts.close();
    },
  };
};

/**
 * Looks at all servers once. A sentence when the one in use takes writes and another does too, or follows a later
 * timeline; the one in use is asked again after the other had answered, so that a promotion is no split.
 */
export const findSplitBrain = async (hosts: WritableDatabaseHostSelector): Promise<string | undefined> => {
  const seen = await hosts.look();
  const own = seen.find(({ host }) => host === hosts.inUse?.host);
  if (own?.state !== 'writable') return undefined;
  const other = seen.find((one) => isApart(one, own));
  if (!other) return undefined;
  const again = await hosts.lookAgain(own.host);
  if (again.state !== 'writable' || hosts.inUse?.host !== own.host) return undefined;
  return other.state === 'writable'
    ? `two servers take writes: ${told(own)} and ${told(other)}`
    : `${told(own)} takes writes, and ${told(other)} follows a later timeline`;
};

/** Two addresses of one running server are no two servers. */
const isApart = (other: DatabaseHostStatus, own: DatabaseHostStatus): boolean => {
  if (other.server === undefined || other.server === own.server) return false;
  return other.state === 'writable' || (other.cluster === own.cluster && other.timeline! > own.timeline!);
};

/** Hosts stand in quotes, which pages for all leave out. */
const told = ({ name, timeline }: DatabaseHostStatus): string => `"${name}" (timeline ${timeline})`;
