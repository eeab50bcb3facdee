/** What became of the destinations whose call has ended, and when. */
import type { JSX } from 'preact';
import { type StatusTone, Mark } from '../../ui/mark.tsx';
import { formatLocalizedNumber, type Say, useTranslation, type Word } from '../../words/index.ts';
import type { CampaignChartFigures } from './data.ts';
import { roundUpToNiceNumber } from './hourlyCallBars.ts';
import { useElementWidth } from './useElementWidth.ts';
import { formatShortDayInZone, formatTimeInZone } from './when.ts';

/** In the order in which they are stacked. */
const outcomes: readonly (readonly [name: string, word: Word, feeling: StatusTone])[] = [
  ['answered', 'outAnswered', 'good'],
  ['machine', 'outMachine', 'live'],
  ['noAnswer', 'outNoAnswer', 'past'],
  ['busy', 'outBusy', 'wait'],
  ['failed', 'outFailed', 'warn'],
  ['cancelled', 'outCancelled', 'past'],
  ['notDialled', 'outNotDialled', 'past'],
];

export const CampaignOutcomes = ({ figures }: { figures: CampaignChartFigures }): JSX.Element => {
  const say = useTranslation();
  const rows = outcomes.filter(([name]) => (figures.outcomes[name] ?? 0) > 0);
  const all = Object.values(figures.outcomes).reduce((sum, count) => sum + count, 0);
  const most = Math.max(1, ...Object.values(figures.outcomes));
  return (
    <section aria-labelledby="h-outcomes">
      <div class="sh">
        <h2 id="h-outcomes">{say('whatBecame', { count: all })}</h2>
      </div>
      {rows.length === 0 ? (
        <p class="dim gap-above">{say('nothingBecame')}</p>
      ) : (
        <table class="outcomes">
          <tbody>
            {rows.map(([name, word, feeling]) => (
              <tr key={name} data-outcome={name}>
                <th scope="row">
                  <span class="state">
                    <Mark of={feeling} />
                    {say(word)}
                  </span>
                </th>
                <td class="w-bar">
                  <svg class="bar" viewBox={`0 0 ${most} 6`} preserveAspectRatio="none" aria-hidden="true">
                    <rect class={`f-${feeling}`} width={figures.outcomes[name]} height="6" />
                  </svg>
                </td>
                <td class="num">{formatLocalizedNumber(figures.outcomes[name]!)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Cost figures={figures} />
    </section>
  );
};

/** What the talk was sold for and what trunks asked for it; nothing where neither has a price. */
const Cost = ({ figures: { cost } }: { figures: CampaignChartFigures }): JSX.Element | null => {
  const say = useTranslation();
  const [sale, purchase, margin] = [Number(cost.sale), Number(cost.purchase), Number(cost.margin)];
  if (sale === 0 && purchase === 0) return null;
  const amount = (value: number): string => formatLocalizedNumber(value, 2);
  return (
    <p class="small gap-above" data-cost>
      {say('costOfTalk', { sale: amount(sale), purchase: amount(purchase), margin: amount(margin) })}
      {cost.unpriced > 0 && ` ${say('costUnpriced', { count: cost.unpriced })}`}
    </p>
  );
};

const minuteMs = 60_000;

const stepText = (say: Say, ms: number): string => {
  const minutes = ms / minuteMs;
  if (minutes < 60) return say('stepMinutes', { count: minutes });
  return minutes < 1_440
    ? say('stepHours', { count: minutes / 60 })
    : say('stepDays', { count: minutes / 1_440 });
};

const tall = 168;
const left = 46;
const foot = 22;
const head = 8;

export const CampaignOutcomesOverTime = ({
  figures,
  zone,
}: {
  figures: CampaignChartFigures;
  zone: string;
}): JSX.Element | null => {
  const say = useTranslation();
  const [box, width] = useElementWidth();
  const last = figures.ended.at(-1);
  return (
    <section aria-labelledby="h-over-time">
      <div class="sh">
        <h2 id="h-over-time">{say('outcomesOverTime')}</h2>
        <span class="right">{say('outcomesByStep', { step: stepText(say, figures.step_ms) })}</span>
      </div>
      <div ref={box} class="hours gap-above">
        {!last && <p class="dim">{say('nothingBecame')}</p>}
        {last && width > 0 && (
          <svg width={width} height={tall} role="img" aria-label={say('outcomesOverTime')}>
            <Stacks figures={figures} zone={zone} width={width} count={last.bucket + 1} />
          </svg>
        )}
      </div>
    </section>
  );
};

interface StacksProps {
  figures: CampaignChartFigures;
  zone: string;
  width: number;
  /** Of buckets. */
  count: number;
}

const Stacks = ({ figures, zone, width, count }: StacksProps): JSX.Element => {
  const say = useTranslation();
  const sums = new Map<number, number>();
  for (const { bucket, count: many } of figures.ended) sums.set(bucket, (sums.get(bucket) ?? 0) + many);
  const most = roundUpToNiceNumber(Math.max(...sums.values()));
  const slot = Math.min(60, (width - left) / count);
  const y = (value: number): number => head + (tall - head - foot) * (1 - value / most);
  const every = Math.ceil(52 / slot);
  const isByDay = figures.step_ms >= 86_400_000;
  const timeOf = (bucket: number): number => figures.from + bucket * figures.step_ms;
  return (
    <>
      {[0, most].map((value) => (
        <g key={value}>
          <path class="grid" d={`M${left} ${y(value)}H${width}`} />
          <text class="axis" x={left - 6} y={y(value) + 4} text-anchor="end">
            {formatLocalizedNumber(value)}
          </text>
        </g>
      ))}
      {[...sums.keys()].map((bucket) => {
        const stack = stackOf(figures, bucket);
        const when = `${formatShortDayInZone(zone, timeOf(bucket))} ${formatTimeInZone(zone, timeOf(bucket))}`;
        const said = stack.map(({ word, many }) => `${say(word)} ${formatLocalizedNumber(many)}`).join(', ');
        return (
          <g key={bucket}>
            <title>{say('bucketIs', { when, count: said })}</title>
            {stack.map(({ name, feeling, from, many }) => (
              <rect
                key={name}
                class={`f-${feeling}`}
                x={left + slot * bucket + slot * 0.1}
                width={Math.max(1, slot * 0.8)}
                y={y(from + many)}
                height={y(from) - y(from + many)}
              />
            ))}
          </g>
        );
      })}
      {Array.from({ length: Math.ceil(count / every) }, (_, nth) => nth * every).map((bucket) => (
        <text
          key={`t${bucket}`}
          class="axis"
          x={left + slot * bucket + slot / 2}
          y={tall - 6}
          text-anchor="middle"
        >
          {isByDay ? formatShortDayInZone(zone, timeOf(bucket)) : formatTimeInZone(zone, timeOf(bucket))}
        </text>
      ))}
    </>
  );
};

const stackOf = ({ ended }: CampaignChartFigures, bucket: number) => {
  let from = 0;
  return outcomes.flatMap(([name, word, feeling]) => {
    const many = ended.find((one) => one.bucket === bucket && one.outcome === name)?.count ?? 0;
    if (many === 0) return [];
    from += many;
    return [{ name, word, feeling, many, from: from - many }];
  });
};
