/** Waiting for what a machine passes. A milestone that does not come in time fails the test. */
import type { MachineEngine, MachineRef } from '../../src/engine/contract/api.ts';
import { patienceMs } from './patience.ts';

/** Waits until the machine has passed the milestone; throws when it ended without it, or with the test's patience. */
export const passes = async (
  engine: Pick<MachineEngine, 'waitFor'>,
  ref: MachineRef,
  milestone: string,
): Promise<void> => {
  const seen = await engine.waitFor(ref, milestone, patienceMs);
  if (seen !== 'reached')
    throw new Error(`machine ${ref.id} of account ${ref.account} did not pass '${milestone}': ${seen}`);
};
