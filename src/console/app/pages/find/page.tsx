/** Find: what carries a number, an id or a name; or the machines of a kind and a state, where a figure led here. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { pageAddressStore, go } from '../../pageAddressStore.ts';
import { useStore } from '../../store.ts';
import { FinderForm } from '../../ui/finderForm.tsx';
import { useTranslation, type Word } from '../../words/index.ts';
import { describeMachineFilter, machineFilterOf } from './filter.ts';
import { FilteredMachines } from './filteredMachines.tsx';
import { SearchResults } from './results.tsx';

export const FindPage = (): JSX.Element => {
  const say = useTranslation();
  const { query } = useStore(pageAddressStore);
  const text = query.get('q')?.trim() ?? '';
  const filter = text === '' ? machineFilterOf(query) : undefined;
  useEffect(() => {
    document.title = `${text || say('find')} · Ramal`;
  }, [say, text]);
  return (
    <>
      <div class="head">
        <h1>{say('find')}</h1>
        <p class="lead foreign">
          {filter ? say('findFiltered', { filter: describeMachineFilter(filter, say) }) : say('findLead')}
        </p>
      </div>
      <FinderForm
        key={text}
        text={text}
        label={say('findWhat')}
        verb={say('find')}
        longest={200}
        onAsk={(asked) => go(`/admin/find?q=${encodeURIComponent(asked)}`)}
      />
      {text !== '' && <SearchResults text={text} />}
      {filter && <FilteredMachines filter={filter} />}
      {text === '' && !filter && <WholeKinds />}
    </>
  );
};

const wholeKinds: readonly (readonly [Word, query: string])[] = [
  ['allCalls', 'kind=call'],
  ['campaigns', 'kind=campaign'],
  ['messages', 'kind=message'],
  ['allTemplates', 'kind=template'],
  ['deliveries', 'kind=delivery'],
  ['needsAttention', 'attention=1'],
];

/** Where nothing was asked for yet: all of a kind. */
const WholeKinds = (): JSX.Element => {
  const say = useTranslation();
  return (
    <>
      <p class="dim gap-above">{say('findWhole')}</p>
      <ul>
        {wholeKinds.map(([word, query]) => (
          <li key={query}>
            <a class="link" data-row href={`/admin/find?${query}`}>
              {say(word)}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
};
