/** Who is called: a file that is dropped or chosen, with its refused rows, or a list that is there. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AdminApiRequestError } from '../../api.ts';
import { ErrorNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useFetch } from '../../ui/useRead.ts';
import { formatLocalizedNumber, type Say, useTranslation } from '../../words/index.ts';
import { isolateBidi } from '../../words/isolateBidi.ts';
import { type CsvHeader, readCsvHeader } from './csvLine.ts';
import { type List, fetchDestinationLists, postDestinationListFile } from './data.ts';
import { Mend } from './correctRejectedRows.tsx';

interface DropListProps {
  account: number;
  list: List | undefined;
  onList(list: List | undefined): void;
}

export const DestinationListPicker = ({ account, list, onList }: DropListProps): JSX.Element => {
  const say = useTranslation();
  const [header, setHeader] = useState<CsvHeader>();
  const [reading, setReading] = useState('');
  const [problem, setProblem] = useState('');
  const take = async (file: File): Promise<void> => {
    setProblem('');
    setReading(file.name);
    try {
      setHeader(await readCsvHeader(file));
      onList(await postDestinationListFile(account, file));
    } catch (error) {
      setProblem(
        error instanceof AdminApiRequestError && error.status !== 0 ? error.message : say('errorUnreachable'),
      );
    }
    setReading('');
  };
  if (list)
    return (
      <TakenList account={account} list={list} header={header} onList={onList}>
        <button type="button" class="btn bare" onClick={() => onList(undefined)}>
          {say('anotherFile')}
        </button>
      </TakenList>
    );
  return (
    <>
      <DropZone reading={reading} onFile={(file) => void take(file)} />
      {problem !== '' && (
        <div role="alert">
          <p class="bad foreign">{problem}</p>
          <p class="hint">{say('mendFile')}</p>
        </div>
      )}
      <ListThere
        account={account}
        onList={(chosen) => {
          setHeader(undefined);
          onList(chosen);
        }}
      />
    </>
  );
};

const DropZone = ({ reading, onFile }: { reading: string; onFile(file: File): void }): JSX.Element => {
  const say = useTranslation();
  const [isOver, setOver] = useState(false);
  return (
    <label
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer?.files ?? [];
        if (file) onFile(file);
      }}
    >
      <span class="strong" role="status">
        {reading === '' ? say('dropHere') : say('cpReading', { file: reading })}
      </span>
      <span class="hint">{say('dropHint')}</span>
      <input
        type="file"
        accept=".csv,.json,.txt,text/csv,application/json"
        aria-label={say('dropHere')}
        disabled={reading !== ''}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? [];
          if (file) onFile(file);
        }}
      />
    </label>
  );
};

const ListThere = ({ account, onList }: Pick<DropListProps, 'account' | 'onList'>): JSX.Element | null => {
  const say = useTranslation();
  const { answer, failure } = useFetch(String(account), (signal) => fetchDestinationLists(account, signal));
  if (failure !== undefined) return <ErrorNotice error={failure} isPart />;
  const lists = (answer ?? []).filter(({ active }) => active);
  if (lists.length === 0) return null;
  return (
    <label class="f">
      {say('orListThere')}
      <select
        value=""
        onChange={(event) => onList(lists.find((one) => String(one.cdlc_id) === event.currentTarget.value))}
      >
        <option value="">{say('noneChosen')}</option>
        {lists.map((one) => (
          <option key={one.cdlc_id} value={one.cdlc_id}>
            {`${isolateBidi(one.cdlc_name)} (${formatLocalizedNumber(one.cdlc_num)})`}
          </option>
        ))}
      </select>
    </label>
  );
};

const takenWords = (say: Say, { cdlc_file, cdlc_name, cdlc_num: count }: List): string =>
  say(count === 1 ? 'listTakenOne' : 'listTaken', { file: cdlc_file || cdlc_name, count });

const refusedWords = (say: Say, { cdlc_num: taken, rejected: count }: List): string => {
  if (count === 0) return say('allTaken');
  if (taken === 0) return say('noneTaken', { all: count });
  return say(count === 1 ? 'rowRefused' : 'rowsRefused', { count, all: taken + count });
};

/** Columns that are named in a sentence, and how much of a name. */
const mostNamed = 10;
const longestName = 40;
const shortName = (name: string): string => isolateBidi(name.trim().slice(0, longestName));

interface TakenListProps {
  account: number;
  list: List;
  header: CsvHeader | undefined;
  onList(list: List): void;
  children: JSX.Element;
}

const TakenList = ({ account, list, header, onList, children }: TakenListProps): JSX.Element => {
  const say = useTranslation();
  return (
    <div class="taken" data-taken={list.cdlc_num} data-rejected={list.rejected}>
      <p class="strong foreign">
        {takenWords(say, list)} {children}
      </p>
      <p class={list.rejected > 0 ? 'warn' : 'good'}>{refusedWords(say, list)}</p>
      {header && header.unread.length > 0 && (
        <p class="warn foreign">
          {say(header.unread.length === 1 ? 'columnUnread' : 'columnsUnread', {
            columns: header.unread.slice(0, mostNamed).map(shortName).join(', '),
          })}
        </p>
      )}
      {list.rejected > 0 && <Mend account={account} list={list} header={header} onMended={onList} />}
    </div>
  );
};
