/** The dials of a call that are over: by which trunk each went, how it ended, and when. */
import type { JSX } from 'preact';
import { toStatusTone } from '../../stateFeeling.ts';
import { Mark } from '../../ui/mark.tsx';
import { When } from '../../ui/when.tsx';
import { type MachineWord, useMachineWords } from './useMachineWords.ts';

/** As the chart keeps one (`machines/call/context.ts`); older versions of it kept less. */
interface DialAttempt {
  attempt?: number;
  number?: string;
  route?: string;
  callerId?: string;
  status?: string;
  reason?: string;
  [moment: string]: unknown;
}

const outcomes: Readonly<Record<string, MachineWord>> = {
  OK: 'attemptAnswered',
  BUSY: 'attemptBusy',
  NOANSWER: 'attemptNoAnswer',
  CANCEL: 'attemptCancelled',
  CONGESTION: 'attemptCongestion',
  CHANUNAVAIL: 'attemptUnreachable',
};

const moments: readonly (readonly [name: string, word: MachineWord])[] = [
  ['dialedAt', 'dialledAt'],
  ['rangAt', 'rangAt'],
  ['answeredAt', 'answeredAt'],
  ['endedAt', 'endedAt'],
];

const texts: readonly (readonly [name: 'number' | 'route' | 'callerId', word: MachineWord])[] = [
  ['number', 'attemptNumber'],
  ['route', 'attemptTrunk'],
  ['callerId', 'attemptCallerId'],
];

interface ListProps {
  attempts: readonly DialAttempt[];
  /** Of the account. */
  zone: string;
}

export const DialAttemptList = ({ attempts, zone }: ListProps): JSX.Element => (
  <ol class="attempts">
    {attempts.map((one, nth) => (
      <Attempt key={nth} one={one} number={one.attempt ?? nth + 1} zone={zone} />
    ))}
  </ol>
);

interface AttemptProps {
  one: DialAttempt;
  number: number;
  zone: string;
}

const Attempt = ({ one, number, zone }: AttemptProps): JSX.Element => {
  const say = useMachineWords();
  const { status = '', reason = '' } = one;
  const outcome = outcomes[status];
  const happened = moments.filter(([name]) => typeof one[name] === 'number' && one[name] > 0);
  return (
    <li>
      <span class="state" title={[status, reason].filter((text) => text !== '').join(': ')}>
        <Mark of={toStatusTone('', status)} />
        {say('attemptIs', { number, outcome: outcome === undefined ? status : say(outcome) })}
      </span>
      {texts
        .filter(([name]) => (one[name] ?? '') !== '')
        .map(([name, word]) => (
          <span key={name} class="sub">
            {say(word)}: <bdi class="foreign">{one[name]}</bdi>
          </span>
        ))}
      {happened.map(([name, word]) => (
        <span key={name} class="sub">
          {say(word)}: <When at={one[name] as number} zone={zone} />
        </span>
      ))}
    </li>
  );
};
