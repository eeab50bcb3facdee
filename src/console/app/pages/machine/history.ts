/** A machine's entries as the page keeps them: in order, once each, from several sources. */
import type { Entry } from '../../data.ts';
import { textOf } from '../../textOf.ts';

/** Adds entries to those that are known. What is known already is not added again. */
export const joined = (known: readonly Entry[], more: readonly Entry[]): readonly Entry[] => {
  const last = known.at(-1)?.revision ?? -1;
  const fresh = more.filter(({ revision }) => revision > last);
  return fresh.length === 0 ? known : [...known, ...fresh];
};

export interface Asked {
  effects: string[];
  timers: { name: string; ms: number }[];
  /** An event that failed: its error. */
  error: string | undefined;
}

/** What an entry asked for. */
export const askedOf = ({ asked }: Pick<Entry, 'asked'>): Asked => {
  if (!Array.isArray(asked)) return { effects: [], timers: [], error: asked ? textOf(asked) : undefined };
  const effects: string[] = [];
  const timers: Asked['timers'] = [];
  for (const one of asked) {
    const text = textOf(one);
    const [, name, ms] = /^(.+)\+(\d+)$/.exec(text) ?? [];
    if (name !== undefined) timers.push({ name, ms: Number(ms) });
    else effects.push(text);
  }
  return { effects, timers, error: undefined };
};

/** Index of the entry of a revision, or of the last one before it; the last entry for none. */
export const indexOf = (entries: readonly Entry[], revision: number | undefined): number => {
  if (revision === undefined) return entries.length - 1;
  const after = entries.findIndex((entry) => entry.revision > revision);
  return after === -1 ? entries.length - 1 : Math.max(0, after - 1);
};
