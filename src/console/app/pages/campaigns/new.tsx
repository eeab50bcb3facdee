/** A new campaign: who is called, what is heard, when and how. It is made paused, and shows its forecast before it starts. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { goUnlessLeft, pageAddressStore } from '../../pageAddressStore.ts';
import { AdminApiRequestError, signedInAdministratorStore } from '../../api.ts';
import { type Account, fetchAccounts } from '../../data.ts';
import { useStore } from '../../store.ts';
import { ErrorNotice, LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useFetch } from '../../ui/useRead.ts';
import { useUnsavedForm } from '../../unsavedForms.ts';
import { useTranslation, type Word } from '../../words/index.ts';
import { isolateBidi } from '../../words/isolateBidi.ts';
import { timeZoneOrUtc, viewerZone } from '../../zone.ts';
import { ChooseAudio } from './chooseAudioOrText.tsx';
import { postNewCampaign, type List, type NewCampaign, fetchDestinationList } from './data.ts';
import { Check, Field } from './fields.tsx';
import {
  type CampaignFormMistake,
  type CampaignFormValues,
  firstCampaignFormMistake,
  type WhatIsHeard,
} from './mistakes.ts';
import { fastestPace, slowestPace } from './paceBounds.ts';
import { DestinationListPicker } from './uploadOrChooseList.tsx';
import { OtherCampaignFields, type OtherFieldValues } from './otherFields.tsx';

export const NewCampaignPage = (): JSX.Element => {
  const say = useTranslation();
  const { answer, failure } = useFetch('accounts', fetchAccounts);
  useEffect(() => {
    document.title = `${say('newCampaign')} · Ramal`;
  }, [say]);
  return (
    <div class="new-campaign">
      <p class="crumb small">
        <a class="link" href="/admin/campaigns">
          {say('campaigns')}
        </a>
      </p>
      <div class="head">
        <h1>{say('newCampaign')}</h1>
        <p class="lead">{say('newLead')}</p>
      </div>
      {failure !== undefined && <ErrorNotice error={failure} />}
      {!answer && failure === undefined && <LoadingNotice />}
      {answer && <Form accounts={answer} />}
    </div>
  );
};

/** Fields of this form, by the names of CreateCampaign. */
const own = [
  ...['name', 'cdlc_id', 'content', 'text', 'date_start', 'date_end', 'time_start', 'time_end', 'vel'],
  ...['resends', 'time_resends', 'mobile', 'limit_name', 'no_block', 'cp_ativo', 'request_id'],
] as const;

/** The day on the account's wall clock: who makes the campaign may sit in another zone. */
const todayOf = (account: Account | undefined): string =>
  new Date().toLocaleDateString('sv-SE', {
    timeZone: account ? timeZoneOrUtc(account.time_zone) : viewerZone(),
  });

/** What is meant where nothing else is chosen; both days are the account's today. */
const usual: CampaignFormValues = {
  ...{ time_start: '09:00', time_end: '20:00' },
  ...{ vel: '', resends: '0', time_resends: '30', mobile: '1', limit_name: '1', no_block: '0' },
};

/** The list that the address names. */
const useNamedList = (account: number, onList: (list: List) => void): void => {
  const { query } = useStore(pageAddressStore);
  const id = Number(query.get('list'));
  const isOurs = Number(query.get('account')) === account && id > 0;
  const { answer } = useFetch(isOurs ? `${account} ${id}` : undefined, (signal) =>
    fetchDestinationList(account, id, signal),
  );
  useEffect(() => {
    if (answer) onList(answer);
  }, [answer]);
};

