/** The query string over the body (decisions "conflict of sources"): by the parameter, not by the spelling of its name. */
import type { AnyOperation } from '../operations/declare.ts';
import type { ParamDeclaration } from '../operations/param.ts';

type Provided = Readonly<Record<string, unknown>>;
/** The names of one parameter. */
type Names = readonly string[];

/** Of one token. */
const tokenNames: Names = ['tsid', 'sid'];

/** What shows a token, of both. */
export const mergeQueryTokensOverBody = (inBody: Provided, inQuery: Provided): Provided =>
  overBody(inBody, inQuery, [tokenNames]);

/** The parameters of an operation, of both. Something empty in the query string is not given there. */
export const mergeQueryOverBody = (
  op: AnyOperation,
  inBody: Provided,
  inQuery: Provided,
): Record<string, unknown> => overBody(inBody, inQuery, spellingsOf(op));

const overBody = (
  inBody: Provided,
  inQuery: Provided,
  spellings: readonly Names[],
): Record<string, unknown> => {
  const given = new Map(Object.entries(inQuery).filter(([, value]) => value !== ''));
  if (given.size === 0) return { ...inBody };
  const hidden = new Set(spellings.filter((names) => names.some((name) => given.has(name))).flat());
  const left = Object.entries(inBody).filter(([name]) => !hidden.has(name));
  return Object.fromEntries([...left, ...given]);
};

const tables = new WeakMap<AnyOperation, readonly Names[]>();

/** Of its parameters that have more than one name; the others are the same name in both. */
const spellingsOf = (op: AnyOperation): readonly Names[] => {
  const before = tables.get(op);
  if (before) return before;
  const params = Object.values(op.params as Record<string, ParamDeclaration>);
  const several = params.flatMap(({ rest, aliases }) => (aliases ? [[rest, ...aliases]] : []));
  const spellings = [tokenNames, ...several];
  tables.set(op, spellings);
  return spellings;
};
