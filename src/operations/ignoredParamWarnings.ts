/**
 * In which modes a parameter acts. An operation declares a table; what is given and cannot act is named in
 * `return.warning` (docs/decisions/0002), and the reference shows the table.
 */
import { paramDefault } from './parse.ts';
import type { ParamDeclarations } from './param.ts';

/** What must be so for a parameter to act. */
export interface ParameterAppliesCondition<Seen = unknown> {
  /** Completes "it acts if …". */
  if: string;
  /** `name`: our name of the parameter. */
  holds(seen: Seen, name: string): boolean;
  /** Completes "… does nothing: ", where "it acts if …" would say too little. */
  because?: string;
}

/** Whether a parameter acts in a mode. */
export type Cell<Seen = unknown> = boolean | ParameterAppliesCondition<Seen>;

export interface Row<Seen = unknown> {
  /** By mode; a mode that is absent: no. */
  cells: Readonly<Record<string, Cell<Seen> | undefined>>;
  /** Completes "… does nothing: ", for a parameter that acts in no mode. */
  because?: string;
  /** What it is when it is not given, where its schema has no default. */
  usual?: unknown;
}

/** Something without which a mode does nothing, or less than it says. */
export interface MissingParamWarningRule<Seen = unknown> {
  mode: string;
  isMissing(seen: Seen): boolean;
  /** The warning. */
  description: string;
}

export interface ParameterModeTable<Seen = unknown> {
  /** The parameter that chooses the mode, by its REST name. Absent: something else does. */
  by?: string;
  /** As a request, or the reference, names them. */
  modes: readonly string[];
  /** By our names of the parameters; everything has a row. */
  rows: Readonly<Record<string, Row<Seen>>>;
  missing: readonly MissingParamWarningRule<Seen>[];
}

/** Rows of a table with these modes. */
export const ignoredParamTableRowBuilders = <Seen, const Mode extends string>(modes: readonly Mode[]) => {
  const everywhere = (cell: Cell<Seen>): Row<Seen> => ({
    cells: Object.fromEntries(modes.map((mode) => [mode, cell])),
  });
  return {
    always: everywhere(true),
    when: everywhere,
    only: (cells: { readonly [One in Mode]?: Cell<Seen> }): Row<Seen> => ({ cells }),
    nowhere: (because: string): Row<Seen> => ({ cells: {}, because }),
  };
};

/** One row for every parameter of a numbered family. */
export const repeatModeRowForParams = <const Name extends string, Seen>(
  names: readonly Name[],
  row: Row<Seen>,
): Record<Name, Row<Seen>> => Object.fromEntries(names.map((name) => [name, row])) as Record<Name, Row<Seen>>;

/** What was asked, in one mode. */
export interface RequestInParameterMode {
  params: ParamDeclarations;
  /** Our names of what the request carried. */
  provided: Iterable<string>;
  values: Readonly<Record<string, unknown>>;
  mode: string;
  seen: unknown;
}

/** A sentence for everything that was given and cannot act, and for what is missing. Parameters of one reason share one. */
export const idleParameterWarnings = (table: ParameterModeTable, ctx: RequestInParameterMode): string[] => {
  const { mode, seen } = ctx;
  const reasons = new Map<string, string[]>();
  for (const name of ctx.provided) {
    const row = table.rows[name];
    if (!row || acts(row, mode, seen, name) || isUsual(ctx, row, name)) continue;
    const key = reasonOf(table, row, mode);
    reasons.set(key, [...(reasons.get(key) ?? []), ctx.params[name]!.rest]);
  }
  return [
    ...[...reasons].map(([reason, names]) => sentenceOf(reason, names)),
    ...table.missing
      .filter((one) => one.mode === mode && one.isMissing(seen))
      .map(({ description }) => description),
  ];
};

const acts = ({ cells }: Row, mode: string, seen: unknown, name: string): boolean => {
  const cell = cells[mode] ?? false;
  return typeof cell === 'boolean' ? cell : cell.holds(seen, name);
};

/** Blanks, and the default: it is as if it had not been given. */
const isUsual = ({ params, values }: RequestInParameterMode, { usual }: Row, name: string): boolean => {
  const value = values[name];
  if (typeof value === 'string' && value.trim() === '') return true;
  return value !== undefined && value === (usual ?? paramDefault(params[name]!));
};

/** What stands behind "… does nothing"; `{it acts}` agrees with the number of parameters. */
const reasonOf = (table: ParameterModeTable, row: Row, mode: string): string => {
  if (row.because !== undefined) return `: ${row.because}`;
  const cell = row.cells[mode] ?? false;
  if (typeof cell === 'boolean') return ` with ${table.by} ${mode}: {it acts} ${modesOf(table, row)}`;
  if (cell.because !== undefined) return `: ${cell.because}`;
  const isEverywhere = table.modes.every((one) => row.cells[one] === cell);
  return isEverywhere ? `: {it acts} if ${cell.if}` : `: with ${table.by} ${mode} {it acts} if ${cell.if}`;
};

const sentenceOf = (reason: string, names: readonly string[]): string => {
  const [does, acts] = names.length > 1 ? ['do', 'they act'] : ['does', 'it acts'];
  return `${listed(names)} ${does} nothing${reason.replace('{it acts}', acts)}`;
};

/** "with type 2, and with type 3 if no key has an action". */
const modesOf = ({ by, modes }: ParameterModeTable, { cells }: Row): string => {
  const plain = modes.filter((mode) => cells[mode] === true);
  const conditions = [
    ...new Set(modes.map((mode) => cells[mode]).filter((cell) => typeof cell === 'object')),
  ];
  const phrase = (some: readonly string[]): string => `with ${by} ${listed(some)}`;
  return [
    ...(plain.length > 0 ? [phrase(plain)] : []),
    ...conditions.map((one) => `${phrase(modes.filter((mode) => cells[mode] === one))} if ${one.if}`),
  ].join(', or ');
};

const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
