/** What is looked up to find where a second leg goes. */
import type { LegTargetRepository } from '../../providers/target.ts';
import { readAgentActiveFlag, readQueueActiveFlag } from '../reads/voice/targets.ts';
import { type DatabasePools, getShardPool } from '../pools.ts';

export const legTargetRepository = (databases: DatabasePools): LegTargetRepository => ({
  agentActive: ({ shard, account }, agent) =>
    readAgentActiveFlag(getShardPool(databases, shard), account, agent),
  queueActive: ({ shard, account }, queue) =>
    readQueueActiveFlag(getShardPool(databases, shard), account, queue),
});
