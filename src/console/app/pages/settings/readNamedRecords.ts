/** Records that a field may name, each as a person knows it. */
import { toTextOrJson } from '../../toTextOrJson.ts';
import { readAdminResources } from './description.ts';
import type { NamedRecords } from './formFieldsFromSchema.ts';
import { columnsShownInList, recordTitle } from './listColumnsAndRecordTitle.ts';
import { fetchAdminRecord } from './readAdminRecord.ts';
import type { AdminApiResource } from './resourcesFromOpenApi.ts';
import type { Row } from './rows.ts';

export interface NamedRecord {
  /** As the field takes it. */
  value: string;
  text: string;
}

/** More are not chosen from. */
const mostOffered = 500;

/** Throws an `AdminApiRequestError`. `path`: of their list, filled in. */
export const readNamedRecords = async (
  { list, value, only = {} }: NamedRecords,
  path: string,
  signal: AbortSignal,
): Promise<{ records: readonly NamedRecord[]; isTooMany: boolean }> => {
  const resource = (await readAdminResources()).get(list);
  if (!resource) throw new Error(`no list is declared at ${list}`);
  const rows: Row[] = [];
  let cursor: unknown = null;
  do {
    const page = await fetchAdminRecord(
      cursor === null ? path : `${path}?cursor=${toTextOrJson(cursor)}`,
      signal,
    );
    rows.push(...(page[resource.many ?? ''] as readonly Row[]));
    cursor = page['cursor'] ?? null;
  } while (cursor !== null && rows.length <= mostOffered);
  const fitting = rows.filter((row) => Object.entries(only).every(([name, wanted]) => row[name] === wanted));
  const records = fitting.map((row) => ({
    value: toTextOrJson(row[value] ?? ''),
    text: describeRecord(resource, row, value),
  }));
  return { records, isTooMany: cursor !== null };
};

/** `Reminders (12)`; of what has no name, what its list shows first: `1: msgapp, 5511900000000`. */
const describeRecord = (resource: AdminApiResource, row: Row, value: string): string => {
  const id = toTextOrJson(row[value] ?? '');
  const title = recordTitle(resource, row).text;
  if (title === id && !/^\d+$/.test(id)) return id;
  if (title !== '' && title !== id) return `${title} (${id})`;
  const told = columnsShownInList(resource)
    .filter(({ name, shape }) => name !== value && (shape.kind === 'text' || shape.kind === 'choice'))
    .map(({ name }) => toTextOrJson(row[name] ?? ''))
    .filter((text) => text !== '')
    .slice(0, 2);
  return told.length === 0 ? id : `${id}: ${told.join(', ')}`;
};
