/** A moment on the clock of the account, with the viewer's own on hover. */
import type { JSX } from 'preact';
import { formatDateTime, formatDateTimeInZone } from '../format.ts';
import { useTranslation } from '../words/index.ts';

/** `at`: epoch milliseconds. `zone`: of the account; absent: the viewer's. */
export const When = ({ at, zone }: { at: number; zone?: string | undefined }): JSX.Element => {
  const say = useTranslation();
  return (
    <time
      class="nowrap"
      dateTime={new Date(at).toISOString()}
      title={zone === undefined ? undefined : say('yourTime', { time: formatDateTime(at) })}
    >
      {zone === undefined ? formatDateTime(at) : formatDateTimeInZone(at, zone)}
    </time>
  );
};
