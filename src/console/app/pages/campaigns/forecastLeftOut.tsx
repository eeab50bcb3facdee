/** Whom a forecast leaves out, and why: numbers that are not called, and numbers that have to wait. */
import type { JSX } from 'preact';
import { useTranslation, type Word } from '../../words/index.ts';
import type { CampaignForecastAnswer } from './data.ts';

const reasons: Readonly<Record<string, Word>> = {
  route: 'forecastNoTrunk',
  closedPrefix: 'forecastClosed',
  dayLimit: 'forecastDayLimit',
};

/** A sentence for each reason; what a balance does not cover has one of its own. */
export const LeftOutSentences = ({ forecast }: { forecast: CampaignForecastAnswer }): JSX.Element => {
  const say = useTranslation();
  const told = forecast.left_out.filter(({ reason }) => reason !== 'insufficientBalance');
  return (
    <>
      {told.map(({ ends, reason, trunks, destinations: count }) => {
        const word = reasons[reason];
        const why = [word ? say(word) : reason, trunks.length > 0 ? ` (${trunks.join(', ')})` : ''].join('');
        return (
          <p key={`${ends} ${reason} ${trunks.join()}`} class="small warn">
            {say(ends === 'CANCEL' ? 'forecastNotCalled' : 'forecastWaits', { count, why })}
          </p>
        );
      })}
    </>
  );
};
