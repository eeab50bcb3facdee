/** The reference of every operation, made from its declaration. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyOperation } from '../../../src/operations/declare.ts';
import { type Json, toJsonSchema, paramJsonSchema } from '../../../src/operations/jsonSchema.ts';
import { type OperationTopic, operationTopicTitles } from '../../../src/operations/topics.ts';
import {
  type DocumentedRestError,
  declaredOperationErrors,
  sharedRestErrors,
} from '../../../src/rest/documentedErrors.ts';
import { methodOf } from '../client/operations.ts';
import type { Generated } from '../generated.ts';
import { modesPart } from './modes.ts';
import { code, table } from './table.ts';
import { valueOf } from './value.ts';
import type { ParamDeclaration } from '../../../src/operations/param.ts';

const address = 'http://localhost:8080';

const folder = 'src/operations';
const sources = readdirSync(join(import.meta.dirname, '../../..', folder), {
  recursive: true,
  encoding: 'utf8',
});

/** Where an operation is declared, from the root of the repository: under its subject. */
const sourceOf = (name: string): string => {
  const found = sources.find((path) => path.endsWith(`/${name}.ts`));
  if (found === undefined) throw new Error(`no file of ${folder} is named ${name}.ts`);
  return `${folder}/${found}`;
};

/** A page for each operation, and the list of them. */
export const operationPages = (operations: readonly AnyOperation[]): Generated[] => [
  { path: 'docs/operations/README.md', content: listPage(operations) },
  ...operations.map((op) => ({ path: `docs/operations/${op.name}.md`, content: operationPage(op) })),
];

const listPage = (operations: readonly AnyOperation[]): string =>
  page([
    '# Operations',
    'Made from `src/operations` by `npm run docs`; edit there. The running service shows the same at `/docs`, and as OpenAPI 3.1 at `/openapi.json`.',
    ...Object.keys(operationTopicTitles).flatMap((topic) =>
      topicSection(topic as OperationTopic, operations),
    ),
    '## Codes of every operation',
    table(['code', 'HTTP', 'meaning'], sharedRestErrors.map(errorRow)),
  ]);

const topicSection = (topic: OperationTopic, operations: readonly AnyOperation[]): string[] => [
  `## ${operationTopicTitles[topic]}`,
  table(
    ['operation', 'section', ''],
    operations
      .filter((op) => op.topic === topic)
      .map(({ name, section, summary }) => [`[${name}](${name}.md)`, section, summary]),
  ),
];

const operationPage = (op: AnyOperation): string =>
  page([
    `# ${op.name}`,
    `Made from \`${sourceOf(op.name)}\` by \`npm run docs\`; edit there.`,
    op.summary,
    facts(op),
    '## Example',
    ...examples(op),
    '## Parameters',
    'An empty value, `null` and an absent one mean the same. Unknown parameters are ignored. *Inside* is our own name for it.',
    table(['parameter', 'inside', 'value', 'default', 'meaning'], parameterRows(op)),
    ...modesPart(op),
    '## Answer',
    ...answer(op),
    '## Codes',
    table(['code', 'HTTP', 'meaning'], declaredOperationErrors(op).map(errorRow)),
    'And those of [every operation](README.md#codes-of-every-operation).',
  ]);

const page = (parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`;

const facts = (op: AnyOperation): string =>
  [
    `- Section ${op.section} of the interface`,
    `- \`POST /api/v2/${op.name}.php\`, JSON, form or multipart${op.upload ? ', with a file' : ''}`,
    `- permission \`${op.permission}\``,
    ...(op.creates ? ['- honours `Idempotency-Key` for 24 hours'] : []),
    ...(op.needs ? [`- needs one of ${needsOf(op).join(', ')}`] : []),
  ].join('\n');

const needsOf = ({ needs = [], upload }: AnyOperation): string[] => [
  ...needs.map(code),
  ...(upload ? ['a file'] : []),
];

const examples = ({ name, example }: AnyOperation): string[] => {
  const { tsid: _, ...params } = example.request;
  return [
    'With the token of the demo account, in the folder in which the service was started:',
    fenced(example.needs === undefined ? 'sh' : `sh needs=${example.needs}`, curlOf(name, params)),
    'The same with [the client](../guides/use-the-client.md):',
    fenced('ts', `const answer = await ramal.${methodOf(name)}(${shown(params)});`),
    'What comes back:',
    fenced('json', JSON.stringify(example.response, null, 2)),
  ];
};

/** A command that works as it stands. The token goes as a header, so that the body is what the operation takes. */
const curlOf = (name: string, params: Json): string =>
  [
    'TOKEN=$(cat data/demo-token)',
    `curl -s ${address}/api/v2/${name}.php \\`,
    `  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(params).replaceAll("'", String.raw`'\''`)}'`,
  ].join('\n');

/** A literal as one writes it. */
const shown = (params: Json): string =>
  Object.keys(params).length === 0
    ? ''
    : JSON.stringify(params, null, 2)
        .replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
        .replaceAll(/"([^"'\\]*)"/g, "'$1'");

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

const parameterRows = (op: AnyOperation): string[][] =>
  Object.entries(op.params as Record<string, ParamDeclaration>).map(([name, param]) => {
    const json = paramJsonSchema(param);
    const names = [param.rest, ...(param.aliases ?? [])].map(code).join(', ');
    const usual = json['default'] as string | number | undefined;
    return [
      `${names}${param.required ? ' (required)' : ''}`,
      code(name),
      valueOf(json),
      code(String(usual ?? '')),
      param.description,
    ];
  });

const answer = (op: AnyOperation): string[] => {
  const { fields, beside, failed, mayWait } = op.answer;
  return [
    `HTTP ${op.successHttp ?? 200}. In \`return\`, beside \`status\` (\`OK\`${mayWait ? ', or `WR`: taken, and not acknowledged yet, under code 1' : ''}), \`status_code\` (\`${op.numericCodes ? 200 : 0}\`) and, where something is served but not quite as asked, \`warning\`:`,
    keyTable(toJsonSchema(fields)) || 'Nothing else.',
    ...(Object.keys(beside.shape).length > 0 ? ['Beside `return`:', keyTable(toJsonSchema(beside))] : []),
    ...(failed ? ['In `return` of a failure:', keyTable(toJsonSchema(failed))] : []),
  ];
};

const keyTable = (schema: Json): string => table(['key', 'value', 'meaning'], keyRows(schema, ''));

/** The keys of an object, those of objects within it behind a dot, those of lists behind `[]`. */
const keyRows = ({ properties = {} }: Json, within: string): string[][] =>
  Object.entries(properties as Record<string, Json>).flatMap(([key, schema]) => {
    const path = `${within}${key}`;
    const items = schema['items'] as Json | undefined;
    return [
      [code(path), valueOf(schema), (schema['description'] as string | undefined) ?? ''],
      ...keyRows(schema, `${path}.`),
      ...(items ? keyRows(items, `${path}[].`) : []),
    ];
  });

const errorRow = ({ code: number, http, text, passesUpstream }: DocumentedRestError): string[] => [
  code(number),
  String(http),
  passesUpstream ? `${text}; a code of the upstream, 261 or above, may stand here instead` : text,
];
