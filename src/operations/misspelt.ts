/** Parameters that an operation does not have and that are close to one that it has: a warning names that one. */
import { closestKnownName } from '../lib/closestKnownName.ts';
import type { AnyOperation } from './declare.ts';
import type { ParamDeclaration } from './param.ts';

/** Of more unknown names than this no more is said; old clients send much. */
const mostLookedAt = 20;

/** A sentence for each unknown parameter that is close to a known one. Those that are empty count as not given. */
export const misspeltIn = (op: AnyOperation, provided: Readonly<Record<string, unknown>>): string[] => {
  const known = namesOf(op);
  const sentences: string[] = [];
  let looked = 0;
  for (const name of Object.keys(provided)) {
    if (known.has(name) || isEmpty(provided[name])) continue;
    if ((looked += 1) > mostLookedAt) break;
    const near = closestKnownName(name, known);
    if (near !== undefined) sentences.push(`${name} is no parameter of ${op.name}: did you mean ${near}?`);
  }
  return sentences;
};

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

const tables = new WeakMap<AnyOperation, ReadonlySet<string>>();

/** Everything that it reads from a request, aliases and the token's names included. */
const namesOf = (op: AnyOperation): ReadonlySet<string> => {
  const before = tables.get(op);
  if (before) return before;
  const params = Object.values(op.params as Record<string, ParamDeclaration>);
  const names = new Set([
    ...params.flatMap(({ rest, aliases = [] }) => [rest, ...aliases]),
    ...['tsid', 'sid'],
    ...(op.upload ? ['file'] : []),
  ]);
  tables.set(op, names);
  return names;
};
