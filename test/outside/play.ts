/** Plays the plan: each fault at its time, and a line of evidence before and after it. */
import { kindOf } from './catalogue.ts';
import type { Hands } from './faults/index.ts';
import type { PlannedFault } from './plan.ts';
import type { Stage } from './world.ts';
import { pause } from './world/ports.ts';

/** Between two faults of the service at the least, where one took longer than planned, milliseconds. */
const restMs = 3_000;

/** Settles when the last fault is undone. */
export const play = async <In extends Stage>(
  world: In,
  plan: readonly PlannedFault[],
  { faults, preparations, whom }: Hands<In>,
  say: (line: string) => void,
): Promise<void> => {
  const { ledger } = world;
  /** Faults of one track do not overlap, however long they take to be undone: the plan says not before when. */
  const tracks = { service: Promise.resolve(), neighbour: Promise.resolve() };
  const one = async (planned: PlannedFault): Promise<void> => {
    const { fault } = planned;
    await preparations[fault]?.(world, planned);
    const node = whom(world, planned);
    ledger.add({ kind: 'fault', fault, phase: 'began', node, count: 0, note: '' });
    const done = await faults[fault]!(world, planned).catch((error: unknown) => ({
      count: 0,
      note: `the fault itself failed: ${error instanceof Error ? error.message : String(error)}`,
    }));
    const note = done.note ?? '';
    ledger.add({ kind: 'fault', fault, phase: 'ended', node, count: done.count, note });
    say(
      `${(ledger.now() / 1000).toFixed(0).padStart(5)} s  ${fault}${node && ` of ${node}`}${note && `: ${note}`}`,
    );
  };
  const inOrder = plan.toSorted((a, b) => a.at - a.preparesMs - (b.at - b.preparesMs));
  for (const planned of inOrder) {
    await pause(planned.at - planned.preparesMs - ledger.now());
    const { track } = kindOf(planned.fault);
    tracks[track] = tracks[track]
      .then(() => one(planned))
      .then(() => pause(track === 'service' ? restMs : 0));
  }
  await Promise.all(Object.values(tracks));
};
