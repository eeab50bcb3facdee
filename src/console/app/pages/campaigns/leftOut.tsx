/** Who is left out, and why: a band as thick as the file is long, from which each reason peels off its strip. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { skippedRowReasons, skippedRowWord } from '../../listRowReasons.ts';
import { ErrorNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { formatLocalizedNumber, type Say, useTranslation } from '../../words/index.ts';
import { type CampaignWithFigures, fetchSkippedDestinations, type SkippedDestination } from './data.ts';
import { placeOf, placeWord } from './placeInFile.ts';
import { isCampaignNotStarted } from './phase.ts';
import { useElementWidth } from './useElementWidth.ts';

/** As the service calls it, where the page has no word for it. */
const reasonIn = (say: Say, reason: string): string => {
  const word = skippedRowWord(reason);
  return word === undefined ? reason : say(word);
};

interface Strip {
  reason: string;
  count: number;
}

/** Refused rows first: they never came as far as the campaign. */
const stripsOf = ({ list, skipped_by_reason: skipped }: CampaignWithFigures): Strip[] =>
  [
    { reason: 'rejected', count: list?.rejected ?? 0 },
    ...skippedRowReasons.slice(1).map((reason) => ({ reason, count: skipped[reason] ?? 0 })),
    ...Object.entries(skipped)
      .filter(([reason]) => !skippedRowReasons.includes(reason))
      .map(([reason, count]) => ({ reason, count })),
  ].filter(({ count }) => count > 0);

/** Rows of its list that are not called, those that were refused when it was read included. */
export const countLeftOutRows = (campaign: CampaignWithFigures): number =>
  stripsOf(campaign).reduce((sum, { count }) => sum + count, 0);

export const SkippedDestinationsBand = ({ campaign }: { campaign: CampaignWithFigures }): JSX.Element => {
  const say = useTranslation();
  const strips = stripsOf(campaign);
  const kept = campaign.destinations;
  const rows = kept + countLeftOutRows(campaign);
  const keptWord = isCampaignNotStarted(campaign) ? 'willBeCalled' : 'areCalled';
  const skipped = campaign.skipped;
  return (
    <section aria-labelledby="h-left">
      <div class="sh">
        <h2 id="h-left">{say('leftOut')}</h2>
      </div>
      <div class="peels">
        <Band strips={strips} rows={rows} kept={kept} />
        <div class="peel-words">
          <div>
            <b>{formatLocalizedNumber(rows)}</b>
            <span>{say('rowsInFile')}</span>
          </div>
          {strips.map(({ reason, count }) => (
            <div key={reason} data-reason={reason}>
              <b>{formatLocalizedNumber(count)}</b>
              <span>{reasonIn(say, reason)}</span>
              {reason === 'rejected' && campaign.list && (
                <a
                  class="link"
                  href={`/admin/campaigns/new?account=${campaign.cdcs_id}&list=${campaign.list.cdlc_id}`}
                >
                  {say('cpMend')}
                </a>
              )}
            </div>
          ))}
          <div class="kept">
            <b>{formatLocalizedNumber(kept)}</b>
            <span>{say(keptWord)}</span>
          </div>
        </div>
      </div>
      {skipped > 0 && <SkippedRows campaign={campaign} count={skipped} />}
    </section>
  );
};

const thick = 100;
/** Of a column, as in styles/campaigns.css. */
const widest = 240;

const Band = ({
  strips,
  rows,
  kept,
}: {
  strips: readonly Strip[];
  rows: number;
  kept: number;
}): JSX.Element => {
  const say = useTranslation();
  const [box, width] = useElementWidth();
  const columns = strips.length + 2;
  const column = Math.min(widest, width / columns);
  let left = rows;
  const high = (count: number): number => (rows === 0 ? 0 : (thick * count) / rows);
  return (
    <div ref={box} class="peel">
      <svg
        width={width}
        height="132"
        role="img"
        aria-label={say('leftOutPicture', { rows, left: rows - kept, kept })}
      >
        <rect class="peel-band" x="0" y="8" width={column} height={high(rows)} />
        {strips.map(({ reason, count }, index) => {
          const x = column * (index + 1);
          const wide = Math.max(1.5, high(count));
          left -= count;
          const y = 8 + high(left) + wide / 2;
          return (
            <g key={reason}>
              <rect class="peel-band" x={x} y="8" width={column} height={high(left)} />
              <path class="peeled" stroke-width={wide} d={`M${x} ${y}h14q14 0 14 14V132`} />
            </g>
          );
        })}
        <rect class="f-good" x={column * (columns - 1)} y="8" width={column} height={high(kept)} />
      </svg>
    </div>
  );
};

const SkippedRows = ({ campaign, count }: { campaign: CampaignWithFigures; count: number }): JSX.Element => {
  const say = useTranslation();
  const [rows, setRows] = useState<readonly SkippedDestination[]>();
  const [cursor, setCursor] = useState<string | null>(null);
  const [failure, setFailure] = useState<unknown>();
  const more = (): void =>
    void fetchSkippedDestinations(campaign, cursor).then((page) => {
      setRows([...(rows ?? []), ...page.skipped]);
      setCursor(page.cursor);
    }, setFailure);
  if (failure !== undefined) return <ErrorNotice error={failure} />;
  return (
    <>
      {rows && (
        <div class="tw" tabIndex={0} role="group" aria-label={say('leftOut')}>
          <table class="stack">
            <thead>
              <tr>
                <th class="num">{say(placeWord(rows[0]))}</th>
                <th>{say('cpWhy')}</th>
                <th>{say('cpNumber')}</th>
                <th>{say('cpName')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((one) => (
                <tr key={one.row}>
                  <td data-l={say(placeWord(one))} class="num">
                    {formatLocalizedNumber(placeOf(one))}
                  </td>
                  <td data-l={say('cpWhy')}>{reasonIn(say, one.reason)}</td>
                  <td data-l={say('cpNumber')} class="foreign">
                    {one.numbers}
                  </td>
                  <td data-l={say('cpName')} class="foreign">
                    {one.name}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {(!rows || cursor !== null) && (
        <p class="gap-above">
          <button type="button" class="btn" onClick={more}>
            {rows ? say('nextPage') : say(count === 1 ? 'showLeftOutOne' : 'showLeftOut', { count })}
          </button>
        </p>
      )}
    </>
  );
};
