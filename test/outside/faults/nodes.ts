/** What happens to processes: they are killed. */
import type { Fault } from './fault.ts';
import { pause } from '../world/ports.ts';

/** SIGKILL, and a start some seconds later. */
export const kill: Fault = async ({ nodes, held }, { node: nth, lastsMs }) => {
  const node = nodes[nth]!;
  held.add(node);
  await node.kill();
  await pause(lastsMs);
  await node.start();
  held.delete(node);
  return { count: 1 };
};
