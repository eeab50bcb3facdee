/** A moment on the clock of the account, with the viewer's own on hover. */
import type { JSX } from 'preact';
import { moment, momentIn } from '../format.ts';
import { useWords } from '../words/index.ts';

/** `at`: epoch milliseconds. `zone`: of the account; absent: the viewer's. */
export const When = ({ at, zone }: { at: number; zone?: string | undefined }): JSX.Element => {
  const say = useWords();
  return (
    <time
      class="nowrap"
      dateTime={new Date(at).toISOString()}
      title={zone === undefined ? undefined : say('yourTime', { time: moment(at) })}
    >
      {zone === undefined ? moment(at) : momentIn(at, zone)}
    </time>
  );
};
