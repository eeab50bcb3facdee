/** A campaign in words: drawn in a terminal, a line for every change elsewhere, and a summary at its end. */
import type { PaintText, TerminalTextStyle } from '../output.ts';
import { type Cell, fit } from '../formatTerminalTable.ts';
import { formatTimeWithDayUnlessToday } from '../times.ts';
import { span } from '../format.ts';
import type { CampaignBlocker, CampaignProgress } from './readCampaignProgress.ts';

export interface CampaignProgressView {
  standing: CampaignProgress;
  /** Calls a minute in the last minute; undefined: not known yet. */
  perMinute: number | undefined;
  /** When it will be over, epoch milliseconds; undefined: that cannot be said. */
  overAt: number | undefined;
  blockers: readonly CampaignBlocker[];
  /** The time zone of its account, and of all times here. */
  zone: string;
  /** Epoch milliseconds. */
  at: number;
}

export interface TerminalLineOptions {
  paint: PaintText;
  width: number;
}

/** Some lines of a terminal, none wider than the frame. */
export const drawCampaignProgressView = (
  view: CampaignProgressView,
  frame: TerminalLineOptions,
): string[] => {
  const { standing } = view;
  const { name, cp_id: id } = standing;
  const lines: Cell[][] = [
    [
      { text: `${name} (${id})  `, style: 'bold' },
      { text: spelled(phaseOf(standing)), style: styleOf(phaseOf(standing)) },
      { text: `  on the clock of ${view.zone}`, style: 'dim' },
    ],
    barOf(standing, Math.min(frame.width, 80)),
    [{ text: countsOf(standing) }],
    [{ text: paceOf(view), style: 'dim' }],
    ...view.blockers.map((one): Cell[] => [{ text: sentenceOf(one, view), style: 'yellow' }]),
  ];
  return lines.map((line) => fit(line, { paint: frame.paint, width: frame.width }));
};

/** One line. */
export const campaignProgressLine = (view: CampaignProgressView): string => {
  const { standing, at, zone } = view;
  const pace = paceOf(view);
  return `${formatTimeWithDayUnlessToday(at, at, zone)}  ${spelled(phaseOf(standing))}: ${countsOf(standing)}${pace && `   ${pace}`}`;
};

/** What holds it up, a line each. */
export const held = (view: CampaignProgressView): string[] =>
  view.blockers.map((one) => `          ${sentenceOf(one, view)}`);

/** How it ended. */
export const campaignSummaryLines = ({ standing, at }: CampaignProgressView): string[] => {
  const { name, cp_id: id, state, reason, created_at, finished_at } = standing;
  const { made, destinations, answered, transferred, skipped } = standing;
  const left = destinations - made;
  const skips = Object.entries(standing.skipped_by_reason).map(([why, count]) => `${why} ${count}`);
  return [
    `Campaign ${id} (${name}) ${ends[state] ?? state} after ${span((finished_at ?? at) - created_at)}.`,
    ...(reason === '' ? [] : [`  ${reason}`]),
    `  called ${made} of ${destinations} numbers, ${answered} answered${shareOf(answered, made)}`,
    ...(transferred > 0 ? [`  ${transferred} were transferred`] : []),
    ...(left > 0 ? [`  ${left} were never called`] : []),
    ...(skipped > 0 ? [`  records left out: ${skips.join(', ')}`] : []),
  ];
};

const ends: Readonly<Record<string, string>> = {
  completed: 'is completed',
  limitReached: 'has as many answers as it was to reach',
  expired: 'expired',
  failed: 'failed',
};

const shareOf = (part: number, whole: number): string =>
  whole === 0 ? '' : ` (${Math.round((part / whole) * 100)} %)`;

/** Ended calls are full, those under way are not. */
const barOf = ({ ended, made, destinations }: CampaignProgress, width: number): Cell[] => {
  const share = destinations === 0 ? 0 : Math.min(1, ended / destinations);
  const label = `${String(Math.floor(share * 100)).padStart(4)} %  ${ended} of ${destinations}`;
  const room = Math.max(10, width - label.length);
  const full = Math.floor(room * share);
  const begun = destinations === 0 ? 0 : Math.floor(room * Math.min(1, made / destinations)) - full;
  return [
    { text: '█'.repeat(full), style: 'green' },
    { text: '▒'.repeat(Math.max(0, begun)), style: 'cyan' },
    { text: '░'.repeat(room - full - Math.max(0, begun)), style: 'dim' },
    { text: label },
  ];
};

const countsOf = ({ made, destinations, answered, skipped, transferred }: CampaignProgress): string =>
  [
    `called ${made} of ${destinations}`,
    `answered ${answered}${shareOf(answered, made)}`,
    ...(transferred > 0 ? [`transferred ${transferred}`] : []),
    `skipped ${skipped}`,
  ].join('   ');

const paceOf = ({ perMinute, overAt, at, zone }: CampaignProgressView): string =>
  [
    ...(perMinute === undefined ? [] : [`${perMinute} calls a minute`]),
    ...(overAt === undefined
      ? []
      : [
          `over about ${formatTimeWithDayUnlessToday(overAt, at, zone)} (${overAt > at ? `in ${span(overAt - at)}` : 'now'})`,
        ]),
  ].join('   ');

const sentenceOf = (
  { detail, until }: CampaignBlocker,
  { at, zone }: Pick<CampaignProgressView, 'at' | 'zone'>,
): string =>
  `${detail}${until === undefined ? '' : `, until ${formatTimeWithDayUnlessToday(until, at, zone)}`}`;

/** One that is over has no phase any more. */
const phaseOf = ({ phase, state }: CampaignProgress): string => phase || state;

/** `waitingWindow` as words. */
const spelled = (word: string): string => word.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);

const styleOf = (phase: string): TerminalTextStyle => {
  if (['dialing', 'draining', 'completed'].includes(phase)) return 'green';
  return ['failed', 'expired'].includes(phase) ? 'red' : 'yellow';
};
