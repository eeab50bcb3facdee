/** A value of a machine's record: moments on the account's clock, dials as a list of them, what else is JSON folded away. */
import type { JSX } from 'preact';
import { toTextOrJson } from '../../toTextOrJson.ts';
import { When } from '../../ui/when.tsx';
import { DialAttemptList } from './dialAttemptList.tsx';
import { useMachineWords } from './useMachineWords.ts';

interface RecordValueProps {
  name: string;
  value: unknown;
  /** Of the account. */
  zone: string;
}

export const RecordValue = ({ name, value, zone }: RecordValueProps): JSX.Element => {
  if (isMoment(name, value)) return <When at={value} zone={zone} />;
  const parts = partsIn(value);
  if (parts === undefined) return <>{toTextOrJson(value)}</>;
  return name === 'attempts' && Array.isArray(parts) ? (
    <DialAttemptList attempts={parts} zone={zone} />
  ) : (
    <Folded parts={parts} />
  );
};

/** Fields that hold a moment, epoch milliseconds. */
const isMoment = (name: string, value: unknown): value is number =>
  name.endsWith('_at') && typeof value === 'number' && value > 1e12;

/** What a value holds, itself or as JSON; undefined: it is one thing. */
const partsIn = (value: unknown): object | undefined => {
  if (typeof value === 'object' && value !== null) return value;
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return undefined;
  try {
    return JSON.parse(value) as object;
  } catch {
    return undefined;
  }
};

const Folded = ({ parts }: { parts: object }): JSX.Element => {
  const say = useMachineWords();
  return (
    <details>
      <summary>{say('details')}</summary>
      <pre tabIndex={0}>{JSON.stringify(parts, undefined, 2)}</pre>
    </details>
  );
};
