/** One parameter of an operation, and tables of them. */
import type * as z from 'zod';

/** One parameter. The key in the table is our name for it; the words of the contract stand on the field. */
export interface ParamDeclaration<Schema extends z.ZodType = z.ZodType> {
  /** Its name at the REST door. */
  rest: string;
  aliases?: readonly string[];
  /** Its name at the tool door; absent: not offered there. */
  tool?: string;
  /** What a tool says of it in JSON Schema, where that is more than the schema says. */
  toolShape?: Readonly<Record<string, unknown>>;
  schema: Schema;
  /** A sentence for the reference. */
  description: string;
  /** A sentence for assistants, where the reference says what they cannot do. */
  toolDescription?: string;
  /** A request without it is refused, under the operation's own code for that. */
  required?: true;
  /** A value that cannot be read finds nothing, instead of being refused (spec 4.13). */
  filter?: true;
  /** The declared error for a value that cannot be read; absent: code 299 (decisions "wrong type"). */
  refusedAs?: string;
}

/** Parameters by our names. */
export type ParamDeclarations = Readonly<Record<string, ParamDeclaration>>;

/** What a table of parameters is read to, by our names. */
export type ParamValues<P extends ParamDeclarations> = { [Name in keyof P]: z.output<P[Name]['schema']> };

/** Declares a table of parameters, so that its schemas keep their types. */
export const defineParams = <const P extends ParamDeclarations>(table: P): P => table;

/** Numbered parameters of one family (`text1` … `text11`), under the same names inside and at every door. */
export const declareNumberedParams = <
  const Family extends string,
  const N extends number,
  Schema extends z.ZodType,
>(
  family: Family,
  numbers: readonly N[],
  one: Omit<ParamDeclaration<Schema>, 'rest' | 'description' | 'tool' | 'toolDescription'> & {
    tool?: true;
    description: (n: N) => string;
    toolDescription?: (n: N) => string;
  },
): Readonly<Record<`${Family}${N}`, ParamDeclaration<Schema>>> => {
  const { tool, description, toolDescription, ...shared } = one;
  const table = {} as Record<`${Family}${N}`, ParamDeclaration<Schema>>;
  for (const n of numbers) {
    const name = `${family}${n}` as const;
    table[name] = {
      ...{ ...shared, rest: name, description: description(n) },
      ...(tool && { tool: name }),
      ...(toolDescription && { toolDescription: toolDescription(n) }),
    };
  }
  return table;
};
