/** A moment on the clock of the account, with the viewer's own on hover. */
import type { JSX } from 'preact';
import {
  formatClockWithMillisecondsInZone,
  formatDateTime,
  formatDateTimeInZone,
  formatDay,
} from '../format.ts';
import { type Say, useTranslation } from '../words/index.ts';

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

/** A day of the service, `2026-12-24`, on no clock but its own. */
export const Day = ({ day }: { day: string }): JSX.Element => (
  <time class="nowrap" dateTime={day}>
    {formatDay(day)}
  </time>
);

/** 14:07:12.345 on the clock of the account; the day, and the viewer's own time, on hover. `at`: epoch milliseconds. */
export const ClockTime = ({ at, zone }: { at: number; zone: string }): JSX.Element => {
  const say = useTranslation();
  return (
    <time class="nowrap" title={dayAndYourTime(say, at, zone)}>
      {formatClockWithMillisecondsInZone(at, zone)}
    </time>
  );
};

/** What a time of the account says on hover: its day, and the viewer's own time. */
export const dayAndYourTime = (say: Say, at: number, zone: string): string =>
  `${formatDateTimeInZone(at, zone)} · ${say('yourTime', { time: formatDateTime(at) })}`;
