/** A fault: does what is planned for as long as is planned, and undoes it. What it asks of a node is in its hands alone. */
import type { PlannedFault } from '../plan.ts';
import type { Done, World } from '../world.ts';

export type Fault = (world: World, planned: PlannedFault) => Promise<Done>;
