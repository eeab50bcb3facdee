/** Dead letters of a receiver, each with its last answer: one is sent again, or those chosen, or all since a moment. */
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { fetchAccount } from '../../data.ts';
import { ErrorNotice, LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useFetch } from '../../ui/useRead.ts';
import { When } from '../../ui/when.tsx';
import { formatLocalizedNumber } from '../../words/index.ts';
import { localDateTimeToEpoch } from '../../zone.ts';
import {
  type DeadLetterDelivery,
  fetchDeadLetters,
  replayMatchingDeadLetters,
  replayChosenDeadLetters,
} from './data.ts';
import { useDeliveryAnswer, useReceiverName, useSubjectName } from './deliveryAnswers.ts';
import { ReplayDeadLettersButton } from './replayButton.tsx';
import { useDeliveryWords } from './useDeliveryWords.ts';

interface LettersProps {
  account: number;
  target: string | undefined;
  /** Another one: it is read anew. */
  version: string;
  onEnd(): void;
}

export const DeadLetterList = ({ account, target, version, onEnd }: LettersProps): JSX.Element => {
  const say = useDeliveryWords();
  const nameOf = useReceiverName();
  const [since, setSince] = useState<number | undefined>(undefined);
  const [cursor, setCursor] = useState<string | null>(null);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const which = { account, target, since };
  const { answer: owner } = useFetch(`account ${account}`, (signal) => fetchAccount(account, signal));
  const zone = owner?.time_zone ?? 'UTC';
  const { answer, failure } = useFetch(JSON.stringify([which, cursor, version]), () =>
    fetchDeadLetters(which, cursor),
  );
  const letters = answer?.deliveries ?? [];
  const ended = (): void => {
    setChosen(new Set());
    onEnd();
  };
  return (
    <section aria-labelledby="letters">
      <div class="sh">
        <h2 id="letters" class="foreign">
          {target === undefined
            ? say('allOfAccount', { account: String(account) })
            : say('lettersOf', { target: nameOf(target) })}
        </h2>
        <span class="right">
          <a href={`/admin/accounts/${account}/deliveries`}>{say('settingsOf')}</a>
        </span>
      </div>
      <Since
        zone={zone}
        onSince={(at) => {
          setSince(at);
          setCursor(null);
        }}
      />
      {failure !== undefined && <ErrorNotice error={failure} isPart />}
      {failure === undefined && !answer && <LoadingNotice />}
      {answer && letters.length === 0 && <p class="dim gap-above">{say('noLetters')}</p>}
      {letters.length > 0 && (
        <>
          <div class="acts gap-above">
            <ReplayDeadLettersButton
              label={say('replayChosen', { count: chosen.size })}
              question={say('replayChosenText', { count: chosen.size })}
              count={chosen.size}
              isPrimary
              work={(onDone) => replayChosenDeadLetters(account, [...chosen], onDone)}
              onEnd={ended}
            />
            <ReplayDeadLettersButton
              label={say(since === undefined ? 'replayAll' : 'replaySince')}
              question={say(since === undefined ? 'replayAllText' : 'replaySinceText')}
              count={letters.length}
              work={(onDone) => replayMatchingDeadLetters(which, onDone)}
              onEnd={ended}
            />
          </div>
          <Table letters={letters} account={account} zone={zone} chosen={chosen} onChoose={setChosen} />
        </>
      )}
      {answer && answer.cursor !== null && (
        <button type="button" class="btn" onClick={() => setCursor(answer.cursor)}>
          {say('nextPage')}
        </button>
      )}
    </section>
  );
};

const Since = ({ zone, onSince }: { zone: string; onSince(at: number | undefined): void }): JSX.Element => {
  const say = useDeliveryWords();
  const id = useId();
  const [typed, setTyped] = useState('');
  return (
    <form
      class="filters gap-above"
      onSubmit={(event) => {
        event.preventDefault();
        onSince(localDateTimeToEpoch(typed, zone));
      }}
    >
      <div class="field">
        <label for={id}>{say('since')}</label>
        <input
          id={id}
          type="datetime-local"
          step={1}
          aria-describedby={`${id}-hint`}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <p class="hint shown" id={`${id}-hint`}>
          {say('inZone', { zone })}
        </p>
      </div>
      <button type="submit" class="btn">
        {say('show')}
      </button>
    </form>
  );
};

interface TableProps {
  letters: readonly DeadLetterDelivery[];
  account: number;
  zone: string;
  chosen: ReadonlySet<string>;
  onChoose(chosen: ReadonlySet<string>): void;
}

const Table = ({ letters, account, zone, chosen, onChoose }: TableProps): JSX.Element => {
  const say = useDeliveryWords();
  const answerOf = useDeliveryAnswer();
  const about = useSubjectName();
  const areAll = letters.every(({ delivery_id: id }) => chosen.has(id));
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    onChoose(next);
  };
  return (
    <div class="tw" tabIndex={0} role="group" aria-label={say('dead')}>
      <table class="stack">
        <thead>
          <tr>
            <th>
              <input
                type="checkbox"
                aria-label={say('chooseAll')}
                checked={areAll}
                onChange={() => onChoose(new Set(areAll ? [] : letters.map((one) => one.delivery_id)))}
              />
            </th>
            <th>{say('delivery')}</th>
            <th>{say('about')}</th>
            <th>{say('began')}</th>
            <th class="num">{say('attempts')}</th>
            <th>{say('lastAnswer')}</th>
          </tr>
        </thead>
        <tbody>
          {letters.map(({ delivery_id: id, ...letter }) => (
            <tr key={id}>
              <td>
                <input
                  type="checkbox"
                  aria-label={say('choose', { id })}
                  checked={chosen.has(id)}
                  onChange={() => toggle(id)}
                />
              </td>
              <td data-l={say('delivery')}>
                <a class="link" data-row href={`/admin/machines/${id}?account=${account}`}>
                  <code>{id}</code>
                </a>
              </td>
              <td data-l={say('about')} class="foreign">
                {about(letter.subject, letter.about_id)}
              </td>
              <td data-l={say('began')}>
                <When at={letter.created_at} zone={zone} />
              </td>
              <td data-l={say('attempts')} class="num">
                {formatLocalizedNumber(letter.attempts)}
              </td>
              <td data-l={say('lastAnswer')} class="foreign">
                {answerOf(letter)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
