/** Dials and answers by the hour: what was, from the figures; what will be, from the forecast. */
import type { CampaignChartFigures, CampaignForecastAnswer } from './data.ts';

export interface Bar {
  /** Where it begins, epoch milliseconds. */
  at: number;
  /** Forecast. */
  dials: number;
  answers: number;
  /** What was. */
  dialled: number;
  answered: number;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** More bars than this are drawn by the day. */
const mostBars = 48;

/** Only hours in which something is dialled; by the day where there are many of them. */
export const hourlyCallBars = (
  figures: CampaignChartFigures | undefined,
  forecast: CampaignForecastAnswer | undefined,
): Bar[] => {
  const hours = new Map<number, Bar>();
  const barAt = (at: number): Bar => {
    const from = Math.floor(at / hourMs) * hourMs;
    const bar = hours.get(from) ?? { at: from, dials: 0, answers: 0, dialled: 0, answered: 0 };
    hours.set(from, bar);
    return bar;
  };
  for (const { hour, dials, answered } of forecast?.calls_per_hour ?? []) {
    const bar = barAt(Date.parse(hour));
    bar.dials += dials;
    bar.answers += answered;
  }
  for (const { bucket, dials, answers } of figures?.dialled ?? []) {
    const bar = barAt(figures!.from + bucket * figures!.step_ms);
    bar.dialled += dials;
    bar.answered += answers;
  }
  const bars = [...hours.values()].toSorted((one, other) => one.at - other.at);
  return bars.length <= mostBars ? bars : byDay(bars);
};

const byDay = (bars: readonly Bar[]): Bar[] => {
  const days = new Map<number, Bar>();
  for (const bar of bars) {
    const at = Math.floor(bar.at / dayMs) * dayMs;
    const day = days.get(at) ?? { at, dials: 0, answers: 0, dialled: 0, answered: 0 };
    days.set(at, day);
    day.dials += bar.dials;
    day.answers += bar.answers;
    day.dialled += bar.dialled;
    day.answered += bar.answered;
  }
  return [...days.values()];
};

/** A round number at or above it: 3, 30, 1,500. */
export const roundUpToNiceNumber = (value: number): number => {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((step) => step >= value) ?? 1;
};
