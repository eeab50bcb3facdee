/** What a list can be narrowed by: what the declaration takes in its query, and words that are looked for in what is shown. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { go } from '../../pageAddressStore.ts';
import { parametersIn } from '../../referenceLinks.ts';
import { FieldBox } from './fieldInputs.tsx';
import { requestBodyFromDraft, type FormInputValue, draftFromRecord } from './formInput.ts';
import type { FormField } from './formFieldsFromSchema.ts';
import type { AdminApiResource } from './resourcesFromOpenApi.ts';
import { useSettingsWords } from './useSettingsWords.ts';
import { toTextOrJson } from '../../toTextOrJson.ts';

/** As words are compared: small letters without accents. */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '');

/** What the address says, as it stands in the boxes. */
const draftOf = (
  fields: readonly FormField[],
  query: URLSearchParams,
  zone: string,
): Record<string, FormInputValue> => {
  const given = fields.flatMap(({ name, shape }) => {
    const written = query.get(name);
    if (written === null) return [];
    return [[name, shape.kind === 'moment' && /^\d+$/.test(written) ? Number(written) : written]];
  });
  return draftFromRecord(fields, Object.fromEntries(given) as Record<string, unknown>, zone);
};

interface FiltersProps {
  resource: AdminApiResource;
  path: string;
  query: URLSearchParams;
  zone: string;
}

export const ListFilters = ({ resource, path, query, zone }: FiltersProps): JSX.Element | null => {
  const say = useSettingsWords();
  const id = useId();
  const fields = resource.list.query;
  const params = parametersIn(resource.at, path);
  const [draft, setDraft] = useState<Readonly<Record<string, FormInputValue>>>(() =>
    draftOf(fields, query, zone),
  );
  if (fields.length === 0) return null;
  const narrow = (): void => {
    const given = Object.entries(requestBodyFromDraft(fields, draft, zone));
    const asked = new URLSearchParams(given.map(([name, value]) => [name, toTextOrJson(value)]));
    go(`/admin${path}${asked.size === 0 ? '' : `?${asked}`}`);
  };
  return (
    <form
      class="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        narrow();
      }}
    >
      {fields.map((field) => (
        <FieldBox
          key={field.name}
          scope={{ id, zone, params, isChange: false, typed: {}, wrong: [] }}
          path={field.name}
          field={field}
          draft={draft[field.name] ?? ''}
          onDraft={(one) => setDraft({ ...draft, [field.name]: one })}
        />
      ))}
      <div class="acts">
        <button type="submit" class="btn">
          {say('filter')}
        </button>
        {query.size > 0 && (
          <button
            type="button"
            class="btn bare"
            onClick={() => {
              setDraft(draftFromRecord(fields, {}, zone));
              go(`/admin${path}`);
            }}
          >
            {say('filterClear')}
          </button>
        )}
      </div>
    </form>
  );
};

interface ShownFilterProps {
  typed: string;
  count: number;
  all: number;
  onType(text: string): void;
}

export const ShownRowsFilter = ({ typed, count, all, onType }: ShownFilterProps): JSX.Element => {
  const say = useSettingsWords();
  return (
    <div class="finder">
      <input
        type="search"
        aria-label={say('filterShown')}
        placeholder={say('filterShown')}
        maxLength={200}
        value={typed}
        onInput={(event) => onType(event.currentTarget.value)}
      />
      <span class="hint" role="status">
        {typed === '' ? '' : say('filtered', { count, all })}
      </span>
    </div>
  );
};
