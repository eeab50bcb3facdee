/** Records of a kind: a page of them, filtered, each leading to its own page. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pageAddressStore, go } from '../../pageAddressStore.ts';
import { referenceHref } from '../../referenceLinks.ts';
import { useStore } from '../../store.ts';
import { ReferenceLink } from '../../ui/referenceLink.tsx';
import { useShortFieldName } from '../../ui/translatedApiDescriptions.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useFetch } from '../../ui/useRead.ts';
import { ResourceActions } from './actions.tsx';
import { Head, isPageAccountLoaded, useAccount } from './crumbs.tsx';
import { findFieldView, findListedRecordsStatusPanel } from './extraPages.ts';
import { ListFilters, fold, ShownRowsFilter } from './filters.tsx';
import { useHasRole } from './may.ts';
import { columnsShownInList, recordTitle } from './listColumnsAndRecordTitle.ts';
import { fill, type SettingsPageLocation } from './settingsPageAddresses.ts';
import type { ResourceColumn, AdminApiResource } from './resourcesFromOpenApi.ts';
import { fetchAdminRecord } from './readAdminRecord.ts';
import { rememberClickedListRow, type Row } from './rows.ts';
import { RecordFieldValue, RecordFieldList } from './recordFieldValue.tsx';
import { lowercaseForSentence, useResourceNames, useSettingsWords } from './useSettingsWords.ts';
import { toTextOrJson } from '../../toTextOrJson.ts';
import { viewerZone } from '../../zone.ts';

interface PageProps {
  place: SettingsPageLocation;
  resources: ReadonlyMap<string, AdminApiResource>;
}

/** What narrows a list, as its address has it: other filters are another form. */
const filtersIn = (query: URLSearchParams): string => {
  const filters = new URLSearchParams(query);
  filters.delete('cursor');
  return filters.toString();
};

export const RecordListPage = ({ place, resources }: PageProps): JSX.Element => {
  const names = useResourceNames();
  const { resource, params } = place;
  const { query } = useStore(pageAddressStore);
  const account = useAccount(params['account']);
  const [version, setVersion] = useState(0);
  const path = fill(resource.at, params);
  const asked = query.size === 0 ? path : `${path}?${query}`;
  const { answer, failure } = useFetch(`${asked} ${version}`, (signal) => fetchAdminRecord(asked, signal));
  const name = names(resource.at);
  const isReady = isPageAccountLoaded(params, account);
  const Fleet = findListedRecordsStatusPanel(resource.at);
  useEffect(() => {
    document.title = `${name.many} · Ramal`;
  }, [name]);
  return (
    <>
      <Head place={place} resources={resources} account={account} title={name.many} lead={name.says}>
        <New resource={resource} path={path} />
      </Head>
      {Fleet && <Fleet />}
      {isReady && (
        <ListFilters
          key={filtersIn(query)}
          resource={resource}
          path={path}
          query={query}
          zone={account?.time_zone ?? viewerZone()}
        />
      )}
      {failure !== undefined && (
        <ErrorNotice error={failure} isPart onAgain={() => setVersion(version + 1)} />
      )}
      {failure === undefined && !answer && <LoadingNotice />}
      {answer && resource.many === undefined && (
        <RecordFieldList columns={resource.columns} record={answer} zone={account?.time_zone} />
      )}
      {answer && resource.many !== undefined && (
        <Rows resource={resource} params={params} answer={answer} zone={account?.time_zone} />
      )}
      {isReady && (
        <ResourceActions
          operations={resource.actions}
          params={params}
          zone={account?.time_zone ?? viewerZone()}
          onDone={() => setVersion(version + 1)}
        />
      )}
      <p class="gap-above">
        <ReferenceLink href={referenceHref(resource.list.reference, params)} />
      </p>
    </>
  );
};

const New = ({ resource, path }: { resource: AdminApiResource; path: string }): JSX.Element | null => {
  const say = useSettingsWords();
  const names = useResourceNames();
  const may = useHasRole(resource.create?.role ?? 'operator');
  if (!resource.create) return null;
  const text = say('newNamed', { what: lowercaseForSentence(names(resource.at).one) });
  return may ? (
    <a class="btn primary" href={`/admin${path}/new`}>
      {text}
    </a>
  ) : (
    <button type="button" class="btn" disabled title={say('onlyAdministrator')}>
      {text}
    </button>
  );
};

interface RowsProps {
  resource: AdminApiResource;
  params: Readonly<Record<string, string>>;
  answer: Row;
  zone: string | undefined;
}

