/** A slider that tries a pace; a press sets it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AdminApiRequestError, signedInAdministratorStore } from '../../api.ts';
import { useStore } from '../../store.ts';
import { toast } from '../../ui/toast.tsx';
import { formatLocalizedNumber, type Say, useTranslation } from '../../words/index.ts';
import { type CampaignWithFigures, changeCampaign } from './data.ts';
import { paceBoundsOf } from './paceBounds.ts';
import type { Pace } from './useCampaignForecast.ts';

const paceText = (say: Say, pace: Pace): string =>
  pace === null ? say('paceFree') : formatLocalizedNumber(pace);

interface PaceSliderProps {
  campaign: CampaignWithFigures;
  tried: Pace;
  onTry(pace: Pace): void;
}

export const PaceSlider = ({ campaign, tried, onTry }: PaceSliderProps): JSX.Element => {
  const say = useTranslation();
  const who = useStore(signedInAdministratorStore);
  const [isBusy, setBusy] = useState(false);
  const { least, most } = paceBoundsOf(campaign);
  // The last place is no limit.
  const top = most + 1;
  const set = campaign.calls_per_minute;
  const mayChange = typeof who === 'object' && who.role === 'admin';
  const keep = async (): Promise<void> => {
    setBusy(true);
    try {
      await changeCampaign(campaign, { calls_per_minute: tried });
      toast(say('paceSet', { pace: paceText(say, tried) }));
    } catch (error) {
      toast(
        error instanceof AdminApiRequestError && error.status !== 0 ? error.message : say('errorUnreachable'),
      );
    }
    setBusy(false);
  };
  return (
    <div class="pace">
      <label for="pace" class="strong">
        {say('callsAMinute')}
      </label>
      <output class="pace-value" for="pace">
        {paceText(say, tried)}
      </output>
      <input
        id="pace"
        type="range"
        min={least}
        max={top}
        step="1"
        value={tried ?? top}
        aria-valuetext={tried === null ? say('paceFree') : say('paceIs', { count: tried })}
        onInput={(event) => {
          const value = Number(event.currentTarget.value);
          onTry(value >= top ? null : value);
        }}
      />
      <div class="range-ends small dimmer">
        <span>{formatLocalizedNumber(least)}</span>
        <span>{say('paceFree')}</span>
      </div>
      <p class="acts">
        <button
          type="button"
          class="btn"
          disabled={tried === set || isBusy || !mayChange}
          title={mayChange ? undefined : say('onlyAdministrator')}
          onClick={() => void keep()}
        >
          {say('setThisPace')}
        </button>
        {tried !== set && (
          <button type="button" class="btn bare" onClick={() => onTry(set)}>
            {say('backTo', { pace: paceText(say, set) })}
          </button>
        )}
      </p>
      <p class="small warn" role="status">
        {tried === set ? '' : set === null ? say('paceTriedFree') : say('paceTried', { pace: set })}
      </p>
    </div>
  );
};
