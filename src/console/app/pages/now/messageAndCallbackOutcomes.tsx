/** Messages and callbacks of the last hour, by channel and outcome; each figure leads to the machines that it counts. */
import type { JSX } from 'preact';
import type { ServiceOverview } from '../../data.ts';
import { formatLocalizedNumber, useTranslation } from '../../words/index.ts';

type Outcome = ServiceOverview['outcomes'][number];

const arrived = new Set(['delivered', 'read', 'idle']);
const wrong = new Set(['failed', 'undelivered', 'unknown', 'deadLetter', 'givenUp']);

const groups: readonly (readonly [name: string, fits: (state: string) => boolean])[] = [
  ['arrived', (state) => arrived.has(state)],
  ['onTheWay', (state) => !arrived.has(state) && !wrong.has(state)],
  ['failed', (state) => wrong.has(state)],
];

export const MessageOutcomesTable = ({
  overview: { outcomes, hour },
}: {
  overview: ServiceOverview;
}): JSX.Element => {
  const say = useTranslation();
  const channels = [...new Set(outcomes.map(({ channel }) => channel))].toSorted();
  return (
    <section aria-labelledby="outcomes">
      <div class="sh">
        <h2 id="outcomes">{say('messagesAndCallbacks')}</h2>
      </div>
      {channels.length === 0 ? (
        <p class="dim gap-above">{say('noneThisHour')}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>{say('kind')}</th>
              <th class="num">{say('arrived')}</th>
              <th class="num">{say('onTheWay')}</th>
              <th class="num">{say('failed')}</th>
            </tr>
          </thead>
          <tbody>
            {channels.map((channel) => (
              <ChannelRow
                key={channel}
                channel={channel}
                outcomes={outcomes.filter((one) => one.channel === channel)}
                since={hour.from}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
};

interface ChannelRowProps {
  channel: string;
  outcomes: readonly Outcome[];
  /** What is counted began then or later, epoch milliseconds. */
  since: number;
}

const ChannelRow = ({ channel, outcomes, since }: ChannelRowProps): JSX.Element => {
  const address = (counted: readonly Outcome[]): string => {
    const states = [...new Set(counted.map(({ state }) => state))].join(',');
    return `/admin/find?${new URLSearchParams({ channel, outcome: states, since: String(since) })}`;
  };
  return (
    <tr>
      <td>
        <a href={address(outcomes)} data-row>
          {channel}
        </a>
      </td>
      {groups.map(([name, fits]) => {
        const counted = outcomes.filter(({ state, count }) => count > 0 && fits(state));
        const total = counted.reduce((sum, { count }) => sum + count, 0);
        return (
          <td key={name} class={name === 'failed' && total > 0 ? 'num bad' : 'num'}>
            <OutcomeFigure total={total} name={`${channel} ${name}`} href={address(counted)} />
          </td>
        );
      })}
    </tr>
  );
};

/** Nothing is behind a zero. */
const OutcomeFigure = ({ total, name, href }: { total: number; name: string; href: string }): JSX.Element =>
  total === 0 ? (
    <>{formatLocalizedNumber(0)}</>
  ) : (
    <a href={href} data-outcome={name}>
      {formatLocalizedNumber(total)}
    </a>
  );
