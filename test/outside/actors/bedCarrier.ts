/** A carrier of the bed: its log, read as it grows. It outlives every node and its Asterisk. */
import type { Ledger } from '../evidence.ts';
import type { LegMoment } from '../trunkEvidence.ts';
import type { Asterisk } from '../world/asterisks.ts';
import { followLog } from './logFollower.ts';

/** Writes down what the carrier did with each leg, until it is stopped. */
export const watchBedCarrier = (
  { name, dialsLog }: Pick<Asterisk, 'name' | 'dialsLog'>,
  ledger: Ledger,
): { stop(): void } => {
  const numbers = new Map<string, string>();

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
  return followLog(dialsLog, hear);
};
