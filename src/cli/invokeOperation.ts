/** Calls an operation with options of the command line. Faults are told by the names of options, not of parameters. */
import { closestKnownName } from '../lib/closestKnownName.ts';
import { CommandFailure, wrongUsageFailure } from './failure.ts';
import type { RestAnswerEnvelope } from './http.ts';
import { type CommandContext, parseKeyValuePairs } from './commandActionWrapper.ts';
import { sandboxNote } from './format.ts';

export interface Call {
  operation: string;
  params: object;
  /** `-s name=value`, as they were typed. */
  set?: readonly string[] | undefined;
  /** What is typed for a parameter, by its REST name: `{ vel: '--calls-per-minute' }`. */
  typed: Readonly<Record<string, string>>;
}

/** Its answer; a warning, and that only a sandbox took it, are shown. Throws a `CommandFailure`, for a name after `-s` that the operation does not have, too. */
export const invokeOperationFromCli = async <Answer>(
  { client, out }: CommandContext,
  { operation, params, set, typed }: Call,
): Promise<Answer & { return: RestAnswerEnvelope }> => {
  const pairs = parseKeyValuePairs(set);
  await checkNames(client, operation, Object.keys(pairs));
  // What came with -s was typed as it stands.
  const words = Object.fromEntries(Object.entries(typed).filter(([name]) => !(name in pairs)));
  try {
    const answer = await client.rest<Answer>(operation, { ...params, ...pairs });
    const { warning, sandbox } = answer.return;
    if (warning !== undefined) out.note(`Warning: ${asTyped(warning, words)}`);
    if (sandbox) out.note(sandboxNote);
    return answer;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    throw new CommandFailure(error.exit, asTyped(error.message, words), error.hint, error.more);
  }
};

const checkNames = async (
  client: CommandContext['client'],
  operation: string,
  names: readonly string[],
): Promise<void> => {
  if (names.length === 0) return;
  const known = await client.parametersOf(operation);
  // A service that does not describe it decides by itself.
  const unknown = known.length === 0 ? undefined : names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const near = closestKnownName(unknown, known);
  throw wrongUsageFailure(
    `${operation} has no parameter ${JSON.stringify(unknown)}`,
    near === undefined
      ? `All that it has: ${client.url}/docs`
      : `Did you mean -s ${near}=…? All that it has: ${client.url}/docs`,
  );
};

/** A sentence of the service with its names of parameters as they are typed here; what it quotes stays. */
const asTyped = (sentence: string, typed: Readonly<Record<string, string>>): string => {
  const names = Object.keys(typed).toSorted((a, b) => b.length - a.length);
  if (names.length === 0) return sentence;
  // "the text could not be spoken" speaks of a text, "text says nothing" of the parameter.
  const name = new RegExp(
    `"(?:[^"\\\\]|\\\\.)*"|(?<![\\w<.-]|\\b(?:the|a|an|this|its) )(${names.join('|')})(?![\\w>.-])`,
    'g',
  );
  return sentence.replaceAll(name, (all, found?: string) => (found === undefined ? all : typed[found]!));
};