const Rows = ({ resource, params, answer, zone }: RowsProps): JSX.Element => {
  const say = useSettingsWords();
  const name = useResourceNames()(resource.at);
  const [typed, setTyped] = useState('');
  const rows = answer[resource.many!] as readonly Row[];
  const shown = typed === '' ? rows : rows.filter((row) => fold(JSON.stringify(row)).includes(fold(typed)));
  const columns = columnsShownInList(resource);
  const shortName = useShortFieldName();
  const { query } = useStore(pageAddressStore);
  if (rows.length === 0 && query.size > 0)
    return (
      <>
        <p class="dim gap-above">{say('noneFits')}</p>
        <Pager cursor={answer['cursor']} />
      </>
    );
  if (rows.length === 0)
    return (
      <div class="empty">
        <h2>{say('nothingYet')}</h2>
        <p>{name.first}</p>
      </div>
    );
  return (
    <>
      {resource.beside.length > 0 && (
        <RecordFieldList columns={resource.beside} record={answer} zone={zone} />
      )}
      {rows.length > 5 && (
        <ShownRowsFilter typed={typed} count={shown.length} all={rows.length} onType={setTyped} />
      )}
      {shown.length === 0 && <p class="dim">{say('nothingFits')}</p>}
      <div class="tw" tabIndex={0} role="group" aria-label={name.many}>
        <table class="stack">
          <thead>
            <tr>
              {columns.map(({ name: column, shape }) => (
                <th key={column} class={shape.kind === 'number' ? 'num' : undefined}>
                  <code title={shortName(column) === column ? undefined : column}>{shortName(column)}</code>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <RowLine
                key={JSON.stringify([row[resource.key], row['at'], row['id'], row['seq']])}
                resource={resource}
                params={params}
                row={row}
                columns={columns}
                zone={zone}
              />
            ))}
          </tbody>
        </table>
      </div>
      <Pager cursor={answer['cursor']} />
    </>
  );
};

const RowLine = ({
  resource,
  params,
  row,
  columns,
  zone,
}: {
  resource: AdminApiResource;
  params: Readonly<Record<string, string>>;
  row: Row;
  columns: readonly ResourceColumn[];
  zone: string | undefined;
}): JSX.Element => {
  const shortName = useShortFieldName();
  const key = toTextOrJson(row[resource.key] ?? '');
  const leads = resource.one !== undefined && key !== '';
  const href = leads ? `/admin${fill(resource.at, params)}/${encodeURIComponent(key)}` : undefined;
  const linked = recordTitle(resource, row).column ?? columns[0]?.name;
  return (
    <tr>
      {columns.map((column) => (
        <td
          key={column.name}
          data-l={shortName(column.name)}
          class={column.shape.kind === 'number' ? 'num' : 'foreign'}
        >
          {href !== undefined && column.name === linked ? (
            <a class="link foreign" data-row href={href} onClick={() => rememberClickedListRow(href, row)}>
              <ListedValue {...{ resource, column, row, zone }} />
            </a>
          ) : (
            <ListedValue {...{ resource, column, row, zone }} />
          )}
        </td>
      ))}
    </tr>
  );
};

interface ListedValueProps {
  resource: AdminApiResource;
  column: ResourceColumn;
  row: Row;
  zone: string | undefined;
}

const ListedValue = ({ resource, column, row, zone }: ListedValueProps): JSX.Element => {
  const value = row[column.name];
  const View = findFieldView(resource.at, column.name);
  return View ? <View value={value} /> : <RecordFieldValue {...{ column, value, zone }} isBrief />;
};

/** Lists page by key: the next page has an address of its own. */
const Pager = ({ cursor }: { cursor: unknown }): JSX.Element | null => {
  const say = useSettingsWords();
  const { path, query } = useStore(pageAddressStore);
  const at = (next: string | undefined): string => {
    const changed = new URLSearchParams(query);
    changed.delete('cursor');
    if (next !== undefined) changed.set('cursor', next);
    return changed.size === 0 ? path : `${path}?${changed}`;
  };
  const hasNext = cursor !== null && cursor !== undefined;
  if (!hasNext && !query.has('cursor')) return null;
  return (
    <p class="gap-above acts">
      {query.has('cursor') && (
        <button type="button" class="btn" onClick={() => go(at(undefined))}>
          {say('firstPage')}
        </button>
      )}
      {hasNext && (
        <a class="btn" href={at(toTextOrJson(cursor))}>
          {say('nextPage')}
        </a>
      )}
    </p>
  );
};
