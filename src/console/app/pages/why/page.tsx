/** Why: what happened to a number, and the rule behind it; whether it may be called, and when. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pageAddressStore, go } from '../../pageAddressStore.ts';
import { AdminApiRequestError } from '../../api.ts';
import { language } from '../../browserPreferences.ts';
import { useStore } from '../../store.ts';
import { FinderForm } from '../../ui/finderForm.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useFetch } from '../../ui/useRead.ts';
import { useTranslation } from '../../words/index.ts';
import { NumberHistorySummary } from './answer.tsx';
import { type NumberHistoryItem, fetchNumberHistory, type NumberHistoryAnswer } from './data.ts';
import { NumberHistoryList } from './happenings.tsx';
import { DialRulesTable } from './dialRuleAnswers.tsx';
import { useWhyWords } from './useWhyWords.ts';
// oxlint-disable-next-line import/no-unassigned-import -- the styles come with what they are for
import '../../styles/why.css';

const longestQuestion = 120;

/** `of`: a number, a `cd_id` or a `ctid`; empty: nothing is asked yet. */
export const NumberHistoryPage = ({ of }: { of: string }): JSX.Element => {
  const say = useTranslation();
  const tell = useWhyWords();
  useEffect(() => {
    document.title = [of, say('why'), 'Ramal'].filter(Boolean).join(' · ');
  }, [say, of]);
  return (
    <>
      <div class="head">
        <h1>{say('why')}</h1>
        <p class="lead">{tell('lead')}</p>
      </div>
      <FinderForm
        key={of}
        text={of}
        label={tell('what')}
        verb={tell('explain')}
        longest={longestQuestion}
        isFirst={of === ''}
        onAsk={(asked) => go(`/admin/why/${encodeURIComponent(asked)}`)}
      />
      {of === '' ? <p class="dim gap-above">{tell('empty')}</p> : <Asked of={of} />}
    </>
  );
};

const Asked = ({ of }: { of: string }): JSX.Element => {
  const say = useTranslation();
  const tongue = useStore(language);
  const account = useStore(pageAddressStore).query.get('account');
  const [round, setRound] = useState(0);
  /** Another answer is told from its beginning. */
  const told = useRef<{ story?: NumberHistoryAnswer; nth: number }>({ nth: 0 });
  const { answer: story, failure } = useFetch(`${of} ${account} ${tongue} ${round}`, (signal) =>
    fetchNumberHistory({ of, account, language: tongue, signal }),
  );
  if (failure instanceof AdminApiRequestError && failure.status === 404)
    return <p class="dim gap-above">{say('nothingFound')}</p>;
  if (failure !== undefined) return <ErrorNotice error={failure} onAgain={() => setRound(round + 1)} />;
  if (!story) return <LoadingNotice />;
  if (told.current.story !== story) told.current = { story, nth: told.current.nth + 1 };
  return (
    <Told
      key={told.current.nth}
      story={story}
      asked={{ of, account }}
      onChanged={() => setRound(round + 1)}
    />
  );
};

interface ToldProps {
  story: NumberHistoryAnswer;
  asked: { of: string; account: string | null };
  onChanged(): void;
}

/** Which statement is shown first: that of the call that was asked for, else the newest. */
const firstOf = ({ happened, call }: NumberHistoryAnswer): NumberHistoryItem | undefined =>
  happened.find((one) => one.statement && one.call === call) ?? happened.find(({ statement }) => statement);

const Told = ({ story, asked, onChanged }: ToldProps): JSX.Element => {
  const tell = useWhyWords();
  const tongue = useStore(language);
  const [pages, setPages] = useState<NumberHistoryAnswer[]>([story]);
  const [chosen, setChosen] = useState<NumberHistoryItem | undefined>(firstOf(story));
  const [failure, setFailure] = useState<unknown>();
  const happened = pages.flatMap((page) => page.happened);
  const cursor = pages.at(-1)!.cursor;
  const zones: Record<string, string> = Object.assign({}, ...pages.map((page) => page.zones));
  const more = async (): Promise<void> => {
    if (cursor === null) return;
    try {
      const next = await fetchNumberHistory({ ...asked, language: tongue, cursor });
      setPages([...pages, next]);
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <>
      <NumberHistorySummary story={story} onChanged={onChanged} />
      <div class="why-columns">
        <section aria-labelledby="why-happened">
          <NumberHistoryList
            happened={happened}
            accounts={Object.assign({}, ...pages.map((page) => page.accounts))}
            zones={zones}
            chosen={chosen}
            onChoose={setChosen}
          />
          {story.unsearched && <p class="small dimmer gap-above">{tell('unsearched')}</p>}
          <p class="small dimmer gap-above">{tell('kept')}</p>
          {failure !== undefined && <ErrorNotice error={failure} />}
          {cursor !== null && (
            <button type="button" class="btn" onClick={() => void more()}>
              {tell('older')}
            </button>
          )}
        </section>
        {chosen?.statement && (
          <DialRulesTable happened={chosen} statement={chosen.statement} zone={zones[chosen.account]} />
        )}
      </div>
    </>
  );
};
