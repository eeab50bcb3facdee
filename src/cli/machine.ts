/** Machines as the admin API shows them, and following one of them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { AdminRouteAnswer } from '../admin/client.ts';
import type { ServiceClient } from './http.ts';

export type MachineDetails = AdminRouteAnswer<'GET /machines/:id'>;
export type MachineHistoryEntry = MachineDetails['history'][number];

/** Asks again after so long while there is news, and ever less often while there is none; milliseconds. */
const soonMs = 300;
const lateMs = 2_000;

/** Every entry of a machine's history as it comes, until the machine has ended; `quiet` hears of rounds without news. */
export async function* followMachineHistory(
  client: ServiceClient,
  id: string,
  quiet: () => Promise<void> = () => Promise.resolve(),
): AsyncGenerator<MachineHistoryEntry, MachineDetails> {
  let after = 0;
  let waitMs = soonMs;
  for (;;) {
    const machine = await client.admin('GET /machines/:id', { path: { id }, query: { after } });
    yield* machine.history;
    const last = machine.history.at(-1);
    after = last?.revision ?? after;
    if (machine.endedAt !== null && after >= machine.revision) return machine;
    if (last) waitMs = soonMs;
    else await quiet();
    await pause(waitMs);
    waitMs = Math.min(waitMs * 1.3, lateMs);
  }
}
