/** Looks at every node twice a second: whether it lives, says that it is ready, and how much memory it holds. */
import type { Ledger } from '../evidence.ts';
import type { Asker } from '../world/asker.ts';
import { memoryOf, type Node } from '../world/node.ts';

const everyMs = 500;
/** Longer than any bound allows: what it took is for the rules. */
const patienceMs = 30_000;

export const watchNodes = (nodes: readonly Node[], ledger: Ledger, { ask }: Asker): { stop(): void } => {
  const asking = new Set<string>();
  const look = async (node: Node, path: string): Promise<void> => {
    const what = `${node.name} ${path}`;
    if (!node.isUp() || asking.has(what)) return;
    asking.add(what);
    const { status: http, ms, text, failed } = await ask(`${node.url}${path}`, { timeoutMs: patienceMs });
    asking.delete(what);
    // What we took away meanwhile says nothing of itself.
    if (node.isUp())
      ledger.add({ kind: 'health', node: node.name, path, http, ms, said: (failed || text).slice(0, 300) });
  };
  const timer = setInterval(() => {
    for (const node of nodes) {
      void look(node, '/healthz');
      void look(node, '/readyz');
      const bytes = node.isUp() ? memoryOf(node.pid()!) : 0;
      if (bytes > 0) ledger.add({ kind: 'memory', node: node.name, bytes });
    }
  }, everyMs);
  return { stop: () => clearInterval(timer) };
};
