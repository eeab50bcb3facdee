/** Fills a sentence in. */
import { isolateBidi } from './isolateBidi.ts';

export type Fill = Readonly<Record<string, string | number>>;

/**
 * `{name}` becomes what is filled in under that name, and stays where that is missing; text keeps its direction to itself.
 * `{name:is|are}` becomes the words before the bar where that is the number 1, else those behind it.
 */
export const fillIn = (sentence: string, fill: Fill, writeNumber: (value: number) => string): string =>
  sentence.replaceAll(
    /\{(\w+)(?::([^|{}]*)\|([^{}]*))?\}/g,
    (whole, name: string, one: string | undefined, several: string) => {
      const value = fill[name];
      if (value === undefined) return whole;
      if (one !== undefined) return value === 1 ? one : several;
      return typeof value === 'number' ? writeNumber(value) : isolateBidi(value);
    },
  );
