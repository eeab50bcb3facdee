/** When a campaign may dial: dates and times of day (codes 221, 224). */
import type { CampaignDatesAndHours } from '../../../../machines/campaign/input.ts';
import { toLocal } from '../../../lib/localTime.ts';
import type { CreateCampaignContext } from './params.ts';

/** `date_start` is today and `date_end` is `date_start` unless told; days that are over are a warning. */
export const readCampaignHours = ({
  account,
  params,
  services,
  refuse,
  warn,
}: CreateCampaignContext): CampaignDatesAndHours => {
  const today = toLocal(services.engine.now(account.shard), account.time_zone).date;
  const dateStart = params.dateStart ?? today;
  const dateEnd = params.dateEnd ?? dateStart;
  const hours = { dateStart, dateEnd, timeStart: params.timeStart, timeEnd: params.timeEnd };
  if (dateEnd < dateStart) throw refuse('badDateEnd', `date_end must not be before date_start ${dateStart}`);
  if (isUpsideDown(hours)) throw refuse('windowUpsideDown');
  if (dateEnd < today) warn(`date_end ${dateEnd} is over: nothing will be dialled`);
  return hours;
};

/** Whether a daily window would end before it begins. */
export const isUpsideDown = ({
  timeStart,
  timeEnd,
}: Pick<CampaignDatesAndHours, 'timeStart' | 'timeEnd'>): boolean => timeEnd < timeStart;
