/** In which modes which parameter of an operation acts, made from its table. */
import type { AnyOperation } from '../../../src/operations/declare.ts';
import type {
  Cell,
  ParameterAppliesCondition,
  ParameterModeTable,
  Row,
} from '../../../src/operations/ignoredParamWarnings.ts';
import { code, table } from './table.ts';
import type { ParamDeclaration } from '../../../src/operations/param.ts';

/** A part of the operation's page; nothing for one that has no modes. */
export const modesPart = (op: AnyOperation): string[] => {
  const { modes, params } = op as { modes?: ParameterModeTable; params: Record<string, ParamDeclaration> };
  if (!modes) return [];
  const notes: ParameterAppliesCondition[] = [];
  const rows = groupsOf(modes, params).filter(([, row]) => !actsAlways(modes, row));
  const lines = rows.map(([names, row]) => [
    names.map(code).join(', '),
    ...modes.modes.map((mode) => cellText(row.cells[mode] ?? false, notes)),
  ]);
  return [
    '## When a parameter acts',
    'What is given and cannot act is named in `warning`; the request is served all the same. Blanks and defaults are not named. A number is a condition below. Parameters that are not in the table act always.',
    table(['parameter', ...modes.modes.map((mode) => headOf(modes, mode))], lines),
    listOf([...notes.map(({ if: wish }, at) => `${at + 1}. It acts if ${wish}.`)]),
    listOf(
      rows.flatMap(([names, { because }]) =>
        because ? [`- ${names.map(code).join(', ')}: ${because}.`] : [],
      ),
    ),
    listOf(modes.missing.map(({ description }) => `- Warned of as well: ${description}.`)),
  ];
};

const headOf = ({ by }: ParameterModeTable, mode: string): string =>
  by === undefined ? mode : `${code(by)} ${mode}`;

/** Neighbours that share a row, by their REST names. */
const groupsOf = (
  { rows }: ParameterModeTable,
  params: Record<string, ParamDeclaration>,
): [string[], Row][] => {
  const groups: [string[], Row][] = [];
  for (const [name, { rest }] of Object.entries(params)) {
    const row = rows[name]!;
    const before = groups.at(-1);
    if (before?.[1] === row) before[0].push(rest);
    else groups.push([[rest], row]);
  }
  return groups;
};

const actsAlways = ({ modes }: ParameterModeTable, { cells }: Row): boolean =>
  modes.every((mode) => cells[mode] === true);

const cellText = (cell: Cell, notes: ParameterAppliesCondition[]): string => {
  if (typeof cell === 'boolean') return cell ? 'yes' : '';
  if (!notes.includes(cell)) notes.push(cell);
  return String(notes.indexOf(cell) + 1);
};

const listOf = (lines: readonly string[]): string => lines.join('\n');
