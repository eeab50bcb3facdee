/** Along a machine's events: a slider, a step back and forth, back to what it is now. */
import type { JSX } from 'preact';
import { formatClockWithMillisecondsInZone } from '../../format.ts';
import { Mark } from '../../ui/mark.tsx';
import { ClockTime } from '../../ui/when.tsx';
import { useTranslation } from '../../words/index.ts';
import type { TimeTravelState } from './useTimeTravel.ts';

/** The slider counts entries, not revisions: several events may fold into one write. */
export const TimeTravelBar = ({
  travel,
  zone,
  isEnded,
}: {
  travel: TimeTravelState;
  /** Of the account. */
  zone: string;
  isEnded: boolean;
}): JSX.Element => {
  const say = useTranslation();
  const { at, count, isLive, moment, choose } = travel;
  const last = count - 1;
  const entry = moment?.entry;
  const shown = entry
    ? `${entry.revision} ${entry.event}, ${formatClockWithMillisecondsInZone(entry.at, zone)}`
    : '';
  return (
    <section class="travel" aria-labelledby="travel">
      <h2 id="travel" class="vh">
        {say('timeTravel')}
      </h2>
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        disabled={last === 0}
        aria-label={say('event')}
        aria-valuetext={shown}
        onInput={(event) => choose(Number(event.currentTarget.value))}
      />
      <div class="travelbar small">
        <Step label={say('oneBack')} sign="←" isOff={at <= 0} onClick={() => choose(at - 1)} />
        <Step label={say('oneForward')} sign="→" isOff={at >= last} onClick={() => choose(at + 1)} />
        <span>
          {say('entryOf', { entry: at + 1, count })}{' '}
          <span class="dim">
            {entry && (
              <>
                {say('revisionIs', { revision: String(entry.revision) })}{' '}
                <ClockTime at={entry.at} zone={zone} />
              </>
            )}
          </span>
        </span>
        <span class="grow" />
        {isLive ? (
          <span class="state">
            <Mark of={isEnded ? 'past' : 'good'} />
            {say(isEnded ? 'ended' : 'live')}
          </span>
        ) : (
          <button type="button" class="btn" onClick={() => choose(last)}>
            {say(isEnded ? 'toTheEnd' : 'backToLive')}
          </button>
        )}
      </div>
    </section>
  );
};

interface StepProps {
  label: string;
  sign: string;
  isOff: boolean;
  onClick(): void;
}

const Step = ({ label, sign, isOff, onClick }: StepProps): JSX.Element => (
  <button type="button" class="btn bare" aria-label={label} disabled={isOff} onClick={onClick}>
    <kbd>{sign}</kbd>
  </button>
);
