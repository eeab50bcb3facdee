/** The pace, and what becomes of the campaign at it: moving the slider changes the forecast only. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { AdminApiRequestError } from '../../api.ts';
import { Mark } from '../../ui/mark.tsx';
import { formatLocalizedNumber, type Say, useTranslation } from '../../words/index.ts';
import type { CampaignWithFigures, CampaignForecastAnswer } from './data.ts';
import { LeftOutSentences } from './forecastLeftOut.tsx';
import { countLeftOutRows } from './leftOut.tsx';
import {
  type ForecastRequestState,
  type Pace,
  type PendingForecast,
  callPaceNeeded,
  type ShownForecast,
  useCampaignForecast,
} from './useCampaignForecast.ts';
import { paceBoundsOf } from './paceBounds.ts';
import { PaceSlider } from './paceSlider.tsx';
import { hourlyCallBars } from './hourlyCallBars.ts';
import { CallsPerHourChart } from './callsPerHourChart.tsx';
import { isCampaignNotStarted, isCampaignFinished } from './phase.ts';
import { formatViewerDateTime, formatRelativeDayAndTime } from './when.ts';

/** How long a forecast of a campaign that goes on is believed, milliseconds. */
const believedMs = 15_000;

/**
 * Changes when what is forecast is another: what was called meanwhile counts now and then, not with every call, and never
 * while a forecast is on its way, which may take longer than it is believed.
 */
const useVersion = (campaign: CampaignWithFigures, pending: PendingForecast): string | undefined => {
  const standing = [
    ...[campaign.active, campaign.calls_per_minute, campaign.max_transfers, campaign.destinations],
    ...[campaign.date_start, campaign.date_end, campaign.time_start, campaign.time_end],
  ].join(' ');
  const [made, setMade] = useState({ count: campaign.made, at: Date.now() });
  useEffect(() => {
    if (campaign.made !== made.count && Date.now() - made.at > believedMs && !pending.current)
      setMade({ count: campaign.made, at: Date.now() });
  }, [campaign.made]);
  if (
    isCampaignFinished(campaign) ||
    campaign.state === 'loading' ||
    campaign.state === 'failed' ||
    campaign.model
  )
    return undefined;
  return `${standing} ${made.count}`;
};

export const PaceAndForecast = ({ campaign }: { campaign: CampaignWithFigures }): JSX.Element => {
  const say = useTranslation();
  const set = campaign.calls_per_minute;
  const [tried, setTried] = useState<Pace>(set);
  useEffect(() => setTried(set), [set]);
  const pending = useRef(false);
  const version = useVersion(campaign, pending);
  const forecasting = useCampaignForecast(campaign.cp_id, tried, version, pending);
  const { shown } = forecasting;
  const goesOn = !isCampaignFinished(campaign);
  const isFirst = isCampaignNotStarted(campaign);
  return (
    <>
      {goesOn && <ForecastSentence forecasting={forecasting} campaign={campaign} />}
      <div class={goesOn ? 'fcols' : 'fcols past'}>
        {goesOn && (
          <div>
            <PaceSlider campaign={campaign} tried={tried} onTry={setTried} />
            {shown && <ForecastFigures shown={shown} campaign={campaign} />}
          </div>
        )}
        <CallsPerHourChart
          bars={hourlyCallBars(campaign.figures, shown?.forecast)}
          zone={campaign.account.time_zone}
          {...(goesOn && !isFirst && { now: Date.now() })}
          title={say(isFirst ? 'dialsByHour' : goesOn ? 'dialsByHourLive' : 'dialsByHourPast')}
        />
      </div>
    </>
  );
};

interface SentenceProps {
  forecasting: ForecastRequestState;
  campaign: CampaignWithFigures;
}

/** The answer of the page, in one sentence. */
const ForecastSentence = ({ forecasting: { shown, failure }, campaign }: SentenceProps): JSX.Element => {
  const say = useTranslation();
  if (!shown) {
    const why = failure instanceof AdminApiRequestError && failure.status !== 0 ? failure.message : undefined;
    return (
      <p class="hero dim" aria-live="polite">
        {failure === undefined
          ? say('forecastAsked')
          : say('forecastNone', { sentence: why ?? say('errorUnreachable') })}
      </p>
    );
  }
  const { ends, unreached } = shown.forecast;
  const isGood = ends === 'limitReached' || (ends === 'completed' && unreached === 0);
  const isPaused = campaign.state === 'paused' && !isCampaignNotStarted(campaign);
  return (
    <p class="hero" aria-live="polite" data-estimate={shown.isEstimate}>
      <Mark of={isPaused ? 'wait' : isGood ? 'good' : 'warn'} />
      <span>
        {isPaused && <span class="dim">{say('forecastIfResumed')} </span>}
        {shown.isEstimate && <span class="dim">{say('forecastAbout')} </span>}
        {sentenceOf(say, shown, campaign)}
      </span>
    </p>
  );
};

