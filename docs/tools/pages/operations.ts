/** The reference of every operation, made from its declaration. */
import type { AnyOperation, DeclaredError, Param } from '../../../src/operations/declare.ts';
import { accessErrors } from '../../../src/access/authenticate.ts';
import { openApi } from '../../../src/rest/openapi.ts';
import type { Generated } from '../generated.ts';
import { code, table } from './table.ts';

const address = 'http://localhost:8080';

/** A page for each operation, and the list of them. */
export const operationPages = (operations: readonly AnyOperation[]): Generated[] => [
  { path: 'operations/README.md', content: listPage(operations) },
  ...operations.map((op) => ({ path: `operations/${op.name}.md`, content: operationPage(op) })),
];

const listPage = (operations: readonly AnyOperation[]): string =>
  page([
    '# Operations',
    'Made from `src/operations` by `npm run docs`; edit there. The running service shows the same at `/docs`, and as OpenAPI 3.1 at `/openapi.json`.',
    table(
      ['operation', 'section', ''],
      operations.map(({ name, section, summary }) => [`[${name}](${name}.md)`, section, summary]),
    ),
    '## Codes of every operation',
    table(['code', 'HTTP', 'meaning'], sharedErrors.map(errorRow)),
  ]);

const operationPage = (op: AnyOperation): string =>
  page([
    `# ${op.name}`,
    `Made from \`src/operations/${op.name}.ts\` by \`npm run docs\`; edit there.`,
    op.summary,
    [
      `- Section ${op.section} of the interface`,
      `- \`POST /api/v2/${op.name}.php\`, JSON, form or multipart`,
      `- permission \`${op.permission}\``,
      ...(op.creates ? ['- honours `Idempotency-Key` for 24 hours'] : []),
    ].join('\n'),
    '## Example',
    fenced(
      'sh',
      `curl -s ${address}/api/v2/${op.name}.php \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(op.example.request)}'`,
    ),
    fenced('json', JSON.stringify(op.example.response, null, 2)),
    '## Parameters',
    'An empty value, `null` and an absent one mean the same. Unknown parameters are ignored. *Inside* is our own name for it.',
    table(['parameter', 'inside', 'value', 'default', 'meaning'], parameterRows(op)),
    '## Codes',
    table(['code', 'HTTP', 'meaning'], ownErrors(op).map(errorRow)),
    'And those of [every operation](README.md#codes-of-every-operation).',
  ]);

const page = (parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`;

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

interface Shape {
  type: string | string[];
  enum?: (string | number)[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  default?: string | number;
}

interface Described {
  post: {
    requestBody: { content: { 'application/json': { schema: { properties: Record<string, Shape> } } } };
  };
}

const parameterRows = (op: AnyOperation): string[][] => {
  const paths = openApi([op], address, '')['paths'] as Record<string, Described>;
  const { properties } = paths[`/api/v2/${op.name}.php`]!.post.requestBody.content['application/json'].schema;
  return Object.entries(op.params as Record<string, Param>).map(([name, param]) => {
    const shape = properties[param.rest]!;
    const names = [param.rest, ...(param.aliases ?? [])].map(code).join(', ');
    return [names, code(name), valueOf(shape), code(String(shape.default ?? '')), param.says];
  });
};

const valueOf = ({ type, enum: words, minimum, maximum, maxLength, pattern }: Shape): string => {
  if (words) return words.map((word) => code(String(word))).join(', ');
  if (Array.isArray(type)) return 'JSON';
  if (type === 'integer' || type === 'number') return `${minimum} to ${maximum}`;
  if (pattern !== undefined) return code(pattern);
  return maxLength === undefined ? 'text' : `text, ${maxLength} at most`;
};

type SharedError = Required<Pick<DeclaredError, 'code' | 'text' | 'http'>>;

const sharedErrors: SharedError[] = [
  ...Object.values(accessErrors),
  { code: '100', text: 'the body is neither JSON nor a form', http: 400 },
  { code: '299', text: 'a parameter has the wrong type or is out of range; `status` names it', http: 400 },
  { code: '404', text: 'unknown endpoint', http: 404 },
  { code: '405', text: 'use POST', http: 405 },
  { code: '413', text: 'the body is too large', http: 413 },
  { code: '415', text: 'compressed bodies are not taken', http: 415 },
  { code: '500', text: 'internal error; `status` carries an incident id', http: 500 },
  { code: '503', text: 'not now; `Retry-After` says when', http: 503 },
];

const ownErrors = (op: AnyOperation): SharedError[] =>
  Object.values(op.errors as Record<string, DeclaredError>)
    .map((error) => ({ http: 400, ...error }))
    .toSorted((one, other) => Number(one.code) - Number(other.code));

const errorRow = (error: SharedError): string[] => [code(error.code), String(error.http), error.text];
