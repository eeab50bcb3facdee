/** Records of all kinds, read at paths that the description of the admin API declares while the page runs. */
import { send } from '../../api.ts';
import type { Row } from './rows.ts';

/** A record, or a list with what stands beside it. Throws an `AdminApiRequestError`. */
export const fetchAdminRecord = async (path: string, signal: AbortSignal): Promise<Row> =>
  (await send({ method: 'GET', path, signal })) as Row;
