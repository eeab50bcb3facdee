/** What the call says, and what the called person does. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { signedInAdministratorStore } from '../../api.ts';
import { fetchAccounts } from '../../data.ts';
import { useStore } from '../../store.ts';
import { toTextOrJson } from '../../toTextOrJson.ts';
import { useFetch } from '../../ui/useRead.ts';
import { useTranslation } from '../../words/index.ts';
import type { SandboxCallRequest } from './useSandboxCall.ts';
import { type TryCallTranslationKey, useTryWords } from './useTryWords.ts';

const persons: readonly { word: TryCallTranslationKey; dest: string }[] = [
  { word: 'byHand', dest: '11987699000' },
  { word: 'pressesTwo', dest: '11987650012' },
  { word: 'busy', dest: '11987650001' },
  { word: 'noAnswer', dest: '11987650002' },
  { word: 'machine', dest: '11987650005' },
];

interface FormProps {
  isBusy: boolean;
  /** Why the call was not placed. */
  problem: string;
  onCall(wanted: SandboxCallRequest): void;
}

export const SandboxCallForm = ({ isBusy, problem, onCall }: FormProps): JSX.Element => {
  const say = useTryWords();
  const sayCommon = useTranslation();
  const who = useStore(signedInAdministratorStore);
  const may = typeof who === 'object' && who.role === 'admin';
  const { answer: accounts = [] } = useFetch('accounts', fetchAccounts);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const of = (name: string): string => toTextOrJson(fields.get(name)).trim();
    const keys = ['1', '2'].map((key) => ({ key, says: of(`after${key}`) }));
    onCall({
      account: Number(of('account')),
      dest: of('dest'),
      text: of('text'),
      keys: keys.filter(({ says }) => says !== ''),
    });
  };
  return (
    <form class="try-form" onSubmit={submit}>
      {accounts.length > 1 ? (
        <label class="field">
          <span>{say('account')}</span>
          <select name="account">
            {accounts.map(({ cdcs_id: id, name }) => (
              <option key={id} value={id} selected={id === accounts.at(-1)!.cdcs_id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <input type="hidden" name="account" value={accounts[0]?.cdcs_id ?? ''} />
      )}
      <Text name="text" label={say('says')} value={say('saysExample')} rows={4} isRequired />
      <Text name="after1" label={say('afterKey', { key: '1' })} value={say('afterOne')} rows={1} />
      <Text name="after2" label={say('afterKey', { key: '2' })} value={say('afterTwo')} rows={1} />
      <fieldset>
        <legend>{say('person')}</legend>
        {persons.map(({ word, dest }, index) => (
          <label key={dest} class="option">
            <input type="radio" name="dest" value={dest} defaultChecked={index === 0} />
            <span>{say(word)}</span>
            <code class="dimmer">{dest}</code>
          </label>
        ))}
      </fieldset>
      {!may && <p class="hint">{sayCommon('onlyAdministrator')}</p>}
      <button
        type="submit"
        class="btn primary"
        disabled={!may || isBusy || accounts.length === 0}
        title={may ? undefined : sayCommon('onlyAdministrator')}
      >
        {say(isBusy ? 'calling' : 'call')}
      </button>
      {problem !== '' && (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
      <p class="dim small">{say('hint')}</p>
    </form>
  );
};

interface TextProps {
  name: string;
  label: string;
  value: string;
  rows: number;
  isRequired?: true | undefined;
}

/** Begins with a value of the page's language; what was written stays when the language changes. */
const Text = ({ name, label, value, rows, isRequired }: TextProps): JSX.Element => {
  const [written, setWritten] = useState<string>();
  return (
    <label class="field">
      <span>{label}</span>
      <textarea
        name={name}
        rows={rows}
        maxLength={1_000}
        required={isRequired}
        value={written ?? value}
        onInput={({ currentTarget }) => setWritten(currentTarget.value)}
      />
    </label>
  );
};
