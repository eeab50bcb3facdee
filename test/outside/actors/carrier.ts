/** The telephone network: the sandbox carrier's own log, read as it grows. It is the carrier, and outlives every node. */
import { join } from 'node:path';
import type { Ledger } from '../evidence.ts';
import { jsonOf } from '../world/ask.ts';
import { followLog } from './logFollower.ts';

interface Line {
  at: number;
  do: string;
  channel: string;
  number: string;
  attempt: number;
  ringSeconds: number;
  speed: number;
}

export interface Carrier {
  stop(): void;
}

export const watchCarrier = (dataDir: string, ledger: Ledger): Carrier => {
  /** Looked for, not found, and given up: a dial that comes after that is not carried out. */
  const given = new Set<string>();

  const hear = ({ do: what, channel, ...line }: Partial<Line>): void => {
    if (channel === undefined) return;
    if (what === 'void') given.add(channel);
    const [shard, , id, leg = ''] = channel.split('.');
    const call = `${shard}_${id}`;
    if (what === 'hangUp') ledger.add({ kind: 'hungUp', call, leg });
    if (what !== 'originate' || given.has(channel)) return;
    const { number = '', attempt = 1, ringSeconds = 0, speed = 1, at = 0 } = line;
    const rings = Math.round((ringSeconds * 1_000) / speed);
    ledger.add({ kind: 'dialled', call, leg, attempt, number, rings, took: at - ledger.epoch });
  };
  return followLog(join(dataDir, 'sandbox/calls.log'), (line) => hear(jsonOf<Line>(line)));
};
