/** Machines as the admin API shows them, and following one of them. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from './http.ts';

export interface HistoryEntry {
  revision: number;
  /** Epoch milliseconds. */
  at: number;
  event: string;
  state: string;
  asked: string[];
  payload: unknown;
}

export interface Machine {
  id: string;
  account: number;
  kind: string;
  version: number;
  revision: number;
  state: string;
  milestones: string[];
  context: Record<string, unknown>;
  agenda: { what: 'timer' | 'effect'; id: string; name: string; dueAt: number; tries?: number }[];
  attention: string | null;
  createdAt: number;
  endedAt: number | null;
  /** Oldest first, a page of it. */
  history: HistoryEntry[];
  record: Record<string, unknown> | null;
}

export interface Explanation {
  id: string;
  state: string;
  ended: boolean;
  reasons: { rule: string; detail: string; at: number; until?: number; open: boolean }[];
  sentences: string[];
}

/** The path of a machine below the admin API; `account` tells small ids apart. */
export const machinePath = (
  id: string,
  part = '',
  query: Record<string, string | number | undefined> = {},
) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return `/machines/${encodeURIComponent(id)}${part}${search === '' ? '' : `?${search}`}`;
};

/** Asks again after so long while there is news, and ever less often while there is none; milliseconds. */
const soonMs = 300;
const lateMs = 2_000;

/** Every entry of a machine's history as it comes, until the machine has ended; `quiet` hears of rounds without news. */
export async function* follow(
  client: Client,
  id: string,
  quiet: () => Promise<void> = () => Promise.resolve(),
): AsyncGenerator<HistoryEntry, Machine> {
  let after = 0;
  let waitMs = soonMs;
  for (;;) {
    const machine = await client.admin<Machine>('GET', machinePath(id, '', { after }));
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
