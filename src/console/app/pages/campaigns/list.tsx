/** Campaigns of all accounts, the newest first, a page of them at a time. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AdminQuery } from '../../../../admin/client.ts';
import { pageAddressStore, go } from '../../pageAddressStore.ts';
import { signedInAdministratorStore } from '../../api.ts';
import { useStore } from '../../store.ts';
import { Mark } from '../../ui/mark.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useFetch } from '../../ui/useRead.ts';
import { When } from '../../ui/when.tsx';
import { formatLocalizedNumber, useTranslation, type Word } from '../../words/index.ts';
import { type ListedCampaign, fetchCampaigns } from './data.ts';
import { campaignPhaseLabel } from './phase.ts';

const kept = [
  'which',
  'q',
  'account',
  'cursor',
] as const satisfies readonly (keyof AdminQuery<'GET /campaigns'>)[];

const kinds: readonly (readonly [which: string, word: Word])[] = [
  ['', 'all'],
  ['running', 'campaignsRunning'],
  ['over', 'campaignsOver'],
  ['model', 'campaignsModels'],
];

/** The page's address with something else in it. */
const addressWith = (query: URLSearchParams, changes: Readonly<Record<string, string>>): string => {
  const next = new URLSearchParams(
    kept.flatMap((name) => {
      const value = changes[name] ?? (name === 'cursor' ? '' : (query.get(name) ?? ''));
      return value === '' ? [] : [[name, value]];
    }),
  );
  return `/admin/campaigns${next.size > 0 ? `?${next}` : ''}`;
};

export const CampaignsPage = (): JSX.Element => {
  const say = useTranslation();
  const who = useStore(signedInAdministratorStore);
  const { query } = useStore(pageAddressStore);
  const asked = Object.fromEntries(
    kept.flatMap((name) => (query.get(name) ? [[name, query.get(name)!]] : [])),
  );
  const { answer, failure, again } = useFetch(JSON.stringify(asked), (signal) =>
    fetchCampaigns(asked, signal),
  );
  useEffect(() => {
    document.title = `${say('campaigns')} · Ramal`;
  }, [say]);
  return (
    <>
      <div class="head">
        <h1>{say('campaigns')}</h1>
        <p class="lead">{say('campaignsLead')}</p>
        <span class="grow" />
        {typeof who === 'object' && who.role === 'admin' && (
          <a class="btn primary" href="/admin/campaigns/new">
            {say('newCampaign')}
          </a>
        )}
      </div>
      <div class="campaign-tools">
        <nav class="seg" aria-label={say('cpShowAs')}>
          {kinds.map(([which, word]) => (
            <a
              key={which}
              class="seg-link"
              aria-current={(query.get('which') ?? '') === which ? 'true' : undefined}
              href={addressWith(query, { which })}
            >
              {say(word)}
            </a>
          ))}
        </nav>
        <Search key={query.get('q') ?? ''} query={query} />
      </div>
      {failure !== undefined && <ErrorNotice error={failure} isPart onAgain={again} />}
      {failure === undefined && !answer && <LoadingNotice />}
      {answer?.campaigns.length === 0 && (
        <div class="empty">
          <p>{say('campaignsNone')}</p>
          <p class="dim">{say('campaignsNoneFirst')}</p>
        </div>
      )}
      {answer && answer.campaigns.length > 0 && <Table {...answer} />}
      {answer && answer.cursor !== null && (
        <p class="gap-above">
          <a class="btn" href={addressWith(query, { cursor: answer.cursor })}>
            {say('nextPage')}
          </a>
        </p>
      )}
    </>
  );
};

const Search = ({ query }: { query: URLSearchParams }): JSX.Element => {
  const say = useTranslation();
  const [typed, setTyped] = useState(query.get('q') ?? '');
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        go(addressWith(query, { q: typed.trim() }));
      }}
    >
      <input
        type="search"
        aria-label={say('campaignsSearch')}
        placeholder={say('campaignsSearch')}
        maxLength={200}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </form>
  );
};

interface TableProps {
  campaigns: readonly ListedCampaign[];
  /** Names and time zones of their accounts. */
  accounts: Readonly<Record<string, string>>;
  zones: Readonly<Record<string, string>>;
}

const Table = ({ campaigns, accounts, zones }: TableProps): JSX.Element => {
  const say = useTranslation();
  return (
    <div class="tw" tabIndex={0} role="group" aria-label={say('campaigns')}>
      <table class="stack">
        <thead>
          <tr>
            <th>{say('campaign')}</th>
            <th>{say('state')}</th>
            <th class="w-prog">{say('progress')}</th>
            <th class="num">{say('called')}</th>
            <th class="num">{say('pace')}</th>
            <th class="num">{say('answerRate')}</th>
            <th class="num">{say('madeOn')}</th>
          </tr>
        </thead>
        <tbody>
          {campaigns.map((one) => (
            <Row key={one.cp_id} one={one} account={accounts[one.cdcs_id]} zone={zones[one.cdcs_id]} />
          ))}
        </tbody>
      </table>
    </div>
  );
};

interface RowProps {
  one: ListedCampaign;
  account: string | undefined;
  zone: string | undefined;
}

const Row = ({ one, account, zone }: RowProps): JSX.Element => {
  const say = useTranslation();
  const [word, feeling] = campaignPhaseLabel(one);
  const all = Math.max(1, one.destinations);
  return (
    <tr>
      <td data-l={say('campaign')}>
        <span>
          <a class="strong foreign" data-row href={`/admin/campaigns/${one.cp_id}`}>
            {one.name}
          </a>
          <span class="sub foreign">
            <bdi>{account ?? one.cdcs_id}</bdi> · <code>{one.cp_id}</code>
          </span>
        </span>
      </td>
      <td data-l={say('state')} class="nowrap">
        <span class="state">
          <Mark of={feeling} />
          {say(word)}
        </span>
      </td>
      <td>
        <svg
          class="bar"
          viewBox={`0 0 ${all} 6`}
          preserveAspectRatio="none"
          role="img"
          aria-label={say('progress')}
        >
          <rect class="f-line" width={all} height="6" />
          <rect class="f-past" width={Math.min(one.made, all)} height="6" />
          <rect class="f-good" width={Math.min(one.answered, all)} height="6" />
        </svg>
      </td>
      <td data-l={say('called')} class="num">
        <span>
          {formatLocalizedNumber(one.made)}
          <span class="sub">{say('ofAll', { count: one.destinations })}</span>
        </span>
      </td>
      <td data-l={say('pace')} class="num nowrap">
        {one.calls_per_minute === null ? say('noLimit') : formatLocalizedNumber(one.calls_per_minute)}
      </td>
      <td data-l={say('answerRate')} class="num nowrap">
        {one.made === 0 ? '–' : `${formatLocalizedNumber((100 * one.answered) / one.made, 1)} %`}
      </td>
      <td data-l={say('madeOn')} class="num nowrap">
        <When at={one.created_at} zone={zone} />
      </td>
    </tr>
  );
};
