/** Find: what carries a number, an id or a name; or the machines of a kind and a state, where a figure led here. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AdminQuery } from '../../../admin/client.ts';
import { pageAddressStore, go } from '../pageAddressStore.ts';
import { find, type SearchHit, fetchMachines, type ListedMachine } from '../data.ts';
import { toStatusTone } from '../stateFeeling.ts';
import { formatDateTime } from '../format.ts';
import { useStore } from '../store.ts';
import { Mark } from '../ui/mark.tsx';
import { ErrorNotice, LoadingNotice } from '../ui/state.tsx';
import { useFetch } from '../ui/useRead.ts';
import { useTranslation } from '../words/index.ts';

const filters = [
  'kind',
  'state',
  'account',
  'campaign',
  'attention',
  'cursor',
] as const satisfies readonly (keyof AdminQuery<'GET /machines'>)[];

/** The list's part of the address; undefined: it asks for none. */
const filterOf = (query: URLSearchParams): URLSearchParams | undefined => {
  const asked = filters.flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value]] : [];
  });
  return asked.length > 0 ? new URLSearchParams(asked) : undefined;
};

export const FindPage = (): JSX.Element => {
  const say = useTranslation();
  const { query } = useStore(pageAddressStore);
  const text = query.get('q')?.trim() ?? '';
  const filter = text === '' ? filterOf(query) : undefined;
  useEffect(() => {
    document.title = `${text || say('find')} · Ramal`;
  }, [say, text]);
  return (
    <>
      <div class="head">
        <h1>{say('find')}</h1>
        <p class="lead">
          {say(filter ? 'findFiltered' : 'findLead', { filter: filter ? filterText(filter) : '' })}
        </p>
      </div>
      <FindForm key={text} text={text} />
      {text !== '' && <Results text={text} />}
      {filter && <Machines filter={filter} />}
    </>
  );
};

const filterText = (filter: URLSearchParams): string =>
  [...filter]
    .filter(([name]) => name !== 'cursor')
    .map(([name, value]) => (name === 'kind' || name === 'state' ? value : `${name} ${value}`))
    .join(', ');

const FindForm = ({ text }: { text: string }): JSX.Element => {
  const say = useTranslation();
  const [typed, setTyped] = useState(text);
  return (
    <form
      class="finder"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== '') go(`/admin/find?q=${encodeURIComponent(typed.trim())}`);
      }}
    >
      <input
        type="search"
        aria-label={say('findWhat')}
        placeholder={say('findWhat')}
        maxLength={200}
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <button type="submit" class="btn primary">
        {say('find')}
      </button>
    </form>
  );
};

const Results = ({ text }: { text: string }): JSX.Element => {
  const say = useTranslation();
  const { answer, failure } = useFetch(text, (signal) => find(text, signal));
  if (failure !== undefined) return <ErrorNotice error={failure} />;
  if (!answer) return <LoadingNotice />;
  if (answer.found.length === 0) return <p class="dim gap-above">{say('nothingFound')}</p>;
  return (
    <div class="tw" tabIndex={0} role="group" aria-label={say('results')}>
      <table class="stack">
        <thead>
          <tr>
            <th>{say('kind')}</th>
            <th>{say('what')}</th>
            <th>{say('state')}</th>
            <th>{say('account')}</th>
            <th class="num">{say('when')}</th>
          </tr>
        </thead>
        <tbody>
          {answer.found.map((one) => (
            <FoundRow
              key={`${one.kind} ${one.id} ${one.title} ${one.at}`}
              one={one}
              account={answer.accounts[one.account]}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
};

const FoundRow = ({ one, account }: { one: SearchHit; account: string | undefined }): JSX.Element => {
  const say = useTranslation();
  return (
    <tr>
      <td data-l={say('kind')}>{one.kind}</td>
      <td data-l={say('what')} class="foreign">
        {one.id === null ? (
          one.title
        ) : (
          <a class="link" data-row href={`/admin/machines/${one.id}?account=${one.account}`}>
            {one.title}
          </a>
        )}
        {one.id !== null && one.id !== one.title && (
          <span class="sub">
            <code>{one.id}</code>
          </span>
        )}
      </td>
      <td data-l={say('state')}>
        <span class="state">
          <Mark of={toStatusTone(one.kind, one.state)} />
          <code>{one.state || say('going')}</code>
        </span>
      </td>
      <td data-l={say('account')} class="foreign">
        {account ?? one.account}
      </td>
      <td data-l={say('when')} class="num nowrap">
        {formatDateTime(one.at)}
      </td>
    </tr>
  );
};

const Machines = ({ filter }: { filter: URLSearchParams }): JSX.Element => {
  const say = useTranslation();
  const { answer, failure } = useFetch(String(filter), (signal) =>
    fetchMachines(Object.fromEntries(filter), signal),
  );
  if (failure !== undefined) return <ErrorNotice error={failure} />;
  if (!answer) return <LoadingNotice />;
  if (answer.machines.length === 0) return <p class="dim gap-above">{say('noMachine')}</p>;
  const more =
    answer.cursor === null
      ? undefined
      : new URLSearchParams([
          ...[...filter].filter(([name]) => name !== 'cursor'),
          ['cursor', answer.cursor],
        ]);
  return (
    <>
      <div class="tw" tabIndex={0} role="group" aria-label={say('results')}>
        <table class="stack">
          <thead>
            <tr>
              <th>{say('machine')}</th>
              <th>{say('kind')}</th>
              <th>{say('state')}</th>
              <th>{say('account')}</th>
              <th class="num">{say('when')}</th>
            </tr>
          </thead>
          <tbody>
            {answer.machines.map((machine) => (
              <MachineLine key={`${machine.account} ${machine.id}`} machine={machine} />
            ))}
          </tbody>
        </table>
      </div>
      {more && (
        <p class="gap-above">
          <a class="btn" href={`/admin/find?${more}`}>
            {say('nextPage')}
          </a>
        </p>
      )}
    </>
  );
};

const MachineLine = ({ machine }: { machine: ListedMachine }): JSX.Element => {
  const say = useTranslation();
  return (
    <tr>
      <td data-l={say('machine')}>
        <a class="link" data-row href={`/admin/machines/${machine.id}?account=${machine.account}`}>
          <code>{machine.id}</code>
        </a>
        {machine.attention !== null && <span class="sub bad foreign">{machine.attention}</span>}
      </td>
      <td data-l={say('kind')}>{machine.kind}</td>
      <td data-l={say('state')}>
        <span class="state">
          <Mark of={toStatusTone(machine.kind, machine.state, machine.attention)} />
          <code>{machine.state}</code>
        </span>
      </td>
      <td data-l={say('account')}>{machine.account}</td>
      <td data-l={say('when')} class="num nowrap">
        {formatDateTime(machine.created_at)}
      </td>
    </tr>
  );
};
