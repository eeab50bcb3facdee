/**
 * Resources of the admin API out of its description: each list with what is in it, and what can be done there. What a page
 * of settings shows, and which fields its forms have, is decided here and in `formFieldsFromSchema.ts` only. Pure.
 */
import {
  type FormField,
  formFieldsFromSchema,
  type JsonSchema,
  fieldShapeFromSchema,
  type FieldShape,
  schemaWithoutNull,
} from './formFieldsFromSchema.ts';

interface Described {
  operationId: string;
  tags: string[];
  summary: string;
  parameters: {
    name: string;
    in: 'path' | 'query';
    required?: boolean;
    description?: string;
    schema: JsonSchema;
  }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>;
  'x-role': 'operator' | 'admin' | 'anybody';
}

/** `/admin/openapi.json`, as far as it is read. */
export interface OpenApiDescription {
  paths: Record<string, Record<string, Described>>;
}

/** A table of numbers, or what calls play. */
export type UploadKind = 'csv' | 'sound';

/** Something that can be asked for. */
export interface AdminApiOperation {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** `/accounts/{account}/tokens/{token}`. */
  path: string;
  role: 'operator' | 'admin';
  /** A sentence of the declaration. */
  summary: string;
  /** Where the reference tells of it. */
  reference: string;
  /** Of its body; undefined: it has none. */
  body: readonly FormField[] | undefined;
  /** Of its query, without what pages by itself. */
  query: readonly FormField[];
  /** Which kind of file it takes; undefined: none. */
  takesFile: UploadKind | undefined;
  /** What it answers, by name; undefined: nothing. */
  answer: readonly ResourceColumn[] | undefined;
}

/** A value of a record, as it is shown. */
export interface ResourceColumn {
  name: string;
  shape: FieldShape;
  description: string;
}

/** Records of one kind, or what can be done to one thing. */
export interface AdminApiResource {
  /** Where they are: `/accounts/{account}/tokens`. */
  at: string;
  /** Under which subject the reference has it. */
  subject: string;
  /** The list's name in its answer; undefined: it is one thing, and no list. */
  many: string | undefined;
  /** A record's values. */
  columns: readonly ResourceColumn[];
  /** What stands beside the records of a page: a balance. */
  beside: readonly ResourceColumn[];
  /** Pages follow each other by a cursor. */
  isPaged: boolean;
  list: AdminApiOperation;
  create: AdminApiOperation | undefined;
  /** Where one record is; undefined: records are read in lists only. */
  one: string | undefined;
  /** The record's value that stands in its path. */
  key: string;
  read: AdminApiOperation | undefined;
  change: AdminApiOperation | undefined;
  remove: AdminApiOperation | undefined;
  /** What else can be done: to the list, and to one record. */
  actions: readonly AdminApiOperation[];
  actionsOfOne: readonly AdminApiOperation[];
}

/** What has pages of its own, or is asked for by programs only. Whatever else is declared is shown by itself. */
const elsewhere = [
  /^\/(now|find|stream|machines|health|delivery-receivers|token-owner|sign-in-codes|callback-receivers)\b/,
  /^\/sessions\/current$/,
  /^\/campaigns\b/,
  /\/conversations\b/,
  /\/sandbox-calls$/,
  /\/forecast$/,
  /\/campaigns\/\{campaign\}\/(waiting|results|retry|close)$/,
  /\/lists\/\{list\}\/mended$/,
];

const pagers = new Set(['cursor', 'limit']);

/** `{account}` and `{id}` alike: where a path goes is what counts. */
const formOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}');

/** An operation as it is told of in a sentence. */
export type DeclaredOperation = Pick<AdminApiOperation, 'method' | 'path' | 'summary'>;

/** All operations, those of other pages too. */
export const declaredOperations = ({ paths }: OpenApiDescription): DeclaredOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => ({
      method: method.toUpperCase() as AdminApiOperation['method'],
      path,
      summary,
    })),
  );

