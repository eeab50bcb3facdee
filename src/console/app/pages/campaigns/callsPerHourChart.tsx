/** Dials and answers by the hour as bars: solid what was, outlined what the forecast says. */
import type { JSX } from 'preact';
import { Mark } from '../../ui/mark.tsx';
import { formatLocalizedNumber, useTranslation } from '../../words/index.ts';
import { type Bar, roundUpToNiceNumber } from './hourlyCallBars.ts';
import { useElementWidth } from './useElementWidth.ts';
import { formatShortDayInZone, formatTimeInZone } from './when.ts';

interface HoursChartProps {
  bars: readonly Bar[];
  zone: string;
  /** It goes on: a line stands at the hour of now. */
  now?: number;
  title: string;
}

const tall = 196;
const left = 46;
const foot = 22;
const head = 8;

export const CallsPerHourChart = ({ bars, zone, now, title }: HoursChartProps): JSX.Element => {
  const say = useTranslation();
  const [box, width] = useElementWidth();
  return (
    <div class="chartbox">
      <div class="cap">
        <span class="dim">{title}</span>
        <span class="key small dim">
          <Mark of="live" /> {say('cpDials')} <Mark of="good" /> {say('answersKey')}
        </span>
      </div>
      <div ref={box} class="hours">
        {width > 0 && bars.length > 0 && (
          <svg width={width} height={tall} role="img" aria-label={labelOf(bars, title)}>
            <Bars bars={bars} zone={zone} now={now} width={width} />
          </svg>
        )}
      </div>
    </div>
  );
};

const labelOf = (bars: readonly Bar[], title: string): string => {
  const most = bars.reduce((one, other) => (heightOf(other) > heightOf(one) ? other : one));
  return `${title}: ${formatLocalizedNumber(heightOf(most))}`;
};

const heightOf = ({ dials, dialled }: Bar): number => dials + dialled;

interface BarsProps {
  bars: readonly Bar[];
  zone: string;
  now: number | undefined;
  width: number;
}

const Bars = ({ bars, zone, now, width }: BarsProps): JSX.Element => {
  const say = useTranslation();
  const most = roundUpToNiceNumber(Math.max(...bars.map(heightOf)));
  const slot = Math.min(90, (width - left) / bars.length);
  const wide = Math.max(2, Math.min(60, slot * 0.72));
  const y = (value: number): number => head + (tall - head - foot) * (1 - value / most);
  const x = (index: number): number => left + slot * index;
  const every = Math.ceil(52 / slot);
  const isByDay = bars.length > 1 && bars[1]!.at - bars[0]!.at >= 86_400_000;
  const at = now === undefined ? -1 : bars.findLastIndex((bar) => bar.at <= now);
  return (
    <>
      {[0, most / 2, most].map((value) => (
        <g key={value}>
          <path class="grid" d={`M${left} ${y(value)}H${width}`} />
          {Number.isInteger(value) && (
            <text class="axis" x={left - 6} y={y(value) + 4} text-anchor="end">
              {formatLocalizedNumber(value)}
            </text>
          )}
        </g>
      ))}
      {bars.map((bar, index) => (
        <g key={bar.at}>
          <title>
            {say('hourOfChart', {
              when: `${formatShortDayInZone(zone, bar.at)} ${formatTimeInZone(zone, bar.at)}`,
              dials: bar.dials + bar.dialled,
              answers: bar.answers + bar.answered,
            })}
          </title>
          <Column bar={bar} x={x(index) + (slot - wide) / 2} wide={wide} y={y} />
          {index % every === 0 && (
            <text class="axis" x={x(index) + slot / 2} y={tall - 6} text-anchor="middle">
              {isByDay ? formatShortDayInZone(zone, bar.at) : formatTimeInZone(zone, bar.at)}
            </text>
          )}
          {index > 0 &&
            !isByDay &&
            formatShortDayInZone(zone, bar.at) !== formatShortDayInZone(zone, bars[index - 1]!.at) && (
              <>
                <path class="day" d={`M${x(index)} ${head}V${tall - foot}`} />
                <text class="axis" x={x(index) + 4} y={head + 10}>
                  {formatShortDayInZone(zone, bar.at)}
                </text>
              </>
            )}
        </g>
      ))}
      {at >= 0 && (
        <>
          <path class="now-line" d={`M${x(at) + slot / 2} ${head}V${tall - foot}`} />
          <text class="axis" x={x(at) + slot / 2 + 5} y={head + 10}>
            {say('nowMark')}
          </text>
        </>
      )}
    </>
  );
};

interface ColumnProps {
  bar: Bar;
  x: number;
  wide: number;
  y(value: number): number;
}

/** Of an hour that goes on the forecast stands on top of what was. */
const Column = ({ bar, x, wide, y }: ColumnProps): JSX.Element => {
  const { dials, answers, dialled, answered } = bar;
  const part = (name: string, from: number, to: number): JSX.Element | null =>
    to <= from ? null : <rect class={name} x={x} width={wide} y={y(to)} height={y(from) - y(to)} />;
  return (
    <>
      {part('b-live', 0, dialled)}
      {part('b-good', 0, answered)}
      {part('b-live soft', dialled, dialled + dials)}
      {part('b-good soft', dialled, dialled + answers)}
    </>
  );
};
