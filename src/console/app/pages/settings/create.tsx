/** The form of a new record; what is shown once stands there until one goes on. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { go } from '../../address.ts';
import { Loading } from '../../ui/state.tsx';
import { toast } from '../../ui/toast.tsx';
import { Head, isKnown, useAccount } from './crumbs.tsx';
import type { FormInput } from './formInput.ts';
import { previewOf } from './extraPages.ts';
import { OperationForm } from './form.tsx';
import { titleOf } from './present.ts';
import { fill, type Place } from './places.ts';
import type { Resource } from './resources.ts';
import type { Row } from './rows.ts';
import { Once, shownOnce } from './shown.tsx';
import { inSentence, useNames, useSettingsWords } from './words.ts';
import { textOf } from '../../textOf.ts';
import { viewerZone } from '../../zone.ts';

interface PageProps {
  place: Place;
  resources: ReadonlyMap<string, Resource>;
}

export const CreatePage = ({ place, resources }: PageProps): JSX.Element => {
  const { resource, params } = place;
  const say = useSettingsWords();
  const name = useNames()(resource.at);
  const account = useAccount(params['account']);
  const [made, setMade] = useState<Row | undefined>(undefined);
  const [draft, setDraft] = useState<Readonly<Record<string, FormInput>>>({});
  const title = say('newNamed', { what: inSentence(name.one) });
  const Preview = previewOf(resource.at);
  const path = fill(resource.at, params);
  useEffect(() => {
    document.title = `${title} · Ramal`;
  }, [title]);
  const hrefOf = (record: Row): string =>
    resource.one === undefined
      ? `/admin${path}`
      : `/admin${path}/${encodeURIComponent(textOf(record[resource.key]))}`;
  const done = (answer: unknown): void => {
    const record = answer as Row;
    toast(say('created', { what: titleOf(resource, record).text }));
    if (shownOnce(record, resource.columns).length > 0) setMade(record);
    else go(hrefOf(record), { replace: true });
  };
  if (!isKnown(params, account)) return <Loading />;
  return (
    <>
      <Head {...{ place, resources, account, title }} lead={name.says} />
      {made ? (
        <>
          {shownOnce(made, resource.columns).map(([one, text]) => (
            <Once key={one} name={one} text={text} />
          ))}
          <p class="gap-above">
            <a class="btn primary" href={hrefOf(made)}>
              {say('goOn', { what: titleOf(resource, made).text || inSentence(name.one) })}
            </a>
          </p>
        </>
      ) : (
        <div class={Preview ? 'cols' : 'narrow'}>
          <section aria-label={title}>
            <p class="dim gap-above" lang="en">
              {resource.create!.summary}
            </p>
            <OperationForm
              operation={resource.create!}
              path={path}
              zone={account?.time_zone ?? viewerZone()}
              verb={say('create')}
              busy={say('creating')}
              onDone={done}
              onDraft={setDraft}
            />
          </section>
          {Preview && <Preview draft={draft} />}
        </div>
      )}
    </>
  );
};
