/** What is looked up to find where a second leg goes. */
import type { TargetRepository } from '../../providers/target.ts';
import { agentActive, queueActive } from '../reads/voice/targets.ts';
import { type DatabasePools, poolOf } from '../pools.ts';

export const targetRepository = (databases: DatabasePools): TargetRepository => ({
  agentActive: ({ shard, account }, agent) => agentActive(poolOf(databases, shard), account, agent),
  queueActive: ({ shard, account }, queue) => queueActive(poolOf(databases, shard), account, queue),
});
