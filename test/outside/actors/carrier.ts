/** The telephone network: the sandbox carrier's own log, read as it grows. It is the carrier, and outlives every node. */
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Ledger } from '../evidence.ts';
import { jsonOf } from '../world/ask.ts';

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
  const path = join(dataDir, 'sandbox/calls.log');
  let file = -1;
  let inode = 0;
  let known = 0;
  let rest = '';
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
  const readOn = (): void => {
    const { size } = fstatSync(file);
    if (size <= known) return;
    const bytes = Buffer.alloc(size - known);
    const read = readSync(file, bytes, 0, bytes.length, known);
    known += read;
    const pieces = (rest + bytes.toString('latin1', 0, read)).split('\n');
    rest = pieces.pop()!;
    for (const piece of pieces) hear(jsonOf<Line>(piece));
  };
  const look = (): void => {
    if (file === -1 && !existsSync(path)) return;
    // A log that has grown long is begun anew beside the old one, of which the end is read first.
    if (file !== -1) readOn();
    if (!existsSync(path) || (file !== -1 && statSync(path).ino === inode)) return;
    if (file !== -1) closeSync(file);
    file = openSync(path, 'r');
    inode = fstatSync(file).ino;
    [known, rest] = [0, ''];
    readOn();
  };
  const timer = setInterval(look, 200);
  let over = false;
  return {
    stop: () => {
      clearInterval(timer);
      if (over) return;
      over = true;
      look();
      if (file !== -1) closeSync(file);
    },
  };
};
