/** What is wrong with a field of a body, in words that complete "<field>: …", for readers who know no schemas. */
import type * as z from 'zod';

type Issue = z.core.$ZodRawIssue;

/** For what a schema has no words of its own. */
export const zodIssueMessage = (issue: Issue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${wordsOf(issue.values.map(String))}`;
    case 'too_small':
      return Number(issue.minimum) === 1 && issue.origin === 'string'
        ? 'must not be empty'
        : bounded(issue, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'too_big':
      return bounded(issue, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'unrecognized_keys':
      return `${issue.keys.join(', ')} is not known here`;
    default:
      return 'has the wrong form';
  }
};

const kinds: Readonly<Record<string, string | undefined>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

const wordsOf = (values: readonly string[]): string => {
  const words = values.filter((value) => value !== '').map(quotedUnlessWord);
  const one = `${words.length > 1 ? 'one of ' : ''}${words.join(', ')}`;
  return words.length === values.length ? one : `empty or ${one}`;
};

/** `call`, but `";"` and `"\t"`: a sentence has signs of its own. */
const quotedUnlessWord = (value: string): string => (/^[\w.-]+$/.test(value) ? value : JSON.stringify(value));

const bounded = ({ origin }: { origin: string }, how: string, bound: number | bigint): string => {
  if (origin === 'string') return `must have ${how} ${bound} characters`;
  if (origin === 'array') return `must have ${how} ${bound} entries`;
  return `must be ${how} ${bound}`;
};
