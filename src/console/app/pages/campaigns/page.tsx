/** One campaign: before its start what will become of it and who is left out; then how it goes, and its pace. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatDay } from '../../format.ts';
import { useStore } from '../../store.ts';
import { useStream } from '../../stream.ts';
import { useThrottled } from '../../ui/useThrottled.ts';
import { lazyPage } from '../../ui/lazyPage.tsx';
import { Mark } from '../../ui/mark.tsx';
import { ErrorNotice, LoadingNotice } from '../../ui/loadingAndErrorNotices.tsx';
import { RefusalText } from '../../ui/refusalText.tsx';
import { streamConnectionState } from '../../ui/streamMark.tsx';
import { type Say, useTranslation } from '../../words/index.ts';
import { isolateBidi } from '../../words/isolateBidi.ts';
import { Acts } from './acts.tsx';
import { type CampaignWithFigures, fetchCampaign } from './data.ts';
import { CampaignCallStates } from './campaignCallsOnStatechart.tsx';
import { CampaignAudioPreview } from './heard.tsx';
import { SkippedDestinationsBand } from './leftOut.tsx';
import { CampaignOutcomes, CampaignOutcomesOverTime } from './outcomes.tsx';
import { PaceAndForecast } from './paceAndForecast.tsx';
import { isCampaignNotStarted, isCampaignFinished, campaignPhaseLabel, countCallsUnderWay } from './phase.ts';

const Waiting = lazyPage(async () => (await import('../why/campaignWaitingReasons.tsx')).WaitingReasonsChart);

const useCampaign = (id: string) => {
  const [campaign, setCampaign] = useState<CampaignWithFigures>();
  const [failure, setFailure] = useState<unknown>();
  const read = (): void => void fetchCampaign(id).then(setCampaign, setFailure);
  useEffect(read, [id]);
  useStream(campaign === undefined ? undefined : `campaign:${campaign.cp_id}`, {
    campaign: ({ campaign: record, figures }) => {
      setCampaign((known) => {
        // When its destinations have been chosen, who was left out is known as well.
        if (known?.state === 'loading' && record.state !== 'loading') read();
        return known && { ...known, ...record, account: known.account, figures };
      });
    },
  });
  return { campaign, failure, read };
};

export const CampaignPage = ({ id }: { id: string }): JSX.Element => {
  const { campaign, failure, read } = useCampaign(id.replace(/^[a-z]+_/, ''));
  useEffect(() => {
    if (campaign) document.title = `${isolateBidi(campaign.name)} · Ramal`;
  }, [campaign?.name]);
  if (failure !== undefined) return <ErrorNotice error={failure} onAgain={() => location.reload()} />;
  return campaign ? <CampaignView campaign={campaign} onDone={read} /> : <LoadingNotice />;
};

const CampaignView = ({
  campaign,
  onDone,
}: {
  campaign: CampaignWithFigures;
  onDone(): void;
}): JSX.Element => {
  const isStale = typeof useStore(streamConnectionState) === 'object';
  const isFirst = isCampaignNotStarted(campaign);
  return (
    <div class={isStale ? 'campaign stale' : 'campaign'} data-state={campaign.phase || campaign.state}>
      <Head campaign={campaign} onDone={onDone} />
      <PaceAndForecast campaign={campaign} />
      {isFirst ? (
        <>
          <SkippedDestinationsBand campaign={campaign} />
          <CampaignAudioPreview campaign={campaign} />
        </>
      ) : (
        <>
          {(!isCampaignFinished(campaign) || campaign.figures.states.length > 0) && (
            <CampaignCallStates campaign={campaign} />
          )}
          {!isCampaignFinished(campaign) && <WaitsFor campaign={campaign} />}
          <div class="half">
            <CampaignOutcomes figures={campaign.figures} />
            <CampaignOutcomesOverTime figures={campaign.figures} zone={campaign.account.time_zone} />
          </div>
          <SkippedDestinationsBand campaign={campaign} />
          <CampaignAudioPreview campaign={campaign} />
        </>
      )}
    </div>
  );
};

/** Counting what all its destinations wait for is no question for each moment, milliseconds. */
const countedAgainMs = 5_000;

