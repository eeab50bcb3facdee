/** The faults by their names in the catalogue. */
import { type FaultName, hitsOneNode } from '../catalogue.ts';
import type { PlannedFault } from '../plan.ts';
import type { AsteriskWorld, Stage, World } from '../world.ts';
import { asteriskOf, ofAsterisks } from './asterisks.ts';
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

/** How a run does its faults. */
export interface Hands<In extends Stage> {
  faults: Partial<Record<FaultName, Fault<In>>>;
  preparations: Partial<Record<FaultName, Preparation<In>>>;
  /** What it hits, by its name; empty: all, or none in particular. */
  whom(world: In, planned: PlannedFault): string;
}

const faults: Record<Exclude<FaultName, keyof typeof ofAsterisks>, Fault> = {
  ...{ kill, freeze, suspend, restart, nodeClock, databaseClock },
  ...{ readOnly, fullDisk, redisHangs, redisGone },
  ...{ promoteSync, promoteAsync, promoteKilled, restoreOld, cutConnections, hangConnections },
  ...{ hostileRequests, silentBodies, unreadAnswers },
  ...{ gatewayNonsense, smscNonsense, receiverNonsense, silentNames },
};

/** Of a run with the carrier that is a log. */
export const hands: Hands<World> = {
  faults,
  preparations: { restoreOld: keepCopy },
  whom: ({ nodes }, { fault, node }) => (hitsOneNode(fault) ? nodes[node]!.name : ''),
};

/** Of a run with Asterisks. */
export const handsOnAsterisks: Hands<AsteriskWorld> = {
  faults: { kill, ...ofAsterisks },
  preparations: {},
  whom: (world, planned) =>
    hitsOneNode(planned.fault) ? world.nodes[planned.node]!.name : asteriskOf(world, planned).name,
};
