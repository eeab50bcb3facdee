/** Rows of a list that were refused: each with why, and what can be corrected of it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AdminApiRequestError } from '../../api.ts';
import { refusedRowWord } from '../../listRowReasons.ts';
import { refusalInPageLanguage } from '../../refusalInPageLanguage.ts';
import { ErrorNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { useFetch } from '../../ui/useRead.ts';
import { formatLocalizedNumber, type Say, useTranslation } from '../../words/index.ts';
import { type DestinationListColumnName, type CsvHeader, defaultCsvHeader, parseCsvLine } from './csvLine.ts';
import { placeOf, placeWord } from './placeInFile.ts';
import { type List, fetchRejectedListRows, sendCorrectedListRows, type RejectedListRow } from './data.ts';

/** Rows that are shown, and sent, at a time. */
const mostRows = 100;
/** So much of a refused row is kept; one that is longer lacks its end. */
const keptOfRow = 200;

const inPageLanguage = (rows: readonly RejectedListRow[]): Promise<RejectedListRow[]> =>
  Promise.all(
    rows.map(async (row) =>
      refusedRowWord(row.reason) ? row : { ...row, reason: await refusalInPageLanguage(row.reason) },
    ),
  );

interface MendProps {
  account: number;
  list: List;
  header: CsvHeader | undefined;
  onMended(list: List): void;
}

type Correction = Partial<Record<DestinationListColumnName, string>>;

export const Mend = ({ account, list, header, onMended }: MendProps): JSX.Element => {
  const say = useTranslation();
  const { answer, failure } = useFetch(`${list.cdlc_id} ${list.rejected}`, (signal) =>
    fetchRejectedListRows(account, list.cdlc_id, signal).then(inPageLanguage),
  );
  const [corrected, setCorrected] = useState<Readonly<Record<number, Correction>>>({});
  /** Rows that were refused once more, as they stand now: the service wrote these itself, in the columns of a list. */
  const [rewritten, setRewritten] = useState<ReadonlyMap<number, RejectedListRow>>(new Map());
  const [said, setSaid] = useState('');
  const [isBusy, setBusy] = useState(false);
  if (failure !== undefined) return <ErrorNotice error={failure} />;
  const rows = (answer ?? []).slice(0, mostRows).map((one) => rewritten.get(one.row) ?? one);
  const headerOf = (row: number): CsvHeader =>
    rewritten.has(row) ? defaultCsvHeader : (header ?? defaultCsvHeader);
  const changed = rows.filter(({ row }) => corrected[row] !== undefined);
  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      const records = changed.map((one) => ({
        row: one.row,
        ...{ phone: '', ...parseCsvLine(one.content, headerOf(one.row)) },
        ...corrected[one.row],
      }));
      const { mended, list: now, rejects } = await sendCorrectedListRows(account, list.cdlc_id, records);
      setSaid(
        now.rejected === 0
          ? say('mendedAll', { count: mended })
          : say('mendedSome', { count: mended, left: now.rejected }),
      );
      const again = await inPageLanguage(rejects);
      setRewritten(new Map([...rewritten, ...again.map((one) => [one.row, one] as const)]));
      if (rejects.length === 0) setCorrected({});
      onMended(now);
    } catch (error) {
      setSaid(
        error instanceof AdminApiRequestError && error.status !== 0 ? error.message : say('errorUnreachable'),
      );
    }
    setBusy(false);
  };
  return (
    <div class="mend">
      <div class="tw mend-rows" tabIndex={0} role="group" aria-label={say('cpMend')}>
        <table class="stack">
          <thead>
            <tr>
              <th class="num">{say(placeWord(rows[0]))}</th>
              <th>{say('cpWhy')}</th>
              <th>{say('cpPhone')}</th>
              <th>{say('cpName')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((one) => (
              <MendRow
                key={one.row}
                one={one}
                header={headerOf(one.row)}
                correction={corrected[one.row] ?? {}}
                onCorrect={(correction) => setCorrected({ ...corrected, [one.row]: correction })}
              />
            ))}
          </tbody>
        </table>
      </div>
      {rows.some(({ line }) => line !== null) && <p class="hint">{say('linesCounted')}</p>}
      {(answer?.length ?? 0) > mostRows && <p class="hint">{say('moreRefused', { count: mostRows })}</p>}
      <p class="acts">
        <button
          type="button"
          class="btn"
          disabled={changed.length === 0 || isBusy}
          onClick={() => void send()}
        >
          {takeWords(say, changed.length)}
        </button>
        <span class="dim" role="status">
          {said}
        </span>
      </p>
    </div>
  );
};

const takeWords = (say: Say, count: number): string =>
  say(count === 0 ? 'takeMended' : count === 1 ? 'takeMendedOne' : 'takeMendedCount', { count });

/** A box of one line takes line breaks out of what it shows, and would join the words around them. */
const inOneLine = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ');

interface MendRowProps {
  one: RejectedListRow;
  header: CsvHeader;
  correction: Correction;
  onCorrect(correction: Correction): void;
}

const MendRow = ({ one, header, correction, onCorrect }: MendRowProps): JSX.Element => {
  const say = useTranslation();
  const given = parseCsvLine(one.content, header);
  const word = refusedRowWord(one.reason);
  const isCut = new TextEncoder().encode(one.content).length >= keptOfRow - 3;
  const field = (column: 'phone' | 'name', label: string): JSX.Element => (
    <input
      type="text"
      aria-label={`${label}, ${say(placeWord(one))} ${formatLocalizedNumber(placeOf(one))}`}
      value={correction[column] ?? inOneLine(given[column] ?? '')}
      onInput={(event) => onCorrect({ ...correction, [column]: event.currentTarget.value })}
    />
  );
  return (
    <tr data-reject={one.row}>
      <td data-l={say(placeWord(one))} class="num">
        {formatLocalizedNumber(placeOf(one))}
      </td>
      <td data-l={say('cpWhy')} class="foreign">
        {word === undefined ? one.reason : say(word)}
        <span class="sub foreign">{one.content}</span>
      </td>
      {isCut ? (
        <td colSpan={2} class="dim">
          {say('rowTooLong')}
        </td>
      ) : (
        <>
          <td data-l={say('cpPhone')}>{field('phone', say('cpPhone'))}</td>
          <td data-l={say('cpName')}>{field('name', say('cpName'))}</td>
        </>
      )}
    </tr>
  );
};
