/** Addresses with several hosts: one watch for each, whatever the number of pools, and who is told of a split brain. */
import { type WritableDatabaseHostSelector, databaseHostsOf } from '../databaseFailover.ts';
import { watchForDatabaseSplitBrain } from './splitBrainWatch.ts';

/** A database of this process: a shard, or `control`. */
interface Watched {
  hosts: WritableDatabaseHostSelector;
  names: Set<string>;
}

/** `sentence`: how the servers of this database differ; undefined: no more. */
export type OnDatabaseSplitBrain = (name: string, sentence: string | undefined) => void;

export interface DatabaseFailoverMonitor {
  /** What is known of the hosts of this address, for a pool of that database; undefined where there is one server. */
  hostsFor(name: string, url: string): WritableDatabaseHostSelector | undefined;
  /** Databases with a split brain, with a sentence each; none as a rule. */
  splits(): ReadonlyMap<string, string>;
  /** Begins to watch. `onSplit` hears of the split brain of a shard (or `control`), and of its end. */
  watch(onSplit?: OnDatabaseSplitBrain): void;
  stop(): void;
}

/** Hears of other servers that take the writes, and of a split brain. */
export interface DatabaseFailoverLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Nothing is watched yet. */
export const createDatabaseFailoverMonitor = (log: DatabaseFailoverLogger): DatabaseFailoverMonitor => {
  const byUrl = new Map<string, Watched>();
  const splits = new Map<string, string>();
  const watches: { stop(): void }[] = [];
  const tell = (
    names: ReadonlySet<string>,
    sentence: string | undefined,
    onSplit: OnDatabaseSplitBrain,
  ): void => {
    for (const database of names) {
      if (sentence === undefined) {
        splits.delete(database);
        log.info({ database }, 'the split brain is over');
      } else {
        splits.set(database, sentence);
        log.error(
          { database },
          `split brain: ${sentence}; stop the one that was replaced, before more is lost`,
        );
      }
      onSplit(database, sentence);
    }
  };
  return {
    hostsFor: (name, url) => {
      const known = byUrl.get(url);
      const hosts = known?.hosts ?? databaseHostsOf(url);
      if (!hosts) return undefined;
      if (known) known.names.add(name);
      else byUrl.set(url, { hosts, names: new Set([name]) });
      return hosts;
    },
    splits: () => splits,
    watch: (onSplit = () => {}) => {
      for (const { hosts, names } of byUrl.values()) {
        const moved = (from: string, to: string): void =>
          log.warn({ databases: [...names], from, to }, 'another server takes the writes now');
        watches.push(
          watchForDatabaseSplitBrain(hosts, { moved, split: (sentence) => tell(names, sentence, onSplit) }),
        );
      }
    },
    stop: () => {
      for (const watch of watches.splice(0)) watch.stop();
    },
  };
};
