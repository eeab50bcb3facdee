/** Writes of messages, for what a store does with them. */
import type { Write } from '../../src/engine/store.ts';

/** When everything is written: epoch milliseconds. */
export const at = Date.UTC(2026, 10, 20);

let steps = 1_000;

/** A write of a message of account 7: its birth, or the step with this revision. Every one has a step id of its own. */
export const aWrite = (
  id: number,
  { revision = 1, ...change }: Partial<Write> & { revision?: number } = {},
): Write => ({
  account: 7,
  id,
  birth: revision === 1 ? { kind: 'message', version: 1, createdAt: at } : null,
  parent: null,
  guard: revision - 1,
  row: {
    revision,
    state: 'accepted',
    milestones: '[]',
    snapshot: '{"v":"accepted","c":{}}',
    agenda: '[]',
    wakeAt: null,
    heldBy: 5,
    stepId: ++steps,
    attention: null,
    endedAt: null,
  },
  history: [],
  record: null,
  tells: [],
  heard: [],
  claims: [],
  releases: [],
  bookings: [],
  ...change,
});
