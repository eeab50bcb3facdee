/** From what a door was given to the values a handler is given. */
import type { ParamDeclaration, ParamDeclarations } from './param.ts';

export type ParsedParams =
  /** `given`: the names of those that were given. `unread`: the first filter that cannot be read; it is at its default. */
  | { values: Record<string, unknown>; provided: ReadonlySet<string>; unread?: InvalidParam | undefined }
  /** The parameter says how such a value is answered. */
  | InvalidParam;

/** `wish` completes "<parameter> …". */
export interface InvalidParam {
  wrong: ParamDeclaration;
  wish: string;
}

/**
 * Reads the declared parameters by REST name, then alias. `''` and `null` count as not given; the unknown is ignored.
 * `passFilters`: a filter that cannot be read is passed over. Default: it is wrong like every other parameter.
 */
export const parseParams = (
  params: ParamDeclarations,
  provided: Readonly<Record<string, unknown>>,
  passFilters = false,
): ParsedParams => {
  const values: Record<string, unknown> = {};
  const names = new Set<string>();
  let unread: InvalidParam | undefined;
  for (const [name, param] of Object.entries(params)) {
    const value = pick(param, provided);
    if (value === undefined) {
      values[name] = paramDefault(param);
      continue;
    }
    const read = param.schema.safeParse(value);
    if (!read.success) {
      const wrong = { wrong: param, wish: read.error.issues[0]?.message ?? 'cannot be read' };
      if (!passFilters || !param.filter) return wrong;
      unread ??= wrong;
      values[name] = paramDefault(param);
      continue;
    }
    values[name] = read.data;
    names.add(name);
  }
  return { values, provided: names, unread };
};

const pick = (param: ParamDeclaration, provided: Readonly<Record<string, unknown>>): unknown => {
  for (const name of [param.rest, ...(param.aliases ?? [])]) {
    const value = Object.hasOwn(provided, name) ? provided[name] : undefined;
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return undefined;
};

/** Defaults are plain values and never change; most parameters of most requests are absent. */
const defaults = new WeakMap<ParamDeclaration, { value: unknown }>();

/** What a parameter is when it is not given; undefined for none. */
export const paramDefault = (param: ParamDeclaration): unknown => {
  const known = defaults.get(param);
  if (known) return known.value;
  const value: unknown = param.schema.parse(undefined);
  defaults.set(param, { value });
  return value;
};