const Form = ({ accounts }: { accounts: readonly Account[] }): JSX.Element => {
  const say = useTranslation();
  const { query } = useStore(pageAddressStore);
  const [account, setAccount] = useState(Number(query.get('account')) || (accounts.at(-1)?.cdcs_id ?? 0));
  const [list, setList] = useState<List>();
  const [heard, setHeard] = useState<WhatIsHeard>({ kind: 'text', audio: '', text: '' });
  const [chosen, setChosen] = useState<CampaignFormValues>({});
  const today = todayOf(accounts.find(({ cdcs_id: id }) => id === account));
  const initial: CampaignFormValues = { ...usual, date_start: today, date_end: today };
  const values = { ...initial, ...chosen };
  const [others, setOthers] = useState<OtherFieldValues>({});
  const [problem, setProblem] = useState('');
  const [mistake, setMistake] = useState<CampaignFormMistake>();
  const form = useRef<HTMLFormElement>(null);
  const [isBusy, setBusy] = useState(false);
  const who = useStore(signedInAdministratorStore);
  const may = typeof who === 'object' && who.role === 'admin';
  useNamedList(account, setList);
  useUnsavedForm(
    () =>
      (list !== undefined && String(list.cdlc_id) !== query.get('list')) ||
      heard.text !== '' ||
      heard.audio !== '' ||
      Object.entries(chosen).some(([name, value]) => value !== (initial[name] ?? '')) ||
      Object.values(others).some((value) => value !== ''),
  );
  const put = (name: string, value: string): void => setChosen({ ...chosen, [name]: value });
  useEffect(() => {
    if (mistake) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [mistake]);
  const make = async (): Promise<void> => {
    setProblem('');
    const found = firstCampaignFormMistake(values, heard, others, today);
    setMistake(found);
    if (!others['cp_id'] && !list?.cdlc_num) {
      setProblem(say(list ? 'mendOneFirst' : 'nothingToCall'));
      return;
    }
    if (found) return;
    setBusy(true);
    const goOn = goUnlessLeft();
    try {
      const made = await postNewCampaign(account, givenBy(values, list, heard, others));
      goOn(`/admin/campaigns/${made.cp_id}`);
    } catch (error) {
      setProblem(
        error instanceof AdminApiRequestError && error.status !== 0 ? error.message : say('errorUnreachable'),
      );
      setBusy(false);
    }
  };
  const part = { values, put, mistake };
  return (
    <form
      ref={form}
      onSubmit={(submit) => {
        submit.preventDefault();
        void make();
      }}
    >
      <Part id="who" word="whoIsCalled">
        <label class="f">
          {say('account')}
          <select
            value={account}
            onChange={(event) => {
              setAccount(Number(event.currentTarget.value));
              setList(undefined);
            }}
          >
            {accounts.map((one) => (
              <option key={one.cdcs_id} value={one.cdcs_id}>
                {`${isolateBidi(one.name)} (${one.cdcs_id})`}
              </option>
            ))}
          </select>
        </label>
        <DestinationListPicker key={account} account={account} list={list} onList={setList} />
      </Part>
      <Part id="heard" word="whatIsHeard">
        <ChooseAudio account={account} heard={heard} onHeard={setHeard} mistake={mistake} />
      </Part>
      <Part id="when" word="whenCalled">
        <div class="form-grid">
          <Field {...part} name="date_start" word="firstDay" type="date" />
          <Field {...part} name="date_end" word="lastDayField" type="date" />
          <Field {...part} name="time_start" word="cpFrom" type="time" />
          <Field {...part} name="time_end" word="cpUntil" type="time" />
        </div>
        <p class="hint">{say('hoursHint')}</p>
      </Part>
      <Part id="how" word="howCalled">
        <div class="form-grid">
          <Field {...part} name="name" word="nameOfCampaign" type="text" />
          <Field
            {...{
              ...part,
              name: 'vel',
              word: 'paceField',
              type: 'number',
              min: slowestPace,
              max: fastestPace,
            }}
          />
          <Field {...part} name="resends" word="retriesField" type="number" min={0} max={3} />
          <Field {...part} name="time_resends" word="retryMinutesField" type="number" min={1} max={240} />
          <Field {...part} name="limit_name" word="perNameField" type="number" min={0} max={2} />
        </div>
        <Check values={values} put={put} name="mobile" word="mobileField" />
        <Check values={values} put={put} name="no_block" word="blocklistField" />
        <OtherCampaignFields without={own} others={others} onOthers={setOthers} />
      </Part>
      {problem !== '' && (
        <p class="bad foreign" role="alert">
          {problem}
        </p>
      )}
      {!may && <p class="hint">{say('onlyAdministrator')}</p>}
      <button
        type="submit"
        class="btn primary big"
        disabled={!may || isBusy}
        title={may ? undefined : say('onlyAdministrator')}
      >
        {say(isBusy ? 'making' : 'makeIt')}
      </button>
    </form>
  );
};

/** What is asked for; what is empty is at its default. */
const givenBy = (
  values: CampaignFormValues,
  list: List | undefined,
  { kind, audio, text }: WhatIsHeard,
  others: OtherFieldValues,
): NewCampaign => {
  const all = {
    ...values,
    ...others,
    ...(list && { cdlc_id: list.cdlc_id }),
    ...(kind === 'text' ? { text } : { content: audio }),
    cp_ativo: 0,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
};

const Part = ({ id, word, children }: { id: string; word: Word; children: unknown }): JSX.Element => {
  const say = useTranslation();
  return (
    <section aria-labelledby={`h-${id}`}>
      <div class="sh">
        <h2 id={`h-${id}`}>{say(word)}</h2>
      </div>
      <div class="part">{children as JSX.Element}</div>
    </section>
  );
};
