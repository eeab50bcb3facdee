/** Live calls by state: those that wait first, then those in the network with one bar that shares them out. */
import type { JSX } from 'preact';
import type { ServiceOverview } from '../../data.ts';
import { Mark, type StatusTone } from '../../ui/mark.tsx';
import { formatLocalizedNumber, useTranslation, type Word } from '../../words/index.ts';

interface Step {
  word: Word;
  feeling: StatusTone;
  /** States whose machines are counted here, by how they begin. */
  states: readonly string[];
  /** In the network: it has a part of the bar. */
  isUp: boolean;
  /** Paler, beside another of the same feeling. */
  isPale?: true;
}

const steps: readonly Step[] = [
  {
    word: 'awaitTurn',
    feeling: 'wait',
    states: ['pending', 'born', 'preparing', 'awaitingTurn', 'clearing'],
    isUp: false,
  },
  {
    word: 'later',
    feeling: 'wait',
    states: ['scheduled', 'postponed', 'deferred', 'retrying', 'due'],
    isUp: false,
  },
  { word: 'dialing', feeling: 'live', states: ['dialing.placing', 'rerouting'], isUp: true, isPale: true },
  { word: 'ringing', feeling: 'live', states: ['dialing.ringing', 'dialing', 'checking'], isUp: true },
  { word: 'message', feeling: 'good', states: ['answered'], isUp: true, isPale: true },
  { word: 'transferring', feeling: 'live', states: ['answered.transferring'], isUp: true },
  { word: 'talking', feeling: 'good', states: ['answered.talking'], isUp: true },
];

const begins = (state: string, with_: string): boolean => state === with_ || state.startsWith(`${with_}.`);

/** Where the calls are that a step counts: those in its states, without what other steps have of these. */
const addressOf = (step: Step): string => {
  const except = steps
    .filter((other) => other !== step)
    .flatMap(({ states }) => states)
    .filter((state) => step.states.some((own) => begins(state, own)));
  const query = {
    kind: 'call',
    state: step.states.join(','),
    ...(except.length > 0 && { except: except.join(',') }),
  };
  return `/admin/find?${new URLSearchParams(query)}`;
};

/** The step whose name of the state is the longest; undefined: it is over, but for what is written down. */
const stepOf = (state: string): Step | undefined => {
  const fitting = steps.flatMap((step) =>
    step.states.filter((name) => begins(state, name)).map((name) => ({ step, length: name.length })),
  );
  return fitting.toSorted((one, other) => other.length - one.length)[0]?.step;
};

const countsOf = (states: ServiceOverview['states']): ReadonlyMap<Step, number> => {
  const counts = new Map(steps.map((step) => [step, 0]));
  for (const { kind, state, count } of states) {
    const step = kind === 'call' ? stepOf(state) : undefined;
    if (step) counts.set(step, counts.get(step)! + count);
  }
  return counts;
};

export const countCallsInNetwork = (states: ServiceOverview['states']): number =>
  [...countsOf(states)].reduce((sum, [{ isUp }, count]) => sum + (isUp ? count : 0), 0);

/** Those that are to be called, at once or later. */
export const countCallsYetToDial = (states: ServiceOverview['states']): number =>
  [...countsOf(states)].reduce((sum, [{ isUp }, count]) => sum + (isUp ? 0 : count), 0);

export const Flow = ({ states }: { states: ServiceOverview['states'] }): JSX.Element => {
  const say = useTranslation();
  const counts = countsOf(states);
  const up = countCallsInNetwork(states);
  const waiting = countCallsYetToDial(states);
  return (
    <section aria-labelledby="flow">
      <div class="sh">
        <h2 id="flow">{say('liveCalls')}</h2>
        <span class="right">{say('upAndWaiting', { up, waiting })}</span>
      </div>
      <div class="flow">
        {steps.map((step) => (
          <a
            key={step.word}
            data-row
            href={addressOf(step)}
            title={step.states.join(', ')}
            data-step={step.word}
          >
            <span class="fig">{formatLocalizedNumber(counts.get(step)!)}</span>
            <span class="lbl">
              <Mark of={step.feeling} />
              {say(step.word)}
            </span>
          </a>
        ))}
        <Bar counts={counts} total={up} label={say('shareOfStates')} />
      </div>
    </section>
  );
};

interface BarProps {
  counts: ReadonlyMap<Step, number>;
  total: number;
  label: string;
}

const Bar = ({ counts, total, label }: BarProps): JSX.Element => {
  const width = Math.max(total, 1);
  let x = 0;
  return (
    <svg class="flowbar" viewBox={`0 0 ${width} 8`} preserveAspectRatio="none" role="img" aria-label={label}>
      <rect class="f-line" width={width} height="8" />
      {[...counts]
        .filter(([{ isUp }]) => isUp)
        .map(([step, count]) => {
          const from = x;
          x += count;
          return (
            <rect
              key={step.word}
              class={`f-${step.feeling}`}
              x={from}
              width={count}
              height="8"
              opacity={step.isPale ? 0.55 : 1}
            />
          );
        })}
    </svg>
  );
};
