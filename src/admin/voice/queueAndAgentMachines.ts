/**
 * Agents and queues, and the machines that stand for them. A line's machine has the id of its agent or queue; it is
 * started before the row is written, so that a reader who finds the row also finds the line.
 */
import type {
  CallQueueMember,
  CallQueueStrategy,
} from '../../../machines/contracts/targetResolutionAndQueue.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import type { AdminDeps } from '../deps.ts';

/** What a line is told of its agent or queue. */
export interface QueueOrAgentMachineSetup {
  strategy: CallQueueStrategy;
  members: CallQueueMember[];
  active: boolean;
}

/** Agents and queues share one counter: their machines share one table. */
export const newQueueOrAgentId = (deps: AdminDeps): Promise<number> => deps.control.reserveIds('line', 1);

export const startQueueOrAgentMachine = async (
  deps: AdminDeps,
  { shard, id: account }: AccountRow,
  id: number,
  setup: QueueOrAgentMachineSetup,
) => deps.engine.start({ kind: 'line', shard, account, id, input: setup });

/** Tells a line what has changed; one that had ended begins anew. */
export const updateQueueOrAgentMachine = async (
  deps: AdminDeps,
  account: AccountRow,
  id: number,
  setup: QueueOrAgentMachineSetup,
): Promise<void> => {
  const ref = { shard: account.shard, account: account.id, id };
  const sent = await deps.engine.send(ref, { type: 'lineChanged', ...setup });
  if (sent.outcome === 'gone' && setup.active) await startQueueOrAgentMachine(deps, account, id, setup);
};

/** The line of a deleted agent or queue: it ends once no call talks or waits there any more. */
export const closeQueueOrAgentMachine = async (
  deps: AdminDeps,
  account: AccountRow,
  id: number,
): Promise<void> => {
  await deps.engine.send({ shard: account.shard, account: account.id, id }, { type: 'lineRemoved' });
};
