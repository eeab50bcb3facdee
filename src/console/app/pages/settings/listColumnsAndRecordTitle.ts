/** Which values of a record a list shows, and what a record is called. Pure. */
import type { ResourceColumn, AdminApiResource } from './resourcesFromOpenApi.ts';
import { toTextOrJson } from '../../toTextOrJson.ts';

/** Lists whose first values do not say the most. */
const chosen: Readonly<Record<string, readonly string[]>> = {
  '/audit': ['at', 'actor', 'action', 'outcome', 'count', 'address', 'kind', 'detail'],
  '/accounts': ['cdcs_id', 'name', 'active', 'balance', 'time_zone', 'reseller_id', 'shard', 'created_at'],
  '/accounts/{account}/credits': ['at', 'entry', 'amount', 'note', 'payer_id', 'cdls_id'],
  '/accounts/{account}/tokens': [
    ...['token_id', 'label', 'rest', 'requests_per_second'],
    ...['allowed_ips', 'last_used_at', 'expires', 'revoked_at'],
  ],
  '/accounts/{account}/audios': ['id', 'name', 'type', 'text', 'voice', 'seconds', 'url', 'expires_at'],
  '/accounts/{account}/messages': ['cdls_id', 'created', 'channel', 'dest', 'body', 'status', 'ctid'],
  '/accounts/{account}/templates': [
    'cwt_id',
    'cwt_name',
    'cwt_category',
    'cwt_language',
    'cwt_status',
    'state',
  ],
  '/accounts/{account}/voices': [
    'cdwv_id',
    'title',
    'provider',
    'name',
    'language',
    'active',
    'spoken',
    'sample',
  ],
  '/voices': ['cdwv_id', 'title', 'provider', 'name', 'language', 'active', 'spoken', 'sample'],
  '/trunk-servers': ['server_id', 'name', 'kind', 'url', 'state', 'connection', 'from_settings'],
  '/trunk-routes': [
    'route_id',
    'position',
    'prefix',
    'line',
    'region',
    'cdcs_id',
    'cp_id',
    'order',
    'active',
  ],
  '/accounts/{account}/lines': [
    ...[
      'v8l_id',
      'v8l_class',
      'v8l_wa_number',
      'active',
      'sandbox',
      'quality',
      'messaging_limit',
      'created_at',
    ],
  ],
  '/accounts/{account}/blocklist': ['number', 'reason', 'created_at'],
  '/accounts/{account}/deliveries': [
    ...['delivery_id', 'created_at', 'target', 'state', 'attempts', 'last_error', 'next_at'],
  ],
};

const most = 8;
const wide = new Set(['object', 'map', 'json', 'byKind']);

/** The values that a row shows. */
export const columnsShownInList = ({ at, columns }: AdminApiResource): ResourceColumn[] => {
  const names = chosen[at];
  if (names) return names.flatMap((name) => columns.filter((column) => column.name === name));
  return columns
    .filter(({ name, shape }) => !wide.has(shape.kind) && !/^(cdcs_id|account_id)$/.test(name))
    .slice(0, most);
};

const titles = /^(name|title|label|cwt_name|cdlc_name|number|target|prefix|address)$/;

/** What a record is called, and by which of its values; the key, where nothing else says it. */
export const recordTitle = (
  { columns, key }: AdminApiResource,
  record: Readonly<Record<string, unknown>>,
): { text: string; column: string | undefined } => {
  const told = columns.find(
    ({ name }) => titles.test(name) && record[name] !== '' && record[name] !== undefined,
  );
  const name = told?.name ?? key;
  return { text: toTextOrJson(record[name] ?? ''), column: record[name] === undefined ? undefined : name };
};
