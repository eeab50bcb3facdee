/** What is looked up to find where a second leg goes. */
import type { LegTargetRepository } from '../../providers/target.ts';
import { isAgentActive, isQueueActive } from '../reads/voice/targets.ts';
import { type DatabasePools, getShardPool } from '../pools.ts';

export const targetRepository = (databases: DatabasePools): LegTargetRepository => ({
  agentActive: ({ shard, account }, agent) => isAgentActive(getShardPool(databases, shard), account, agent),
  queueActive: ({ shard, account }, queue) => isQueueActive(getShardPool(databases, shard), account, queue),
});