const WaitsFor = ({ campaign }: { campaign: CampaignWithFigures }): JSX.Element => {
  const { made, ended } = campaign;
  const counted = useThrottled(`${made} ${ended}`, countedAgainMs);
  return (
    <section>
      <Waiting
        account={campaign.cdcs_id}
        campaign={campaign.cp_id}
        at={`${campaign.phase || campaign.state} ${counted}`}
        withLeftOut={false}
      />
    </section>
  );
};

const Head = ({ campaign, onDone }: { campaign: CampaignWithFigures; onDone(): void }): JSX.Element => {
  const say = useTranslation();
  const [word, feeling] = campaignPhaseLabel(campaign);
  const { list, account } = campaign;
  const facts = [
    isolateBidi(account.name),
    list ? isolateBidi(list.cdlc_file || list.cdlc_name) : say('listDeleted'),
    `${formatDay(campaign.date_start)} – ${formatDay(campaign.date_end)}`,
    `${campaign.time_start.slice(0, 5)}–${campaign.time_end.slice(0, 5)}`,
    campaign.attempts === 1
      ? say('triesOnce')
      : say('triesEach', { count: campaign.attempts, minutes: campaign.retry_minutes }),
  ];
  return (
    <>
      <p class="crumb small">
        <a class="link" href="/admin/campaigns">
          {say('campaigns')}
        </a>
      </p>
      <div class="head">
        <h1 class="foreign">{campaign.name}</h1>
        <span class="chip">
          <Mark of={feeling} />
          {say(word)}
        </span>
        <span class="grow" />
        <Acts campaign={campaign} onDone={onDone} />
      </div>
      <p class="dim foreign facts">
        {facts.join(' · ')} ·{' '}
        <a
          class="link"
          href={`/admin/machines/${campaign.shard}_${campaign.cp_id}?account=${campaign.cdcs_id}`}
        >
          {say('seeMachine')}
        </a>
      </p>
      {campaign.reason !== '' && campaign.reason !== 'closed' && (
        <p class="bad foreign">
          <RefusalText text={campaign.reason} />
        </p>
      )}
      {!isCampaignNotStarted(campaign) && <Progress campaign={campaign} />}
    </>
  );
};

/** Of a campaign that is over: closed, it dials no more, and calls that ring or talk go on to their end. */
const stillUnderWay = (say: Say, { figures }: CampaignWithFigures): string => {
  const count = countCallsUnderWay(figures);
  return count === 0 ? '' : say('overUnderWay', { count });
};

const Progress = ({ campaign }: { campaign: CampaignWithFigures }): JSX.Element => {
  const say = useTranslation();
  const { made, answered, destinations } = campaign;
  const all = Math.max(1, destinations);
  const words = isCampaignFinished(campaign)
    ? [say('overLead', { made, all: destinations, answered }), stillUnderWay(say, campaign)].join(' ').trim()
    : campaign.active
      ? say('liveLead', { made, all: destinations, answered })
      : say('pausedLead', { left: destinations - made, all: destinations });
  return (
    <div class="progress">
      <p
        class={isCampaignFinished(campaign) || !campaign.active ? 'hero' : 'lead'}
        data-made={made}
        data-answered={answered}
      >
        {words}
      </p>
      <svg
        class="bar"
        viewBox={`0 0 ${all} 6`}
        preserveAspectRatio="none"
        role="img"
        aria-label={say('progress')}
      >
        <rect class="f-line" width={all} height="6" />
        <rect class="f-past" width={Math.min(made, all)} height="6" />
        <rect class="f-good" width={Math.min(answered, all)} height="6" />
      </svg>
    </div>
  );
};
