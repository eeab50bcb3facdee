/** A destination list as GetDestinationsList shows it (spec 2.4). */
import { toLocal } from '../rules/localTime.ts';

export interface ListRecord {
  cdlc_id: number;
  /** 1 or 0. */
  cdlc_active: number;
  cdlc_ctid: string;
  cdlc_name: string;
  cdlc_file: string;
  /** YYYY-MM-DD. */
  cdlc_date: string;
  cdlc_num: number;
}

/** `zone`: IANA name of the account's time zone. */
export const writeListRecord = (
  list: {
    id: number;
    active: boolean;
    correlation: string;
    name: string;
    file: string;
    created_at: number;
    records: number;
  },
  zone: string,
): ListRecord => ({
  cdlc_id: list.id,
  cdlc_active: list.active ? 1 : 0,
  cdlc_ctid: list.correlation,
  cdlc_name: list.name,
  cdlc_file: list.file,
  cdlc_date: toLocal(list.created_at, zone).date,
  cdlc_num: list.records,
});
