/** One record: what it holds, a form to change it, what belongs to it, and what else can be done with it. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { go } from '../../address.ts';
import type { Account } from '../../data.ts';
import { Failed, Loading } from '../../ui/state.tsx';
import { toast } from '../../ui/toast.tsx';
import { useRead } from '../../ui/useRead.ts';
import { Actions, Remove } from './actions.tsx';
import { Head, isKnown, useAccount } from './crumbs.tsx';
import { extraOf, stateOf } from './extraPages.ts';
import { OperationForm } from './form.tsx';
import { partsOf, Parts } from './parts.tsx';
import { titleOf } from './present.ts';
import { fill, type Place } from './places.ts';
import type { Resource } from './resources.ts';
import { readRow } from './readRow.ts';
import { keptRow, type Row } from './rows.ts';
import { Values } from './value.tsx';
import { inSentence, useNames, useSettingsWords } from './words.ts';
import { textOf } from '../../textOf.ts';
import { viewerZone } from '../../zone.ts';

interface PageProps {
  place: Place;
  resources: ReadonlyMap<string, Resource>;
}

export const OnePage = ({ place, resources }: PageProps): JSX.Element => {
  const { resource, params } = place;
  const [version, setVersion] = useState(0);
  const account = useAccount(params['account']);
  const path = fill(resource.one!, params);
  const { answer, failure } = useRead(`${path} ${version}`, (signal) => readOne(place, path, signal));
  if (failure !== undefined) return <Failed error={failure} onAgain={() => setVersion(version + 1)} />;
  if (!answer || !isKnown(params, account)) return <Loading />;
  return (
    <Record
      {...{ place, resources, account, path }}
      record={answer}
      onChanged={() => setVersion(version + 1)}
    />
  );
};

/** A record; where the API shows it in its list only, the row that led here. */
const readOne = async ({ resource, params }: Place, path: string, signal: AbortSignal): Promise<Row> => {
  if (resource.read) return readRow(path, signal);
  const row = keptRow(`/admin${path}`);
  if (row) return row;
  const list = await readRow(fill(resource.at, params), signal);
  const wanted = Object.values(params).at(-1);
  const rows = list[resource.many ?? ''] as readonly Row[] | undefined;
  return rows?.find((one) => textOf(one[resource.key]) === wanted) ?? { [resource.key]: wanted };
};

interface RecordProps extends PageProps {
  account: Account | undefined;
  path: string;
  record: Row;
  onChanged(): void;
}

const Record = (props: RecordProps): JSX.Element => {
  const { place, resources, account, path, record, onChanged } = props;
  const { resource, params } = place;
  const say = useSettingsWords();
  const name = useNames()(resource.at);
  const zone = account?.time_zone ?? viewerZone();
  const title = titleOf(resource, record).text || Object.values(params).at(-1)!;
  const Extra = extraOf(resource.at);
  const State = stateOf(resource.at);
  const parts = partsOf(resource, resources);
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
      {State && <State {...{ place, record, zone, path, onChanged }} />}
      {Extra && <Extra {...{ place, record, zone, path, onChanged }} />}
      {parts.length > 0 && <Parts {...{ parts, params }} />}
      <div class={resource.change && !Extra ? 'cols' : undefined}>
        {resource.change && !Extra && <Change {...props} zone={zone} title={title} />}
        <section aria-labelledby="holds">
          <div class="sh">
            <h2 id="holds">{say('whatItHolds')}</h2>
          </div>
          <Values columns={resource.columns} record={record} zone={account?.time_zone} />
        </section>
      </div>
      <Actions operations={resource.actionsOfOne} {...{ params, zone }} onDone={onChanged} />
      {resource.remove && (
        <Remove
          operation={resource.remove}
          path={path}
          what={`${inSentence(name.one)} ${title}`}
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
  record,
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
        {...{ path, record, zone }}
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
