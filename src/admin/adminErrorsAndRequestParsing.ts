/** How the admin API answers: plain JSON, and for mistakes `{error, field}`, with `problems` where several fields are wrong. */
import type * as z from 'zod';
import { validateOutboundUrl, addUrlAllowingSettingHint } from '../rules/deliveries/checkOutboundUrl.ts';
import { zodIssueMessage } from './zodIssueMessages.ts';

/**
 * A request the operator can mend. `status`: 400, 404 or 409; `more`: what else the answer says; `missingFrom`: the shards
 * that lack what is named, which is believed only of those that are open (api.ts).
 */
export class AdminError extends Error {
  readonly status: number;
  readonly more: Readonly<Record<string, unknown>>;
  readonly missingFrom: readonly string[];
  constructor(
    status: number,
    message: string,
    more: Readonly<Record<string, unknown>> = {},
    missingFrom: readonly string[] = [],
  ) {
    super(message);
    this.name = 'AdminError';
    this.status = status;
    this.more = more;
    this.missingFrom = missingFrom;
  }
}

/** `missingFrom`: the shards that lack it; none: it is not kept in any. */
export const notFound = (what: string, ...missingFrom: readonly string[]): AdminError =>
  new AdminError(404, `${what} does not exist`, {}, missingFrom);

/** What is wrong with one field; `field` null: with all of what was sent. */
export interface FieldProblem {
  field: string | null;
  error: string;
}

/** A body as its schema reads it. Throws a 400 that names the first wrong field, and where there are several all of them. */
export const read = <Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> => {
  const result = schema.safeParse(body ?? {}, { error: zodIssueMessage });
  if (result.success) return result.data;
  throw wrongFields(firstOfEachField(result.error.issues.map(problemOf)));
};

/** A 400 for fields of which the first is told of as the only one was. */
const wrongFields = (problems: readonly FieldProblem[]): AdminError => {
  const { error, field } = problems[0]!;
  return new AdminError(400, error, { field, ...(problems.length > 1 && { problems }) });
};

const problemOf = (issue: z.core.$ZodIssue): FieldProblem => {
  const place = issue.path.join('.');
  const field = place || (issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined);
  const what = place ? `${place}: ` : field === undefined ? 'the body ' : '';
  return { field: field ?? null, error: `${what}${issue.message}` };
};

const firstOfEachField = (problems: readonly FieldProblem[]): FieldProblem[] => {
  const byField = new Map(problems.toReversed().map((problem) => [problem.field, problem]));
  return problems.filter((problem) => byField.get(problem.field) === problem);
};

/** A query as its schema reads it. Throws a 400 as `read` does, and for a name that stands twice where it may stand once. */
export const readQuery = <Schema extends z.ZodObject>(
  schema: Schema,
  query: Readonly<Record<string, string | string[] | undefined>>,
): z.output<Schema> => {
  const field = Object.keys(schema.shape).find(
    (name) => Array.isArray(query[name]) && !isTaken(schema.shape[name] as z.ZodType, query[name]),
  );
  if (field !== undefined) throw new AdminError(400, `${field}: stands twice`, { field });
  return read(schema, query);
};

/** Some fields throw for what names nothing. */
const isTaken = (schema: z.ZodType, value: unknown): boolean => {
  try {
    return schema.safeParse(value).success;
  } catch {
    return false;
  }
};

/** Mistakes in a part of the body are named with that part. */
export const withErrorFieldPrefix = <Value>(part: string, work: () => Value): Value => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AdminError)) throw error;
    const { field, problems } = error.more as { field?: unknown; problems?: readonly FieldProblem[] };
    const first = { field: typeof field === 'string' ? field : null, error: error.message };
    const { error: sentence, ...named } = problemInPart(part, first);
    const all = problems && { problems: problems.map((problem) => problemInPart(part, problem)) };
    throw new AdminError(error.status, sentence, { ...named, ...all });
  }
};

const problemInPart = (part: string, { field, error }: FieldProblem): FieldProblem => ({
  field: field === null ? part : `${part}.${field}`,
  // What is wrong with the whole of the part is said of the part.
  error: `${part}: ${error.replace(/^the body /, '')}`,
});

/** An address that we shall go to for the account; empty or absent: none. Throws a 400. `openTargets`: private ones. */
export const checkOutboundUrl = (
  { openTargets }: { openTargets: readonly string[] },
  field: string,
  url: string | undefined,
): void => {
  if (url === undefined || url === '') return;
  const read = validateOutboundUrl(url, openTargets);
  if (typeof read === 'string')
    throw new AdminError(400, `${field} ${addUrlAllowingSettingHint(read, url)}`, { field });
};

/** A number of the path. Throws a 404: what has no such id does not exist. */
export const parsePathId = (text: string | undefined, what: string): number => {
  const id = Number(text);
  if (!/^\d{1,16}$/.test(text ?? '') || !Number.isSafeInteger(id)) throw notFound(`${what} ${text}`);
  return id;
};

/** JSON with big integers as numbers: times and ids stay below 2^53. */
export const toJsonWithBigintsAsNumbers = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? Number(part) : part));

/** Without the properties that were not given. */
export const omitUndefined = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** Fields of which any may be missing, as partial schemas give them. */
export type PartialOrUndefined<T> = { [K in keyof T]?: T[K] | undefined };
