/** What a rule finds: a sentence, and the lines of evidence it rests on. */
import { type FaultName, kindOf } from '../catalogue.ts';
import { type Evidence, only } from '../evidence.ts';

export interface Violation {
  rule: string;
  what: string;
  lines: readonly Evidence[];
}

/** What is patience and what is too much; times in milliseconds. */
export interface Bounds {
  /** Added to the time that each fault takes to get well. */
  graceMs: number;
  /** For an answer to an innocent when nothing is wrong, or only at a neighbour. */
  answerMs: number;
  /** From an innocent's acknowledged wish to the carrier, and to the first callback. */
  workMs: number;
  /** For `/healthz`. */
  healthMs: number;
  /** A node may be red for so long without a reason. */
  blinkMs: number;
  /** Until `/readyz` is red when the database refuses writes. */
  redMs: number;
  /** Until every node is ready and dials, once a database that went back or was away is whole. */
  openMs: number;
  /** The same after a standby with every commit was promoted. */
  failOverMs: number;
  /** Memory of a node, bytes: what it holds once its garbage is collected. */
  mostMemory: number;
  /** Lines of a node's log within ten seconds. */
  mostLines: number;
  /** A dial may follow a pause, or a block, by so much after that was acknowledged: it was on its way. */
  underwayMs: number;
  /** A campaign that may dial, while nothing is wrong, does so after this long; all its idle time together. */
  idleMs: number;
  mostIdleMs: number;
  /** While an Asterisk is away, calls go on elsewhere within this time. */
  elsewhereMs: number;
  /** Once it is back it is used again within this time. */
  backMs: number;
  /** New legs of a trunk may arrive in a bunch of so long: what a busy machine holds back. */
  bunchMs: number;
  /** After a drain was acknowledged new legs may come for so long: nodes hear of it one after the other. */
  drainsMs: number;
}

export type Rule = (lines: readonly Evidence[], bounds: Bounds) => Violation[];

/** When something was wrong, and with which node; an empty name: with what all nodes share. */
export interface Trouble {
  fault: FaultName;
  from: number;
  to: number;
  node: string;
}

/** Times at which requests may be refused, each with the time that it takes to get well. */
export const refusalsOf = (lines: readonly Evidence[], { graceMs }: Bounds): Trouble[] =>
  [...spansOf(lines), ...killedWith(lines)]
    .filter(({ fault }) => kindOf(fault).refuses !== 'nobody')
    .map((span) => ({ ...span, to: span.to + kindOf(span.fault).recoversMs + graceMs }));

/** Nodes that were killed together with the database, each until it was started again. */
const killedWith = (lines: readonly Evidence[]): Trouble[] =>
  spansOf(lines)
    .filter(({ fault }) => fault === 'promoteKilled')
    .flatMap((span) =>
      only(lines, 'exited')
        .filter(({ at }) => at >= span.from && at <= span.to)
        .map(({ node, at }) => {
          const started = only(lines, 'started').find((line) => line.node === node && line.at > at);
          return { ...span, node, to: started?.at ?? span.to };
        }),
    );

/** Times at which anything of the service was wrong: work may take longer. */
export const troublesOf = (lines: readonly Evidence[], { graceMs }: Bounds): Trouble[] =>
  spansOf(lines)
    .filter(({ fault }) => kindOf(fault).track === 'service')
    .map((span) => ({ ...span, to: span.to + kindOf(span.fault).recoversMs + graceMs }));

/** Faults from their beginning to their end; one without an end lasted to the last line. */
export const spansOf = (lines: readonly Evidence[]): Trouble[] => {
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
