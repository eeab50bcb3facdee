/** What is looked up to find where a second leg goes. */
import type { AgentAndQueueStatusRepository } from '../../providers/contracts/target.ts';
import { findAgentActiveFlag, findQueueActiveFlag } from '../reads/voice/targets.ts';
import { type ControlAndShardPools, getShardPool } from '../pools.ts';

export const legTargetRepository = (databases: ControlAndShardPools): AgentAndQueueStatusRepository => ({
  agentActive: ({ shard, account }, agent) =>
    findAgentActiveFlag(getShardPool(databases, shard), account, agent),
  queueActive: ({ shard, account }, queue) =>
    findQueueActiveFlag(getShardPool(databases, shard), account, queue),
});
