/** One record: what it holds, a form to change it, what belongs to it, and what else can be done with it. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { go } from '../../pageAddressStore.ts';
import type { Account } from '../../data.ts';
import { ErrorNotice, LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { toast } from '../../ui/toast.tsx';
import { useFetch } from '../../ui/useRead.ts';
import { ResourceActions, RemoveRecordButton } from './actions.tsx';
import { Head, isPageAccountLoaded, useAccount } from './crumbs.tsx';
import { findRecordEditor, findRecordStatusPanel } from './extraPages.ts';
import { OperationForm } from './form.tsx';
import { childResourcesOf, ChildResourceSection } from './childResources.tsx';
import { recordTitle } from './listColumnsAndRecordTitle.ts';
import { fill, type SettingsPageLocation } from './settingsPageAddresses.ts';
import type { AdminApiResource } from './resourcesFromOpenApi.ts';
import { fetchAdminRecord } from './readAdminRecord.ts';
import { rememberedClickedListRow, type Row } from './rows.ts';
import { RecordFieldList } from './recordFieldValue.tsx';
import { lowercaseForSentence, useResourceNames, useSettingsWords } from './useSettingsWords.ts';
import { toTextOrJson } from '../../toTextOrJson.ts';
import { viewerZone } from '../../zone.ts';

interface PageProps {
  place: SettingsPageLocation;
  resources: ReadonlyMap<string, AdminApiResource>;
}

export const RecordPage = ({ place, resources }: PageProps): JSX.Element => {
  const { resource, params } = place;
  const [version, setVersion] = useState(0);
  const [news, setNews] = useState<Row>();
  const account = useAccount(params['account']);
  const path = fill(resource.one!, params);
  const { answer, failure } = useFetch(`${path} ${version}`, (signal) => readOne(place, path, signal));
  useEffect(() => setNews(undefined), [answer]);
  if (failure !== undefined) return <ErrorNotice error={failure} onAgain={() => setVersion(version + 1)} />;
  if (!answer || !isPageAccountLoaded(params, account)) return <LoadingNotice />;
  const readNews = (): void =>
    void readOne(place, path, new AbortController().signal).then(
      setNews,
      // What is shown was so a moment ago.
      () => undefined,
    );
  return (
    <Record
      {...{ place, resources, account, path }}
      record={news ?? answer}
      given={answer}
      onChanged={() => setVersion(version + 1)}
      onNews={readNews}
    />
  );
};

/** A record; where the API shows it in its list only, the row that led here. */
const readOne = async (
  { resource, params }: SettingsPageLocation,
  path: string,
  signal: AbortSignal,
): Promise<Row> => {
  if (resource.read) return fetchAdminRecord(path, signal);
  const row = rememberedClickedListRow(`/admin${path}`);
  if (row) return row;
  const list = await fetchAdminRecord(fill(resource.at, params), signal);
  const wanted = Object.values(params).at(-1);
  const rows = list[resource.many ?? ''] as readonly Row[] | undefined;
  return rows?.find((one) => toTextOrJson(one[resource.key]) === wanted) ?? { [resource.key]: wanted };
};

interface RecordProps extends PageProps {
  account: Account | undefined;
  path: string;
  record: Row;
  /** The same as a form began with it. */
  given: Row;
  onChanged(): void;
  onNews(): void;
}

const Record = (props: RecordProps): JSX.Element => {
  const { place, resources, account, path, record, given, onChanged, onNews } = props;
  const { resource, params } = place;
  const say = useSettingsWords();
  const name = useResourceNames()(resource.at);
  const zone = account?.time_zone ?? viewerZone();
  const title = recordTitle(resource, record).text || Object.values(params).at(-1)!;
  const Extra = findRecordEditor(resource.at);
  const State = findRecordStatusPanel(resource.at);
  const parts = childResourcesOf(resource, resources);
  useEffect(() => {
    document.title = `${title} · Ramal`;
  }, [title]);
  const gone = (): void => {
    toast(say('removed', { what: title }));
    go(`/admin${fill(resource.at, params)}`);
  };
  return (
    <>
      <Head {...{ place, resources, account, title }} lead={name.one} />
      {State && <State {...{ place, record, given, zone, path, onChanged, onNews }} />}
      {Extra && <Extra {...{ place, record, given, zone, path, onChanged, onNews }} />}
      {parts.length > 0 && <ChildResourceSection {...{ parts, params }} />}
      <div class={resource.change && !Extra ? 'cols' : undefined}>
        {resource.change && !Extra && <Change {...props} zone={zone} title={title} />}
        <section aria-labelledby="holds">
          <div class="sh">
            <h2 id="holds">{say('whatItHolds')}</h2>
          </div>
          <RecordFieldList columns={resource.columns} record={record} zone={account?.time_zone} />
        </section>
      </div>
      <ResourceActions operations={resource.actionsOfOne} {...{ params, zone }} onDone={onChanged} />
      {resource.remove && (
        <RemoveRecordButton
          operation={resource.remove}
          path={path}
          what={`${lowercaseForSentence(name.one)} ${title}`}
          zone={zone}
          onDone={gone}
        />
      )}
    </>
  );
};

const Change = ({
  place: { resource },
  path,
  given,
  zone,
  onChanged,
}: RecordProps & { zone: string; title: string }): JSX.Element => {
  const say = useSettingsWords();
  return (
    <section aria-labelledby="change">
      <div class="sh">
        <h2 id="change">{say('change')}</h2>
      </div>
      <OperationForm
        operation={resource.change!}
        {...{ path, zone }}
        record={given}
        verb={say('save')}
        busy={say('saving')}
        onDone={() => {
          toast(say('saved'));
          onChanged();
        }}
      />
    </section>
  );
};
