/** The form of a new record; what is shown once stands there until one goes on. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { goUnlessLeft } from '../../pageAddressStore.ts';
import { handTokenToReference } from '../../handToReference.ts';
import { DeclaredSentence } from '../../ui/translatedApiDescriptions.tsx';
import { LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { toast } from '../../ui/toast.tsx';
import { Head, isPageAccountLoaded, useAccount } from './crumbs.tsx';
import type { FormInputValue } from './formInput.ts';
import { findNewRecordFormPreview } from './extraPages.ts';
import { OperationForm } from './form.tsx';
import { recordTitle } from './listColumnsAndRecordTitle.ts';
import { fill, type SettingsPageLocation } from './settingsPageAddresses.ts';
import type { AdminApiResource } from './resourcesFromOpenApi.ts';
import type { Row } from './rows.ts';
import { Once, secretsShownOnce } from './answerAndOneTimeSecret.tsx';
import { lowercaseForSentence, useResourceNames, useSettingsWords } from './useSettingsWords.ts';
import { toTextOrJson } from '../../toTextOrJson.ts';
import { viewerZone } from '../../zone.ts';

interface PageProps {
  place: SettingsPageLocation;
  resources: ReadonlyMap<string, AdminApiResource>;
}

/** What is made here opens the operations, and the reference tries them out with it. */
const accountTokens = '/accounts/{account}/tokens';

export const NewRecordPage = ({ place, resources }: PageProps): JSX.Element => {
  const { resource, params } = place;
  const say = useSettingsWords();
  const name = useResourceNames()(resource.at);
  const account = useAccount(params['account']);
  const [made, setMade] = useState<Row | undefined>(undefined);
  const [draft, setDraft] = useState<Readonly<Record<string, FormInputValue>>>({});
  const goOn = useMemo(goUnlessLeft, []);
  const title = say('newNamed', { what: lowercaseForSentence(name.one) });
  const Preview = findNewRecordFormPreview(resource.at);
  const path = fill(resource.at, params);
  useEffect(() => {
    document.title = `${title} · Ramal`;
  }, [title]);
  const hrefOf = (record: Row): string =>
    resource.one === undefined
      ? `/admin${path}`
      : `/admin${path}/${encodeURIComponent(toTextOrJson(record[resource.key]))}`;
  const done = (answer: unknown): void => {
    const record = answer as Row;
    if (resource.at === accountTokens) handTokenToReference(toTextOrJson(record['token']));
    toast(say('created', { what: recordTitle(resource, record).text }));
    if (secretsShownOnce(record, resource.columns).length > 0) setMade(record);
    else goOn(hrefOf(record), { replace: true });
  };
  if (!isPageAccountLoaded(params, account)) return <LoadingNotice />;
  return (
    <>
      <Head {...{ place, resources, account, title }} lead={name.says} />
      {made ? (
        <>
          {secretsShownOnce(made, resource.columns).map(([one, text]) => (
            <Once key={one} name={one} text={text} />
          ))}
          <p class="gap-above">
            <a class="btn primary" href={hrefOf(made)}>
              {say('goOn', { what: recordTitle(resource, made).text || lowercaseForSentence(name.one) })}
            </a>
          </p>
        </>
      ) : (
        <div class={Preview ? 'cols' : 'narrow'}>
          <section aria-label={title}>
            <p class="dim gap-above">
              <DeclaredSentence text={resource.create!.summary} />
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
