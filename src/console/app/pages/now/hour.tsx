/** The last hour by the minute, as four small series. The figure beside each is that of the last whole minute. */
import type { JSX } from 'preact';
import type { ServiceOverview } from '../../data.ts';
import { formatHourAndMinute } from '../../format.ts';
import { formatLocalizedNumber, useTranslation, type Word } from '../../words/index.ts';

const series: readonly (readonly [name: 'attempts' | 'answers' | 'drops' | 'failed', word: Word])[] = [
  ['attempts', 'attempts'],
  ['answers', 'answers'],
  ['drops', 'drops'],
  ['failed', 'failedAttempts'],
];
const minuteMs = 60_000;

/** Where the calls are to which this happened within the last whole minute, which ended at `until`. */
const addressOf = (happened: string, until: number): string =>
  `/admin/find?${new URLSearchParams({
    ...{ kind: 'call', happened, since: String(until - minuteMs), until: String(until) },
  })}`;

export const Hour = ({ hour }: { hour: ServiceOverview['hour'] }): JSX.Element => {
  const say = useTranslation();
  const until = hour.from + (hour.attempts.length - 1) * minuteMs;
  return (
    <section aria-labelledby="hour">
      <div class="sh">
        <h2 id="hour">{say('lastHour')}</h2>
        <span class="right">
          {formatHourAndMinute(hour.from)} – {formatHourAndMinute(until)}
        </span>
      </div>
      <div class="quartet">
        {series.map(([name, word]) => (
          <div key={name}>
            <div class="cap">
              <span class="dim" title={name === 'drops' ? say('dropsAre') : undefined}>
                {say(word)}
              </span>
              <a class="figure" data-row data-happened={name} href={addressOf(name, until)}>
                {formatLocalizedNumber(hour[name].at(-2) ?? 0)}
                <span class="vh"> {say('inLastMinute', { what: say(word) })}</span>
              </a>
            </div>
            <Sparkline
              name={name}
              values={hour[name].slice(0, -1)}
              label={say('byTheMinute', { what: say(word) })}
            />
          </div>
        ))}
      </div>
    </section>
  );
};

interface SparklineProps {
  name: string;
  values: readonly number[];
  label: string;
}

const tall = 48;

const Sparkline = ({ name, values, label }: SparklineProps): JSX.Element => {
  const say = useTranslation();
  const most = Math.max(1, ...values);
  const points = values.map((value, at) => `${at},${(tall - (value / most) * (tall - 2)).toFixed(1)}`);
  const wide = Math.max(1, values.length - 1);
  return (
    <div class="plot">
      {/* Where all is zero, a figure at the top would be read as a count. */}
      {values.some((value) => value > 0) && (
        <span class="axis dimmer">
          <span class="vh"> {say('mostInMinute')} </span>
          {formatLocalizedNumber(most)}
        </span>
      )}
      <svg
        class={`spark spark-${name}`}
        viewBox={`0 0 ${wide} ${tall}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        <path class="area" d={`M0,${tall}L${points.join('L')}L${wide},${tall}Z`} />
        <path class="line" d={`M${points.join('L')}`} />
      </svg>
    </div>
  );
};
