/** The typed part of the client in `packages/client`, made from the same declarations as `/openapi.json`. */
import type { AnyOperation } from '../../../src/operations/declare.ts';
import type { Json } from '../../../src/operations/jsonSchema.ts';
import { allErrorsOfOperation } from '../../../src/rest/documentedErrors.ts';
import { openApi } from '../../../src/rest/openapi/document.ts';
import type { Generated } from '../generated.ts';
import { declared, typeOf } from './typeOf.ts';

/** The client's method of an operation. */
export const methodOf = (name: string): string => name[0]!.toLowerCase() + name.slice(1);

export const clientTypes = (operations: readonly AnyOperation[]): Generated => {
  const document = openApi(operations, '', '') as unknown as Document;
  return {
    path: 'packages/client/src/operations.ts',
    content: [
      '/** Made from `src/operations` by `npm run docs`; edit there. Keys are the contract’s. */',
      "import { Transport } from './transport.ts';",
      "import type { RequestOptions, UploadOptions } from './options.ts';",
      ...recordTypes(document),
      ...operations.flatMap((op) => operationTypes(op, document)),
      table(operations),
      facts(operations),
      client(operations),
      '',
    ].join('\n\n'),
  };
};

interface Document {
  paths: Record<string, { post: { requestBody: { content: Record<string, { schema: Json }> } } }>;
  components: { schemas: Record<string, Json> };
}

/** Records and bodies of callbacks; the bodies of answers stand with their operations. */
const recordTypes = ({ components: { schemas } }: Document): string[] =>
  Object.entries(schemas)
    .filter(([name]) => !/(Answer|Failure)$/.test(name))
    .map(([name, schema]) => declared(name, schema));

const operationTypes = (op: AnyOperation, document: Document): string[] => [
  `/** ${paramsSay(op)} */\n${declared(`${op.name}Params`, paramsOf(op, document))}`,
  declared(`${op.name}Answer`, document.components.schemas[`${op.name}Answer`]!),
  `/** Codes under which it may fail. */\nexport type ${op.name}Code = ${codeType(op)};`,
];

const paramsSay = ({ name, needs, upload }: AnyOperation): string =>
  needs
    ? `Parameters of ${name}. One of ${needs.join(', ')}${upload ? ' or a file' : ''} is needed.`
    : `Parameters of ${name}.`;

/** Without the token, which the client shows, and without aliases. */
const paramsOf = (op: AnyOperation, { paths }: Document): Json => {
  const { schema } = paths[`/api/v2/${op.name}.php`]!.post.requestBody.content['application/json']!;
  const properties = Object.entries(schema['properties'] as Record<string, Json>);
  const params = Object.values(op.params as Record<string, { rest: string; required?: true }>);
  return {
    properties: Object.fromEntries(
      properties.filter(([name, one]) => name !== 'tsid' && one['deprecated'] !== true),
    ),
    required: params.filter((param) => param.required).map(({ rest }) => rest),
  };
};

const codeType = (op: AnyOperation): string => {
  const errors = allErrorsOfOperation(op);
  const codes = [...new Set(errors.map(({ code }) => code))];
  const words = typeOf({ enum: op.numericCodes ? codes.map(Number) : codes });
  return errors.some(({ passesUpstream }) => passesUpstream) ? `${words} | (string & {})` : words;
};

const table = (operations: readonly AnyOperation[]): string =>
  [
    '/** What each operation takes and answers, by its name. */',
    'export interface Operations {',
    ...operations.map(
      ({ name }) => `  ${name}: { params: ${name}Params; answer: ${name}Answer; code: ${name}Code };`,
    ),
    '}',
  ].join('\n');

/** What the transport must know of an operation. */
const facts = (operations: readonly AnyOperation[]): string =>
  [
    'export const operationFacts = {',
    ...operations.map(
      (op) => `  ${op.name}: { repeats: '${repeatsOf(op)}', encodes: ${'encoding' in op.params} },`,
    ),
    "} as const satisfies Record<keyof Operations, { repeats: 'byKey' | 'freely' | 'never'; encodes: boolean }>;",
  ].join('\n');

/** How a request may be repeated whose answer did not come. */
const repeatsOf = ({ creates, name }: AnyOperation): string => {
  if (creates) return 'byKey';
  return /^(Get|Check|Validate)/.test(name) ? 'freely' : 'never';
};

const client = (operations: readonly AnyOperation[]): string =>
  [
    '/** A Ramal service, one method an operation. Keep one for as long as you like. */',
    'export class Ramal extends Transport {',
    operations.map(method).join('\n\n'),
    '}',
  ].join('\n');

const method = ({ name, section, summary, params, upload }: AnyOperation): string => {
  const needed = Object.values(params as Record<string, { required?: true }>).some((param) => param.required);
  const options = upload ? 'UploadOptions' : 'RequestOptions';
  return [
    `  /** ${summary} Section ${section}. */`,
    `  ${methodOf(name)}(params: ${name}Params${needed ? '' : ' = {}'}, options: ${options} = {}): Promise<${name}Answer> {`,
    `    return this.call('${name}', params, options);`,
    '  }',
  ].join('\n');
};
