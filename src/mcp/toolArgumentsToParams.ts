/** From a tool's arguments to what its operation is given, by the names of the REST door. */
import { isObject } from './parseJsonRpcMessage.ts';
import type { ToolParam } from './schemas.ts';
import { toolFailure, type Json, type ToolOutcome, wrongToolArgumentStatusCode } from './tool.ts';
import type { ParamDeclaration } from '../operations/param.ts';

/** The names under which an argument is found: the tool's own first, then those of the REST door. */
const namesOf = ({ name, param }: ToolParam): string[] => [name, param.rest, ...(param.aliases ?? [])];

/** `''`, `null` and an absent argument are the same. */
export const toolArgumentsToParams = (args: Json, params: readonly ToolParam[]): Json => {
  const provided: Record<string, unknown> = {};
  for (const one of params) {
    const name = namesOf(one).find((word) => Object.hasOwn(args, word) && !isEmpty(args[word]));
    if (name === undefined) continue;
    provided[one.param.rest] = one.isSwitch ? asSwitch(args[name]) : inOrder(args[name]);
  }
  return provided;
};

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Switches are 1 and 0 inside. */
const asSwitch = (value: unknown): unknown => {
  const word =
    typeof value === 'boolean' || typeof value === 'string' ? String(value).trim().toLowerCase() : value;
  return word === 'true' ? 1 : word === 'false' ? 0 : value;
};

/** The same value whatever the order of its keys: a repetition is known by its text. */
const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, inOrder(value[key])]),
  );
};

/**
 * The refusal of arguments that a tool does not have: an SMS that was sent otherwise than meant cannot be called back
 * (docs/decisions/0016). Undefined: there are none.
 */
export const refuseUnknownToolArguments = (
  args: Json,
  params: readonly ToolParam[],
): ToolOutcome | undefined => {
  const known = new Set(params.flatMap(namesOf));
  const unknown = Object.keys(args).filter((name) => !known.has(name));
  if (unknown.length === 0) return undefined;
  const named = unknown.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 40)));
  const taken = params.map(({ name }) => name).join(', ');
  return toolFailure(
    wrongToolArgumentStatusCode,
    `not an argument of this tool: ${named.join(', ')}; it takes ${taken === '' ? 'none' : taken}`,
  );
};

/** A sentence for a value that cannot be read, by the tool's name of it. `wish` completes "<parameter> …". */
export const wrongArgumentSentence = (
  params: readonly ToolParam[],
  wrong: ParamDeclaration,
  wish: string,
): string => {
  const { name, isSwitch } = params.find(({ param }) => param === wrong)!;
  return `${name} ${isSwitch ? 'must be true or false' : wish}`;
};
