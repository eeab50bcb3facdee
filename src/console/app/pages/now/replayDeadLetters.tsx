/** Dead letters of one receiver, sent again after a question. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { AdminApiRequestError, signedInAdministratorStore } from '../../api.ts';
import { toast } from '../../ui/toast.tsx';
import { useTranslation } from '../../words/index.ts';
import { replayMatchingDeadLetters } from '../deliveries/data.ts';
import { ReplayQuestion } from '../deliveries/replayQuestion.tsx';

interface ReplayProps {
  account: number;
  target: string;
  /** How many there are. */
  count: number;
}

export const ReplayDeadLetters = (props: ReplayProps): JSX.Element => {
  const say = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="btn" onClick={() => setOpen(true)}>
        {say('replay')}
        <span class="vh">: {props.target}</span>
      </button>
      {isOpen && <ReceiverReplayQuestion {...props} onClose={() => setOpen(false)} />}
    </>
  );
};

const ReceiverReplayQuestion = ({
  account,
  target,
  count,
  onClose,
}: ReplayProps & { onClose(): void }): JSX.Element => {
  const say = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const problemOf = (error: unknown): string => {
    if (!(error instanceof AdminApiRequestError) || error.status === 0) return say('errorUnreachable');
    return error.status === 403 ? say('onlyAdministrator') : error.message;
  };
  const replay = async (): Promise<void> => {
    setBusy(true);
    try {
      const replayed = await replayMatchingDeadLetters({ account, target }, () => undefined);
      toast(say('replayed', { count: replayed }));
    } catch (error) {
      // Who is signed out meanwhile is shown the door.
      if (typeof signedInAdministratorStore.get() === 'object') toast(problemOf(error));
    }
    onClose();
  };
  const text = say(count === 1 ? 'replayOneText' : 'replayText', { count, target });
  return <ReplayQuestion text={text} isBusy={isBusy} onReplay={() => void replay()} onClose={onClose} />;
};
