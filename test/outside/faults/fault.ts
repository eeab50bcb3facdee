/** A fault: does what is planned for as long as is planned, and undoes it. What it asks of a node is in its hands alone. */
import type { PlannedFault } from '../plan.ts';
import type { Done, Stage, World } from '../world.ts';

export type Fault<In extends Stage = World> = (world: In, planned: PlannedFault) => Promise<Done>;
/** What a fault needs that disturbs nobody: it is done so long before as is planned, and returns when the fault may begin. */
export type Preparation<In extends Stage = World> = (world: In, planned: PlannedFault) => Promise<void>;
