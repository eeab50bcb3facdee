/**
 * Listens the way the engine does: facts by machine, in order, repeats dropped, and a wait for the next one that matters.
 */
import type { Fact, ReportFactToMachine } from '../../src/engine/contract/performer.ts';
import { patienceMs } from './patience.ts';

export interface MachineName {
  shard: string;
  account: number;
  id: number;
}

/** One machine's ear. */
export interface Heard {
  machine: MachineName;
  /** Everything heard, in order, repeats dropped by `seq`. */
  facts: Fact[];
  /** Highest `seq` by source; what an engine would hand to a performer. */
  seen: Record<string, number>;
  /** Takes a fact, as a commit would. */
  take(fact: Fact): void;
  /** The first fact that matches, heard already or yet to come. Fails with all facts heard when it does not come. */
  until(wanted: Partial<Fact>): Promise<Fact>;
}

export interface Listener {
  report: ReportFactToMachine;
  /** The ear of a machine; the same one for the same id. */
  of(machine: MachineName): Heard;
}

const matches = (fact: Fact, wanted: Partial<Fact>): boolean =>
  Object.entries(wanted).every(([key, value]) => fact[key] === value);

const anEar = (machine: MachineName): Heard => {
  const waiting = new Set<(fact: Fact) => void>();
  const heard: Heard = {
    machine,
    facts: [],
    seen: {},
    take: (fact) => {
      if (fact.source !== undefined && fact.seq !== undefined) {
        if (fact.seq <= (heard.seen[fact.source] ?? 0)) return;
        heard.seen[fact.source] = fact.seq;
      }
      heard.facts.push(fact);
      for (const tell of waiting) tell(fact);
    },
    until: (wanted) => {
      const already = heard.facts.find((fact) => matches(fact, wanted));
      if (already) return Promise.resolve(already);
      return new Promise((resolve, reject) => {
        const late = setTimeout(() => {
          waiting.delete(tell);
          const story = heard.facts.map((fact) => JSON.stringify(fact)).join('\n  ') || '(nothing)';
          reject(new Error(`${JSON.stringify(wanted)} did not come; heard:\n  ${story}`));
        }, patienceMs);
        const tell = (fact: Fact): void => {
          if (!matches(fact, wanted)) return;
          clearTimeout(late);
          waiting.delete(tell);
          resolve(fact);
        };
        waiting.add(tell);
      });
    },
  };
  return heard;
};

/** A listener for any number of machines. */
export const aListener = (): Listener => {
  const ears = new Map<string, Heard>();
  const of = (machine: MachineName): Heard => {
    const key = `${machine.shard}.${machine.account}.${machine.id}`;
    const ear = ears.get(key) ?? anEar(machine);
    ears.set(key, ear);
    return ear;
  };
  return { of, report: (machine, fact) => of(machine).take(fact) };
};
