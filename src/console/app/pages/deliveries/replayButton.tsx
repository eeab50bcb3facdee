/** A button that sends dead letters again after a question, and says how far it has come. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AdminApiRequestError } from '../../api.ts';
import { toast } from '../../ui/toast.tsx';
import { useTranslation } from '../../words/index.ts';
import { ReplayQuestion } from './replayQuestion.tsx';
import { useDeliveryWords } from './useDeliveryWords.ts';

interface ReplayProps {
  label: string;
  /** Says which letters are sent again, before they are. */
  question: string;
  count: number;
  isPrimary?: boolean;
  /** Answers how many were sent; tells how many so far. */
  work(onDone: (count: number) => void): Promise<number>;
  onEnd(): void;
}

export const ReplayDeadLettersButton = ({
  label,
  question,
  count,
  isPrimary = false,
  work,
  onEnd,
}: ReplayProps): JSX.Element => {
  const say = useDeliveryWords();
  const sayAll = useTranslation();
  const [done, setDone] = useState<number | undefined>(undefined);
  const [isAsking, setAsking] = useState(false);
  const run = async (): Promise<void> => {
    setAsking(false);
    setDone(0);
    try {
      toast(say('replayed', { count: await work(setDone) }));
    } catch (error) {
      toast(
        error instanceof AdminApiRequestError && error.status !== 0
          ? error.message
          : sayAll('errorUnreachable'),
      );
    }
    setDone(undefined);
    onEnd();
  };
  const isBusy = done !== undefined;
  return (
    <>
      <button
        type="button"
        class={isPrimary ? 'btn primary' : 'btn'}
        disabled={isBusy || count === 0}
        aria-live="polite"
        onClick={() => setAsking(true)}
      >
        {isBusy ? say('replaying', { done, count }) : label}
      </button>
      {isAsking && (
        <ReplayQuestion text={question} onReplay={() => void run()} onClose={() => setAsking(false)} />
      )}
    </>
  );
};
