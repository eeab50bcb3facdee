/** What a request of the fuzzer consists of: plain data, so that a failing one can be made smaller and printed. */
import * as fc from 'fast-check';
import { atTheEdge, fitting, hostile, type Schema } from './values.ts';

/** A description of an operation as `/openapi.json` has it. */
export interface Described {
  operationId: string;
  requestBody: { content: Record<string, { schema: RequestSchema }> };
  responses: Record<string, { content: Record<string, { schema: object }> }>;
}

interface Choices {
  anyOf: { required: string[] }[];
}

interface RequestSchema extends Partial<Choices> {
  properties: Record<string, Schema>;
  required?: string[];
  allOf?: Choices[];
}

export const formats = ['json', 'form', 'multipart', 'raw', 'odd'] as const;
export const tokens = ['body', 'bearer', 'sid', 'query', 'none', 'unknown', 'malformed', 'object'] as const;
export const damages = [
  'cut', 'flip', 'latin1', 'bom', 'gzip', 'wrongType', 'noType', 'twice', 'list', 'text', 'badEscapes', 'badBoundary', 'empty', 'huge',
] as const; // prettier-ignore
export const files = ['csv', 'json', 'wav', 'program', 'empty', 'rubbish', 'nameless'] as const;

export interface Plan {
  operation: string;
  /** Parameters in their order; a name may come twice. */
  pairs: [name: string, value: unknown][];
  query: [name: string, value: string][];
  format: (typeof formats)[number];
  token: (typeof tokens)[number];
  damage: (typeof damages)[number] | 'none';
  /** Where the damage is, 0 to 1. */
  place: number;
  file: (typeof files)[number] | 'none';
  key: string | undefined;
}

/** Values that mean something in this service, by the name of a parameter, or of an operation and its parameter. */
export type Dictionary = Readonly<Record<string, readonly unknown[]>>;

export const planFor = (operations: readonly Described[], known: Dictionary): fc.Arbitrary<Plan> =>
  fc.constantFrom(...operations).chain((operation) => planOf(operation, known));

/** What a request that is served has besides what its description calls for. */
const usualIn: Readonly<Record<string, readonly string[]>> = {
  MakeMsgapp: ['mtype', 'mdata'],
  CreateCampaign: ['content', 'name'],
};

const planOf = ({ operationId, requestBody }: Described, known: Dictionary): fc.Arbitrary<Plan> => {
  const schema = requestBody.content['application/json']!.schema;
  const { tsid: _, ...properties } = schema.properties;
  const names = Object.keys(properties);
  const wordsFor = (name: string) => known[`${operationId} ${name}`] ?? known[name] ?? [];
  const sound = (name: string) => pair(name, soundValue(properties[name]!, wordsFor(name)));
  const any = (name: string) => pair(name, valueOf(properties[name]!, wordsFor(name)));
  const oneOf = (make: (name: string) => Pairs) =>
    names.length === 0 ? strangers : fc.constantFrom(...names).chain(make);
  const groups = [...neededOf(schema), ...(usualIn[operationId] ?? []).map((name) => [name])];
  const needed = groups.map((choices) => fc.constantFrom(...choices).chain(sound));
  const honest = fc.tuple(...needed);
  const more = fc.array(oneOf(sound), { maxLength: 3 });
  const wrong = fc.array(
    fc.oneof({ weight: 6, arbitrary: oneOf(any) }, { weight: 1, arbitrary: strangers }),
    {
      minLength: 1,
      maxLength: 2,
    },
  );
  return fc.record({
    operation: fc.constant(operationId),
    pairs: fc.oneof(
      { weight: 3, arbitrary: honest },
      { weight: 4, arbitrary: joined(honest, more) },
      { weight: 5, arbitrary: joined(honest, more, wrong) },
      { weight: 1, arbitrary: joined(more, wrong) },
    ),
    query: fc.oneof(
      { weight: 9, arbitrary: fc.constant<Plan['query']>([]) },
      { weight: 1, arbitrary: fc.array(queryPair(names), { maxLength: 2 }) },
    ),
    format: weighted({ json: 12, form: 6, multipart: 5, raw: 1, odd: 1 }),
    token: weighted({ body: 30, bearer: 15, sid: 5, query: 2, none: 1, unknown: 1, malformed: 1, object: 1 }),
    damage: fc.oneof(
      { weight: 14, arbitrary: fc.constant('none' as const) },
      { weight: 1, arbitrary: fc.constantFrom(...damages) },
    ),
    place: fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000),
    file: fc.oneof(
      { weight: 3, arbitrary: fc.constant('none' as const) },
      { weight: 1, arbitrary: fc.constantFrom(...files) },
    ),
    key: fc.oneof(
      { weight: 16, arbitrary: fc.constant(undefined) },
      { weight: 2, arbitrary: fc.constantFrom('one', 'two', 'three') },
      { weight: 1, arbitrary: fc.constantFrom('x'.repeat(256), ' ', 'ü', 'x'.repeat(255)) },
    ),
  });
};

type Pair = Plan['pairs'][number];
type Pairs = fc.Arbitrary<Pair>;

const pair = (name: string, value: fc.Arbitrary<unknown>): Pairs => fc.tuple(fc.constant(name), value);

const joined = (...parts: fc.Arbitrary<Pair[]>[]): fc.Arbitrary<Pair[]> =>
  fc.tuple(...parts).map((all) => all.flat());

const queryPair = (names: readonly string[]) =>
  fc.tuple(fc.constantFrom('encoding', 'tsid', 'x', ...names), fc.string({ maxLength: 12 }));

/** Parameters that nobody declared. */
const strangers: Pairs = fc.tuple(
  fc.oneof(
    fc.constantFrom(
      '__proto__',
      'constructor',
      'toString',
      'cd_id',
      'account_id',
      '',
      ' ',
      'a[b]',
      'a[]',
      'dest ',
    ),
    fc.string({ maxLength: 8 }),
  ),
  hostile,
);

/** Groups of names, one of each of which must be given. */
const neededOf = ({ required = [], anyOf, allOf = [] }: RequestSchema): string[][] => [
  ...required.map((name) => [name]),
  ...[...(anyOf ? [{ anyOf }] : []), ...allOf].map(({ anyOf: choices }) =>
    choices.map((choice) => choice.required[0]!),
  ),
];

const soundValue = (schema: Schema, known: readonly unknown[]): fc.Arbitrary<unknown> =>
  known.length === 0
    ? fitting(schema)
    : fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...known) },
        { weight: 1, arbitrary: fitting(schema) },
      );

const valueOf = (schema: Schema, known: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 3, arbitrary: soundValue(schema, known) },
    { weight: 3, arbitrary: atTheEdge(schema) },
    { weight: 4, arbitrary: hostile },
  );

const weighted = <Word extends string>(weights: Record<Word, number>): fc.Arbitrary<Word> =>
  fc.oneof(
    ...Object.entries<number>(weights).map(([word, weight]) => ({
      weight,
      arbitrary: fc.constant(word as Word),
    })),
  );
