/** The faults by their names in the catalogue. */
import type { FaultName } from '../catalogue.ts';
import type { Fault } from './fault.ts';
import { hostileRequests, silentBodies, unreadAnswers } from './hostile.ts';
import { gatewayNonsense, receiverNonsense, silentNames, smscNonsense } from './neighbours.ts';
import { databaseClock, freeze, kill, nodeClock, restart } from './nodes.ts';
import { fullDisk, readOnly, redisGone, redisHangs } from './servers.ts';

export const faults: Record<FaultName, Fault> = {
  ...{ kill, freeze, restart, nodeClock, databaseClock },
  ...{ readOnly, fullDisk, redisHangs, redisGone },
  ...{ hostileRequests, silentBodies, unreadAnswers },
  ...{ gatewayNonsense, smscNonsense, receiverNonsense, silentNames },
};
