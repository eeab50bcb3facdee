/** The faults by their names in the catalogue. */
import type { FaultName } from '../catalogue.ts';
import {
  cutConnections,
  hangConnections,
  keepCopy,
  promoteAsync,
  promoteKilled,
  promoteSync,
  restoreOld,
} from './databases.ts';
import type { Fault, Preparation } from './fault.ts';
import { hostileRequests, silentBodies, unreadAnswers } from './hostile.ts';
import { gatewayNonsense, receiverNonsense, silentNames, smscNonsense } from './neighbours.ts';
import { databaseClock, freeze, kill, nodeClock, restart, suspend } from './nodes.ts';
import { fullDisk, readOnly, redisGone, redisHangs } from './servers.ts';

export const faults: Record<FaultName, Fault> = {
  ...{ kill, freeze, suspend, restart, nodeClock, databaseClock },
  ...{ readOnly, fullDisk, redisHangs, redisGone },
  ...{ promoteSync, promoteAsync, promoteKilled, restoreOld, cutConnections, hangConnections },
  ...{ hostileRequests, silentBodies, unreadAnswers },
  ...{ gatewayNonsense, smscNonsense, receiverNonsense, silentNames },
};

export const preparations: Partial<Record<FaultName, Preparation>> = { restoreOld: keepCopy };