/** All resources, by where they are. */
export const resourcesFromOpenApi = ({
  paths,
}: OpenApiDescription): ReadonlyMap<string, AdminApiResource> => {
  const operations = Object.entries(paths)
    .filter(([path]) => !elsewhere.some((other) => other.test(path)))
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, described]) => described['x-role'] !== 'anybody' && succeeds(described))
        .map(([method, described]) => ({ operation: operationOf(method, path, described), described })),
    );
  const byPlace = new Map(operations.map((one) => [placeOf(one.operation), one]));
  const at = (method: string, path: string | undefined): AdminApiOperation | undefined =>
    path === undefined ? undefined : byPlace.get(`${method} ${formOf(path)}`)?.operation;

  // What is answered as a file is no list.
  const lists = operations.filter(
    ({ operation, described }) =>
      operation.method === 'GET' && !operation.path.endsWith('}') && answerOf(described),
  );
  const resources = lists.map(({ operation: list, described }): AdminApiResource => {
    const one = operations
      .map(({ operation }) => operation.path)
      .find((path) => path.startsWith(`${list.path}/{`) && !path.slice(list.path.length + 1).includes('/'));
    const schema = answerOf(described)!;
    const [many, record] = listIn(schema) ?? [undefined, schema];
    const columns = columnsOf(record);
    const key = one === undefined ? '' : one.slice(one.lastIndexOf('{') + 1, -1);
    return {
      at: list.path,
      subject: described.tags[0] ?? '',
      many,
      columns,
      beside:
        many === undefined ? [] : columnsOf(schema).filter(({ name }) => name !== many && !pagers.has(name)),
      isPaged: described.parameters.some(({ name }) => name === 'cursor'),
      list,
      create: explained(at('POST', list.path), columns),
      one,
      key: columns.some(({ name }) => name === key) ? key : (columns[0]?.name ?? ''),
      read: at('GET', one),
      change: explained(at('PATCH', one), columns),
      remove: at('DELETE', one),
      actions: [],
      actionsOfOne: [],
    };
  });
  return withActions(
    resources,
    operations.map(({ operation }) => operation),
  );
};

/** Fields of which the body says nothing are told of as they are in the record. */
const explained = (
  operation: AdminApiOperation | undefined,
  columns: readonly ResourceColumn[],
): AdminApiOperation | undefined =>
  operation && {
    ...operation,
    body: operation.body?.map((field) => ({
      ...field,
      description: field.description || (columns.find(({ name }) => name === field.name)?.description ?? ''),
    })),
  };

const placeOf = ({ method, path }: AdminApiOperation): string => `${method} ${formOf(path)}`;

/** What is none of the five stands with the record, or the list, whose path it goes on from. */
const withActions = (
  resources: readonly AdminApiResource[],
  operations: readonly AdminApiOperation[],
): ReadonlyMap<string, AdminApiResource> => {
  const taken = new Set(
    resources
      .flatMap(({ list, create, read, change, remove }) => [list, create, read, change, remove])
      .filter((one) => one !== undefined)
      .map(placeOf),
  );
  const others = operations.filter((one) => !taken.has(placeOf(one)));
  const parent = ({ path }: AdminApiOperation): string => formOf(path.slice(0, path.lastIndexOf('/')));
  return new Map(
    resources.map((resource) => [
      resource.at,
      {
        ...resource,
        actions: others.filter((one) => parent(one) === formOf(resource.at)),
        actionsOfOne: others.filter((one) => resource.one && parent(one) === formOf(resource.one)),
      },
    ]),
  );
};

const succeeds = ({ responses }: Described): boolean =>
  Object.keys(responses).some((http) => http.startsWith('2'));

const answerOf = ({ responses }: Described): JsonSchema | undefined =>
  Object.entries(responses).find(([http]) => http.startsWith('2'))?.[1].content?.['application/json']?.schema;

const uploadKindOf = (content: object): UploadKind | undefined => {
  if ('text/csv' in content) return 'csv';
  return 'audio/*' in content ? 'sound' : undefined;
};

const operationOf = (method: string, path: string, described: Described): AdminApiOperation => {
  const content = described.requestBody?.content;
  const body = content?.['application/json']?.schema;
  const answer = answerOf(described);
  return {
    method: method.toUpperCase() as AdminApiOperation['method'],
    path,
    role: described['x-role'] === 'admin' ? 'admin' : 'operator',
    summary: described.summary,
    reference: `/docs?api=admin#/${encodeURIComponent(described.tags[0] ?? '')}/${described.operationId}`,
    body: body && formFieldsFromSchema(body),
    query: formFieldsFromSchema({
      properties: Object.fromEntries(
        described.parameters
          .filter((one) => one.in === 'query' && !pagers.has(one.name))
          .map(({ name, schema, description }) => [
            name,
            description === undefined ? schema : { ...schema, description },
          ]),
      ),
    }),
    takesFile: uploadKindOf(content ?? {}),
    answer: answer && columnsOf(answer),
  };
};

/** The list in an answer, under its name; undefined: it is one thing. */
const listIn = ({ properties = {} }: JsonSchema): [name: string, record: JsonSchema] | undefined => {
  const found = Object.entries(properties).filter(([, { items }]) => items?.properties);
  return found.length === 1 &&
    Object.keys(properties).every((name) => isSmall(properties[name]!, name, found[0]![0]))
    ? [found[0]![0], found[0]![1].items!]
    : undefined;
};

/** Beside a list stand a cursor, a figure, or whether there is more: else it is a record that holds a list. */
const isSmall = ({ type }: JsonSchema, name: string, list: string): boolean =>
  name === list || name === 'cursor' || type === 'number' || type === 'boolean';

const columnsOf = ({ properties = {} }: JsonSchema): ResourceColumn[] =>
  Object.entries(properties).map(([name, schema]) => {
    const { plain } = schemaWithoutNull(schema);
    return {
      name,
      shape: fieldShapeFromSchema(plain),
      description: schema.description ?? plain.description ?? '',
    };
  });
