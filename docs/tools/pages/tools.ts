/** The list of the tools, made from what the service itself lists. */
import { operations } from '../../../src/operations/index.ts';
import { makeTools, type MakeToolsDeps } from '../../../src/mcp/tools.ts';
import type { Json, Tool } from '../../../src/mcp/tool.ts';
import { code, table } from './table.ts';
import { valueOf } from './value.ts';

/** Tools are only described here, never called: what they would be called with is not needed. */
const tools = (): Tool[] => makeTools(operations, { services: {}, insight: {} } as MakeToolsDeps);

export const toolsPage = (): string =>
  page([
    '# Tools for assistants',
    'Made from `src/operations` and `src/mcp` by `npm run docs`; edit there. How to connect: [connect an assistant](guides/connect-an-assistant.md).',
    'Every outcome has `success`. A failure has `error`, a sentence, and `status_code`, a number: that of the operation, 299 for an argument that cannot be read or does not exist, 403 for what the token may not, 404, 429, 500 and 503.',
    table(
      ['tool', 'permission', 'changes something', ''],
      tools().map(({ name, permission, orPermissions = [], effects, title }) => [
        `[${name}](#${name})`,
        [permission, ...orPermissions].map(code).join(' or '),
        effects.readOnly ? '' : 'yes',
        title,
      ]),
    ),
    ...tools().flatMap(toolPart),
  ]);

const toolPart = (tool: Tool): string[] => [
  `## ${tool.name}`,
  tool.description,
  fenced(JSON.stringify(tool.example)),
  table(['argument', 'value', 'default', 'meaning'], rowsOf(tool.inputSchema)),
  `A success has ${namesOf(tool.answers)}.`,
];

interface Shape extends Record<string, unknown> {
  default?: string | number | boolean;
  /** Absent: described in another place. */
  description?: string;
}

const rowsOf = ({ properties, required = [] }: Json): string[][] =>
  Object.entries(properties as Record<string, Shape>).map(([name, shape]) => [
    `${code(name)}${(required as string[]).includes(name) ? ' (required)' : ''}`,
    valueOf(shape),
    shape.default === undefined ? '' : code(String(shape.default)),
    shape.description ?? '',
  ]);

const namesOf = (keys: readonly string[]): string => keys.map(code).join(', ');

const page = (parts: readonly string[]): string => `${parts.filter((part) => part !== '').join('\n\n')}\n`;

const fenced = (text: string): string => `\`\`\`json\n${text}\n\`\`\``;