const sentenceOf = (say: Say, shown: ShownForecast, campaign: CampaignWithFigures): string => {
  const { forecast, pace } = shown;
  const when = formatRelativeDayAndTime(say, campaign.account.time_zone, Date.parse(forecast.stops_at));
  const left = forecast.unreached;
  if (forecast.truncated) return say('forecastLong', { when });
  if (forecast.ends === 'limitReached') return say('forecastLimit', { when, left });
  if (forecast.ends === 'completed' && left > 0)
    return pace === null
      ? say('forecastEndsFreeBut', { when, left })
      : say('forecastEndsBut', { pace, when, left });
  if (forecast.ends === 'completed') {
    const ends = pace === null ? say('forecastEndsFree', { when }) : say('forecastEnds', { pace, when });
    return `${ends} ${allCalled(say, campaign)}`;
  }
  if (pace === 0) return say('forecastHalted', { left });
  if (forecast.ends !== 'expired') return say('forecastStopped', { left });
  if (pace === null) return say('forecastLeftFree', { left });
  const needed = callPaceNeeded(shown);
  const isSettable = needed <= paceBoundsOf(campaign).most;
  return say(isSettable ? 'forecastLeft' : 'forecastLeftBeyond', { pace, left, needed });
};

/** The forecast knows nothing of rows that are left out: they stand on the same page. */
const allCalled = (say: Say, campaign: CampaignWithFigures): string => {
  const count = countLeftOutRows(campaign);
  return count === 0 ? say('forecastAllCalled') : say('forecastAllButLeftOut', { count });
};

const ForecastFigures = ({
  shown,
  campaign,
}: {
  shown: ShownForecast;
  campaign: CampaignWithFigures;
}): JSX.Element => {
  const say = useTranslation();
  const { forecast } = shown;
  const zone = campaign.account.time_zone;
  const stops = Date.parse(forecast.stops_at);
  const when = formatRelativeDayAndTime(say, zone, stops);
  const isCut = forecast.finishes_at === null;
  const figures: readonly (readonly [word: string, value: string, tone?: string])[] = [
    [say('cpEnds'), isCut ? say('cutOff', { when }) : when, isCut ? 'warn' : ''],
    [say('neverCalled'), formatLocalizedNumber(forecast.unreached), forecast.unreached > 0 ? 'warn' : ''],
    [say('answeredForecast'), formatLocalizedNumber(forecast.answered)],
    [say('attemptsForecast'), formatLocalizedNumber(forecast.attempts)],
    [say('atOnce'), formatLocalizedNumber(forecast.peak_concurrent)],
    [say(isCampaignNotStarted(campaign) ? 'cpCost' : 'costSoFar'), costOf(forecast)],
    [say('forecastMargin'), formatLocalizedNumber(Number(forecast.earnings.margin), 2)],
  ];
  const rate = Math.round(100 * forecast.rates.answer_rate);
  const source = { campaign: 'ratesFromCampaign', default: 'ratesUsual' } as const;
  return (
    <>
      <dl class="figs">
        {figures.map(([word, value, tone = '']) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd class={tone} title={word === say('cpEnds') ? formatViewerDateTime(stops) : undefined}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <BalanceSentence forecast={forecast} zone={zone} />
      <LeftOutSentences forecast={forecast} />
      <p class="small dimmer">
        {say(source[forecast.source_of_rates as keyof typeof source] ?? 'ratesFromAccount', { rate })}
      </p>
    </>
  );
};

/** Says when the balance runs out, where it does. */
const BalanceSentence = ({
  forecast,
  zone,
}: {
  forecast: CampaignForecastAnswer;
  zone: string;
}): JSX.Element | null => {
  const say = useTranslation();
  const { balance } = forecast;
  if (!balance || balance.runs_out_at === null) return null;
  const when = formatRelativeDayAndTime(say, zone, Date.parse(balance.runs_out_at));
  return <p class="small warn">{say('forecastUnfunded', { when, count: balance.unfunded })}</p>;
};

/** The interface writes amounts with a comma; the account knows its currency. */
const costOf = ({ cost }: CampaignForecastAnswer): string =>
  formatLocalizedNumber(Number(cost.replace(',', '.')), 2);
