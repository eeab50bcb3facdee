/** The fields that an audited request sent: `{ body: { name: 'x', settings: { host: 'y' } } }` is `name` and `settings.host`. Pure. */

/** A field by its path, and what was sent of it. */
export type SentField = readonly [path: string, value: unknown];

export const fieldsOfDetail = (detail: unknown): SentField[] => {
  if (!isRecord(detail)) return [];
  const { query = {}, body = {}, ...others } = detail;
  return [query, body, others].flatMap((part) => fieldsIn(part));
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldsIn = (value: unknown, path = ''): SentField[] =>
  isRecord(value)
    ? Object.entries(value).flatMap(([name, inner]) =>
        fieldsIn(inner, path === '' ? name : `${path}.${name}`),
      )
    : [[path, listed(value)]];

/** A list of texts or numbers as people write one. */
const listed = (value: unknown): unknown =>
  Array.isArray(value) && value.every((one) => typeof one !== 'object') ? value.join(', ') : value;
