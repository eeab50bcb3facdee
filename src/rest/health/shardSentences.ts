/** What keeps a node from serving a shard, as sentences: the same words in `/readyz`, the health pages and the log. */
import type { ShardReadiness } from '../../engine/engine.ts';

/** `shard a is closed: …`; undefined: it is served. */
export const shardProblemSentence = ({ shard, problem }: ShardReadiness): string | undefined =>
  problem === undefined ? undefined : `shard ${shard} ${problem}`;

export const shardProblemSentences = (states: readonly ShardReadiness[]): string[] =>
  states.flatMap((state) => shardProblemSentence(state) ?? []);

/** For a page that is open to all: what failed is told, and the log has where (hosts, ports, names of users and databases). */
export const redactShardProblem = ({ shard, problem }: ShardReadiness): ShardReadiness => {
  if (problem === undefined) return { shard };
  const told = problem
    .replace(/\((E[A-Z_]{4,})\b.*$/s, '($1)')
    .replace(/\b(E[A-Z_]{4,})\b(?!\)).*$/s, '$1')
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\b\d{1,3}(\.\d{1,3}){3}(:\d+)?\b/g, '…');
  return { shard, problem: told };
};
