/** What the destinations of a campaign wait for, by reason, and who was left out: one picture, from one question. */
import type { JSX } from 'preact';
import type { AdminRouteAnswer } from '../../../../admin/client.ts';
import { adminApiClient } from '../../api.ts';
import { fetchAccount } from '../../data.ts';
import { formatDateTime, formatDateTimeInZone } from '../../format.ts';
import { type ConsoleLanguage, language } from '../../browserPreferences.ts';
import { useStore } from '../../store.ts';
import { formatLocalizedNumber, useTranslation } from '../../words/index.ts';
import type { StatusTone } from '../../ui/mark.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useFetch } from '../../ui/useRead.ts';
import { viewerZone } from '../../zone.ts';
import { useWhyWords } from './useWhyWords.ts';
// oxlint-disable-next-line import/no-unassigned-import -- the styles come with what they are for
import '../../styles/waiting.css';

type Waiting = AdminRouteAnswer<'GET /accounts/:account/campaigns/:campaign/waiting'>;

const readWaiting = (
  account: number,
  campaign: number,
  tongue: ConsoleLanguage,
  signal: AbortSignal,
): Promise<Waiting> =>
  adminApiClient('GET /accounts/:account/campaigns/:campaign/waiting', {
    path: { account, campaign },
    query: { lang: tongue },
    signal,
  });

interface WaitingProps {
  account: number;
  campaign: number;
  /** Asks again when it changes: the campaign's state, say. */
  at?: string;
  /** Who was left out is shown as well. Default true. */
  withLeftOut?: boolean;
}

export const WaitingReasonsChart = ({
  account,
  campaign,
  at = '',
  withLeftOut = true,
}: WaitingProps): JSX.Element => {
  const tongue = useStore(language);
  const { answer, failure } = useFetch(`${account} ${campaign} ${tongue} ${at}`, (signal) =>
    readWaiting(account, campaign, tongue, signal),
  );
  const owner = useFetch(`account ${account}`, (signal) => fetchAccount(account, signal));
  if (failure !== undefined) return <ErrorNotice error={failure} isPart />;
  const isRead = owner.answer !== undefined || owner.failure !== undefined;
  return answer && isRead ? (
    <Picture
      waiting={withLeftOut ? answer : { ...answer, left_out: [] }}
      zone={owner.answer?.time_zone ?? viewerZone()}
    />
  ) : (
    <LoadingNotice />
  );
};

interface PictureProps {
  waiting: Waiting;
  /** On whose clock moments are told. */
  zone: string;
}

/** As a heading of a bar: rows and calls that wait for the same are told by sentences that are written otherwise. */
const headingOf = ({ name }: Group): string =>
  (name.slice(0, 1).toUpperCase() + name.slice(1)).replace(/\.$/, '');

type Group = Waiting['waiting'][number];

/** Those that wait for the same, together; the earliest moment of them counts. */
const joined = (groups: readonly Group[]): Group[] => {
  const byHeading = new Map<string, Group>();
  for (const one of groups) {
    const name = headingOf(one);
    const key = `${name} ${one.region}`;
    const known = byHeading.get(key);
    const count = one.count + (known?.count ?? 0);
    byHeading.set(key, { ...(known ?? one), name, count, until: earliest(known?.until ?? null, one.until) });
  }
  return [...byHeading.values()];
};

const earliest = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

const Picture = ({ waiting: { waiting: groups, left_out, under_way, uncounted }, zone }: PictureProps) => {
  const tell = useWhyWords();
  const say = useTranslation();
  const waiting = joined(groups);
  const total = sumOf(waiting);
  return (
    <div class="waiting">
      <h3>{total === 0 ? tell('nobodyWaits') : tell('waiting', { count: total })}</h3>
      <ul>
        {waiting.map((group) => (
          <Bar
            key={`${group.what} ${group.reason} ${group.region}`}
            of={group.what === 'row' ? 'past' : 'wait'}
            name={[group.name, group.region].filter(Boolean).join(', ')}
            {...(group.until !== null && {
              note: tell('until', { time: formatDateTimeInZone(group.until, zone) }),
              noteTitle: say('yourTime', { time: formatDateTime(group.until) }),
            })}
            count={group.count}
            total={total}
          />
        ))}
      </ul>
      {uncounted && <p class="small dimmer">{tell('uncounted')}</p>}
      {under_way > 0 && <p class="small dim">{tell('underWay', { count: under_way })}</p>}
      {left_out.length > 0 && (
        <>
          <h3>{tell('leftOut', { count: sumOf(left_out) })}</h3>
          <ul>
            {left_out.map(({ reason, name, count }) => (
              <Bar key={reason} of="past" name={name} count={count} total={sumOf(left_out)} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
};

const sumOf = (groups: readonly { count: number }[]): number =>
  groups.reduce((sum, { count }) => sum + count, 0);

interface BarProps {
  of: StatusTone;
  name: string;
  note?: string;
  /** What the note says by the viewer's clock. */
  noteTitle?: string;
  count: number;
  total: number;
}

/** A name with its count, and the share of it below: the bar says nothing that the figure does not. */
const Bar = ({ of, name, note, noteTitle, count, total }: BarProps): JSX.Element => (
  <li>
    <span class="foreign">
      {name}
      {note !== undefined && (
        <span class="sub" title={noteTitle}>
          {note}
        </span>
      )}
    </span>
    <span class="num">{formatLocalizedNumber(count)}</span>
    <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="ground" width="100" height="4" />
      <rect class={`share-${of}`} width={total === 0 ? 0 : (100 * count) / total} height="4" />
    </svg>
  </li>
);
