/** Conversations: the people who wrote to the lines of an account, and one of them opened beside the list. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
// oxlint-disable-next-line import/no-unassigned-import -- the styles of this page come with it
import '../../styles/conversations.css';
import { pageAddressStore, go } from '../../pageAddressStore.ts';
import { type Account, fetchAccounts } from '../../data.ts';
import { span } from '../../format.ts';
import { useStore } from '../../store.ts';
import { Mark } from '../../ui/mark.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useFetch } from '../../ui/useRead.ts';
import { When } from '../../ui/when.tsx';
import { isolateBidi } from '../../words/isolateBidi.ts';
import { contactUrlKey, type Conversation, type ConversationList, fetchConversations } from './data.ts';
import { ConversationThread } from './thread.tsx';
import { useLiveConversations } from './useLiveConversations.ts';
import { useConversationWords } from './useConversationWords.ts';

export const ConversationsPage = (): JSX.Element => {
  const say = useConversationWords();
  const { query } = useStore(pageAddressStore);
  const { answer: accounts, failure } = useFetch('accounts', fetchAccounts);
  const chosen = query.get('account') ?? '';
  const line = query.get('line');
  const contact = query.get('contact');
  const account = accounts?.find(({ cdcs_id: id }) => String(id) === chosen);
  const which = line !== null && contact !== null ? { account: chosen, line, contact } : undefined;
  const live = useLiveConversations(account ? chosen : '', which);
  useEffect(() => {
    document.title = `${say('title')} · Ramal`;
  }, [say]);
  if (failure !== undefined) return <ErrorNotice error={failure} onAgain={() => location.reload()} />;
  if (!accounts) return <LoadingNotice />;
  const zone = account?.time_zone ?? 'UTC';
  return (
    <>
      <div class="head">
        <h1>{say('title')}</h1>
        <p class="lead">{say('lead')}</p>
      </div>
      <Choose accounts={accounts} chosen={chosen} />
      {chosen === '' ? (
        <p class="dim">{say('noAccountText')}</p>
      ) : (
        <div class="talks" data-open={contact !== null}>
          <PeopleList
            account={chosen}
            zone={zone}
            opened={contact === null ? undefined : `${line} ${contact}`}
            told={live.people}
          />
          {which ? (
            <ConversationThread
              key={`${chosen} ${line} ${contact}`}
              {...{ which, zone, newest: live.newest, onOpened: live.follow }}
            />
          ) : (
            <p class="dim gap-above">{say('chooseOne')}</p>
          )}
        </div>
      )}
    </>
  );
};

const Choose = ({ accounts, chosen }: { accounts: readonly Account[]; chosen: string }): JSX.Element => {
  const say = useConversationWords();
  return (
    <label class="f chooser">
      {say('account')}
      <select
        value={chosen}
        onChange={(event) => go(`/admin/conversations?account=${event.currentTarget.value}`)}
      >
        <option value="">{say('chooseAccount')}</option>
        {accounts.map(({ cdcs_id: id, name }) => (
          <option key={id} value={String(id)}>
            {`${isolateBidi(name)} (${id})`}
          </option>
        ))}
      </select>
    </label>
  );
};

interface PersonsProps {
  account: string;
  zone: string;
  /** `line contact`. */
  opened: string | undefined;
}

/** `told`: the first page as it stands now. */
const PeopleList = ({
  account,
  zone,
  opened,
  told,
}: PersonsProps & { told: ConversationList | undefined }): JSX.Element => {
  const say = useConversationWords();
  const { query } = useStore(pageAddressStore);
  const cursor = query.get('before');
  const { answer, failure } = useFetch(`${account} ${cursor}`, () => fetchConversations(account, cursor));
  const page = (cursor === null ? told : undefined) ?? answer;
  if (failure !== undefined) return <ErrorNotice error={failure} isPart />;
  if (!page) return <LoadingNotice />;
  const { conversations, cursor: next } = page;
  if (conversations.length === 0)
    return (
      <div class="empty">
        <h2>{say('noneTitle')}</h2>
        <p>{say('noneText')}</p>
      </div>
    );
  return (
    <nav class="people" aria-label={say('people')}>
      <ul>
        {conversations.map((one) => (
          <Person key={`${one.v8l_id} ${contactUrlKey(one)}`} {...{ one, account, zone, opened, cursor }} />
        ))}
      </ul>
      <p class="acts gap-above">
        {cursor !== null && (
          <a class="btn" href={`/admin/conversations?account=${account}`}>
            {say('newest')}
          </a>
        )}
        {next !== null && (
          <a class="btn" href={`/admin/conversations?${new URLSearchParams({ account, before: next })}`}>
            {say('nextPage')}
          </a>
        )}
      </p>
    </nav>
  );
};

const Person = ({
  one,
  account,
  zone,
  opened,
  cursor,
}: PersonsProps & { one: Conversation; cursor: string | null }): JSX.Element => {
  const say = useConversationWords();
  const query = new URLSearchParams({
    account,
    line: String(one.v8l_id),
    contact: contactUrlKey(one),
    ...(cursor !== null && { before: cursor }),
  });
  return (
    <li>
      <a
        data-row
        href={`/admin/conversations?${query}`}
        aria-current={opened === `${one.v8l_id} ${contactUrlKey(one)}` ? 'true' : undefined}
      >
        <span class="who">
          <b class="foreign">{one.name || one.contact}</b>
          <When at={one.heard_at} zone={zone} />
        </span>
        <span class="dim foreign last">{one.last_text || say('noText', { type: one.last_type })}</span>
        <span class="hint state">
          <Mark of={one.open ? 'good' : 'past'} />
          {say('lineNamed', { line: String(one.v8l_id), kind: one.v8l_class })}
          {' · '}
          {one.open ? say('windowOpen', { time: span(one.open_until - Date.now()) }) : say('windowClosed')}
        </span>
      </a>
    </li>
  );
};
