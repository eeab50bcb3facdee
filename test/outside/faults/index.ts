/** The faults by their names in the catalogue. */
import type { FaultName } from '../catalogue.ts';
import type { Fault } from './fault.ts';
import { kill } from './nodes.ts';

export const faults: Record<FaultName, Fault> = { kill };
