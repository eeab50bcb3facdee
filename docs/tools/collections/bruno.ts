/** A collection for Bruno: a folder of text files. */
import type { AnyOperation } from '../../../src/operations/declare.ts';
import type { Generated } from '../generated.ts';
import { bodyOf, foldersOf, pathOf, usualUrl } from './requests.ts';

const root = 'docs/collections/bruno';

export const brunoCollection = (operations: readonly AnyOperation[]): Generated[] => [
  {
    path: `${root}/bruno.json`,
    content: `${JSON.stringify({ version: '1', name: 'Ramal', type: 'collection', ignore: [] }, null, 2)}\n`,
  },
  {
    path: `${root}/collection.bru`,
    content: blocks(['auth', ['mode: bearer']], ['auth:bearer', ['token: {{token}}']]),
  },
  {
    path: `${root}/environments/local.bru`,
    content: `${blocks(['vars', [`url: ${usualUrl}`]]).trimEnd()}\nvars:secret [\n  token\n]\n`,
  },
  ...foldersOf(operations).flatMap(({ name, operations: inIt }, n) => [
    {
      path: `${root}/${name}/folder.bru`,
      content: blocks(['meta', [`name: ${name}`, `seq: ${n + 1}`]], ['auth', ['mode: inherit']]),
    },
    ...inIt.map((op, nth) => ({ path: `${root}/${name}/${op.name}.bru`, content: request(op, nth + 1) })),
  ]),
];

const request = (op: AnyOperation, seq: number): string =>
  blocks(
    ['meta', [`name: ${op.name}`, 'type: http', `seq: ${seq}`]],
    ['post', [`url: {{url}}/${pathOf(op)}`, 'body: json', 'auth: inherit']],
    ['body:json', bodyOf(op).split('\n')],
    ['docs', [op.summary]],
  );

const blocks = (...all: [name: string, lines: string[]][]): string =>
  `${all.map(([name, lines]) => `${name} {\n${lines.map((line) => `  ${line}`).join('\n')}\n}`).join('\n\n')}\n`;
