/** A carrier of the bed: its log, read as it grows. It outlives every node and its Asterisk. */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Ledger } from '../evidence.ts';
import type { LegMoment } from '../trunkEvidence.ts';
import type { Asterisk } from '../world/asterisks.ts';

const everyMs = 200;

/** Writes down what the carrier did with each leg, until it is stopped. */
export const watchBedCarrier = (
  { name, dialsLog }: Pick<Asterisk, 'name' | 'dialsLog'>,
  ledger: Ledger,
): { stop(): void } => {
  const numbers = new Map<string, string>();
  let file = -1;
  let known = 0;
  let rest = '';

  const hear = (line: string): void => {
    const [what, one = '', other = '', seconds, micros] = line.trim().split(' ');
    if (what === 'dial') numbers.set(other, one);
    if (what !== 'saw') return;
    const [shard, , id, leg] = other.split('.');
    // What an operator told the carrier is no leg.
    if (leg === undefined) return;
    const [saw, sip = '0'] = one.split('-');
    const took = Math.round(Number(seconds) * 1_000 + Number(micros) / 1_000 - ledger.epoch);
    ledger.add({
      ...{ kind: 'leg', carrier: name, call: `${shard}_${id}`, leg: Number(leg), took },
      ...{ number: numbers.get(other) ?? '', saw: saw as LegMoment, sip: Number(sip) },
    });
  };
  const look = (): void => {
    if (file === -1 && !existsSync(dialsLog)) return;
    if (file === -1) file = openSync(dialsLog, 'r');
    const bytes = Buffer.alloc(Math.max(0, fstatSync(file).size - known));
    const read = readSync(file, bytes, 0, bytes.length, known);
    known += read;
    const pieces = (rest + bytes.toString('latin1', 0, read)).split('\n');
    rest = pieces.pop()!;
    for (const piece of pieces) hear(piece);
  };
  const timer = setInterval(look, everyMs);
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
