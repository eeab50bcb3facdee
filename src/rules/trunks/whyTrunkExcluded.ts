/** Why a trunk that a route names does not carry a leg. */
import { toLocal } from '../../lib/localTime.ts';
import { readPhoneNumber, regionOfNumber } from '../voice/parsePhoneNumber.ts';
import { callingHoursOnDate } from '../voice/callingWindows.ts';
import { internationalDigits } from './internationalDigits.ts';
import type { TrunkExclusionReason, Trunk, TelephonyServer, TrunkChoiceRequest } from './trunkTypes.ts';

/** The first reason against it, those of the trunk before those of the leg; undefined: it may carry it. */
export const findTrunkExclusionReason = (
  trunk: Trunk,
  server: TelephonyServer | undefined,
  wanted: TrunkChoiceRequest,
): TrunkExclusionReason | undefined => {
  if (trunk.state !== 'on') return trunk.state;
  if (server?.state !== 'on') return 'serverOff';
  if (wanted.tried?.includes(trunk.name)) return 'tried';
  if (isNumberPrefixClosed(trunk, wanted.number)) return 'closedPrefix';
  if (wanted.spentOut?.includes(trunk.name)) return 'dayLimit';
  if (!mayShowAny(trunk, wanted)) return 'callerId';
  return isOpenAt(trunk, wanted) ? undefined : 'hours';
};

/** Whether a trunk never carries this number, or an account never calls it. */
export const isNumberPrefixClosed = (
  { closedPrefixes }: Pick<Trunk, 'closedPrefixes'>,
  number: string,
): boolean => {
  const digits = internationalDigits(number);
  if (digits === '') return false;
  const begins = (prefix: string): boolean => digits.startsWith(prefix);
  const { open, closed } = closedPrefixes;
  return closed.some(begins) || (open.length > 0 && !open.some(begins));
};

const mayShowAny = (trunk: Trunk, { callerId, callerIds }: TrunkChoiceRequest): boolean =>
  callerIds
    ? callerIds.some((one) => mayTrunkShowCallerId(trunk, one))
    : mayTrunkShowCallerId(trunk, callerId);

/** Whether the trunk may show this caller id; the carrier's own (empty) may always be shown. */
export const mayTrunkShowCallerId = ({ callerIds }: Pick<Trunk, 'callerIds'>, callerId: string): boolean => {
  if (callerIds.length === 0 || callerId === '') return true;
  const read = readPhoneNumber(callerId, { brazil: true });
  const digits = read.kind === 'refused' ? callerId.replace(/^\+/, '') : internationalDigits(read.number);
  return callerIds.some((shown) =>
    shown.endsWith('*') ? digits.startsWith(shown.slice(0, -1)) : digits === shown,
  );
};

/** By the clock of the zone; holidays are those of the number's state, São Paulo's where it has none. */
const isOpenAt = (
  { hours }: Trunk,
  { number, at, zone = 'America/Sao_Paulo' }: TrunkChoiceRequest,
): boolean => {
  if (hours === null) return true;
  const { date, time } = toLocal(at, zone);
  const day = callingHoursOnDate(date, regionOfNumber(number) ?? { state: 'SP' }, hours);
  return day.hours.some(({ from, to }) => from <= time && time < to);
};
