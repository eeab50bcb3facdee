/** What a rule finds: a sentence, and the lines of evidence it rests on. */
import { type Evidence, type Of, only } from '../evidence.ts';
import { kindOf } from '../catalogue.ts';

export interface Violation {
  rule: string;
  what: string;
  lines: readonly Evidence[];
}

export interface Bounds {
  /** After a fault of the service is mended, until all is as usual again, milliseconds. */
  recoveryMs: number;
  /** For an answer to an innocent when nothing is wrong, or only at a neighbour, milliseconds. */
  answerMs: number;
  /** Until `/readyz` is red when the database refuses writes, milliseconds. */
  redMs: number;
  /** Memory of a node, bytes. */
  mostMemory: number;
  /** Lines of a node's log within ten seconds. */
  mostLines: number;
}

export type Rule = (lines: readonly Evidence[], bounds: Bounds) => Violation[];

/** When something was wrong, and with which node; an empty name: with what all nodes share. */
export interface Trouble {
  fault: string;
  from: number;
  to: number;
  node: string;
}

/** Times of faults that concern all, each with the time that it takes to get well. */
export const troublesOf = (lines: readonly Evidence[], { recoveryMs }: Bounds): Trouble[] =>
  spansOf(lines)
    .filter(({ fault }) => kindOf(fault).concern === 'service')
    .map((span) => ({ ...span, to: span.to + recoveryMs }));

/** Faults from their beginning to their end; one without an end lasted to the last line. */
export const spansOf = (lines: readonly Evidence[]): (Trouble & Pick<Of<'fault'>, 'fault'>)[] => {
  const faults = only(lines, 'fault');
  const last = lines.at(-1)?.at ?? 0;
  return faults
    .filter(({ phase }) => phase === 'began')
    .map((began) => {
      const ended = faults.find(
        ({ fault, phase, at, node }) =>
          phase === 'ended' && fault === began.fault && node === began.node && at >= began.at,
      );
      return { fault: began.fault, from: began.at, to: ended?.at ?? last, node: began.node };
    });
};

/** Those that touch a moment, or the time before it in which something took `ms`. */
export const troublesAt = (troubles: readonly Trouble[], at: number, ms = 0): Trouble[] =>
  troubles.filter(({ from, to }) => from <= at && to >= at - ms);
