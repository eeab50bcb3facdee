/** Writes, for what a store does with them. */
import { machineKinds } from '../../machines/index.ts';
import type { MachineWrite } from '../../src/engine/contract/rows.ts';

/** When everything is written: epoch milliseconds. */
export const at = Date.UTC(2026, 10, 20);

let steps = 1_000;

/** A write of a message of account 7: its birth, or the step with this revision. Every one has a step id of its own. */
export const aWrite = (
  id: number,
  { revision = 1, ...change }: Partial<MachineWrite> & { revision?: number } = {},
): MachineWrite => ({
  account: 7,
  id,
  insert: revision === 1 ? { kind: 'message', version: 1, createdAt: at } : null,
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

/** Of every kind a step, a birth by that, and a birth by what was born; each with everything that a write can have. */
export const aBitOfEverything = (): MachineWrite[] =>
  machineKinds.flatMap((kind, nth) => [
    aFullWrite(10 * nth + 1, kind, false, null),
    aFullWrite(10 * nth + 2, kind, true, 10 * nth + 1),
    aFullWrite(10 * nth + 3, kind, true, 10 * nth + 2),
  ]);

const aFullWrite = (
  id: number,
  kind: (typeof machineKinds)[number],
  born: boolean,
  parent: number | null,
): MachineWrite => ({
  ...aWrite(id),
  ...{ parent, guard: 1, heard: [9], releases: ['k'] },
  insert: born ? { kind: kind.name, version: 1, createdAt: at } : null,
  history: [{ revision: 1, at, event: 'started', payload: '{}', state: 's', asked: '', taken: '' }],
  record: kind.record
    ? {
        kind: kind.name,
        inserted: born ? Object.keys(kind.record.insertColumns).map(() => null) : null,
        updated: Object.keys(kind.record.updateColumns).map(() => null),
      }
    : null,
  tells: [{ account: 7, machine: 1, id: 8, event: '{}', at }],
  claims: [{ key: `k${id}`, until: at, answer: null }],
  bookings: [{ id: 3, account: 7, balance: 'balance', amount: 1, entry: 'refund', at }],
});
