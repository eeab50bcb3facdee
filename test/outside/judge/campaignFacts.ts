/** What the rules of campaigns ask the evidence for. */
import { kindOf } from '../catalogue.ts';
import { by, type Evidence, type Of, only } from '../evidence.ts';
import { type Bounds, spansOf, type Trouble, troublesAt } from './violation.ts';

export type Campaign = Of<'campaign'>;
export type Dial = Of<'dialled'>;

export interface Facts {
  campaigns: Campaign[];
  /** By campaign. */
  changes: Map<string, Of<'changed'>[]>;
  destinations: Map<string, Of<'destination'>[]>;
  skips: Map<string, Of<'skipped'>[]>;
  standings: Map<string, Of<'standing'>[]>;
  /** By call. */
  dials: Map<string, Dial[]>;
  dialsTo: Map<string, Dial[]>;
  hangUps: Map<string, Of<'hungUp'>[]>;
  /** By number, when that was acknowledged first. */
  blocks: Map<string, Of<'blocked'>[]>;
  /** When the dial was made. */
  momentOf(dial: Dial): number;
  /** So long it may have been on its way, for what was wrong just then. */
  underwayMs(dial: Dial): number;
}

/** A carrier's own time is believed so far back: it is read late by a judge who is busy, but not later. */
const readLateMs = 5_000;

export const factsOf = (lines: readonly Evidence[], bounds: Bounds): Facts => {
  const spans = spansOf(lines);
  const stepped = spans.filter(({ fault }) => fault === 'nodeClock').map(recovered);
  const stops = spans.filter(({ fault }) => kindOf(fault).track === 'service').map(recovered);
  const momentOf = ({ at, took = at }: Dial): number =>
    took < at && took > at - readLateMs && troublesAt(stepped, at, readLateMs).length === 0 ? took : at;
  return {
    campaigns: only(lines, 'campaign'),
    changes: by(only(lines, 'changed'), ({ campaign }) => campaign),
    destinations: by(only(lines, 'destination'), ({ campaign }) => campaign),
    skips: by(only(lines, 'skipped'), ({ campaign }) => campaign),
    standings: by(only(lines, 'standing'), ({ campaign }) => campaign),
    dials: by(only(lines, 'dialled'), ({ call }) => call),
    dialsTo: by(only(lines, 'dialled'), ({ number }) => number),
    hangUps: by(only(lines, 'hungUp'), ({ call }) => call),
    blocks: by(only(lines, 'blocked'), ({ number }) => number),
    momentOf,
    underwayMs: (dial) => {
      const at = momentOf(dial);
      const since = troublesAt(stops, at, bounds.underwayMs).map(({ from }) => at - from);
      return bounds.underwayMs + Math.max(0, ...since);
    },
  };
};

const recovered = (span: Trouble): Trouble => ({
  ...span,
  to: span.to + kindOf(span.fault).recoversMs,
});

/** The dials of a campaign's calls, in order. */
export const dialsOf = ({ destinations, dials }: Facts, { campaign }: Campaign): Dial[] =>
  (destinations.get(campaign) ?? [])
    .flatMap(({ call }) => dials.get(call) ?? [])
    .toSorted((a, b) => a.at - b.at);

/** What the carrier's numbers do, by their last two digits (docs/guides/first-call.md), and how long that takes. */
export const endingOf = ({ number, attempt, rings = 0 }: Dial): { status: string; afterMs?: number } => {
  const ending = number.slice(-2);
  const failing = /^2[1-4]$/.test(ending) && attempt === 1 ? `0${ending[1]}` : ending;
  switch (failing) {
    case '01':
      return { status: 'BUSY', afterMs: refusedMs };
    case '02':
      return { status: 'NOANSWER', afterMs: rings };
    case '03':
      return { status: 'CONGESTION', afterMs: refusedMs };
    case '04':
      return { status: 'CHANUNAVAIL', afterMs: refusedMs };
    default:
      return { status: 'OK' };
  }
};

/** A refusal comes after half a second of the carrier's time, which is five times as fast as the world's. */
const refusedMs = 100;

/** Spans in which its owner wants it to dial: switched on, and not before it opens. Moments; the last may be `Infinity`. */
export const wantedSpans = (campaign: Campaign, changes: readonly Of<'changed'>[]): [number, number][] => {
  const spans: [number, number][] = [];
  const opensAt = campaign.opensAt ?? 0;
  let since = campaign.active ? campaign.at : undefined;
  for (const { active, askedAt, at } of changes) {
    if (active === undefined) continue;
    if (!active && since !== undefined) spans.push([since, askedAt]);
    since = active ? at : undefined;
  }
  if (since !== undefined) spans.push([since, Infinity]);
  return spans
    .map(([from, to]): [number, number] => [Math.max(from, opensAt), to])
    .filter(([from, to]) => from < to);
};
