/**
 * Regular expressions that an operator writes and answers of others are searched with. They are RE2's, which take a time
 * that grows with the text and no faster: one that goes back and tries again (`(a+)+$`) could hold the process for ever
 * over an answer of sixty letters. So there are no backreferences and no lookaround.
 */
import { RE2JS } from 're2js';
import { lruOf } from '../../lib/lru.ts';

/** What it finds in a text: what its first group holds, or all of it; undefined: nothing. */
export type RegexTextExtractor = (text: string) => string | undefined;

/** Of an expression, characters. */
export const maxRegexLength = 200;
/** Steps of the compiled expression, of which each may be looked at for each character; a repetition counts each time. */
const mostSteps = 300;
/** The longest text that is searched, characters. */
const searched = 10_000;
/** Compiled ones that are kept. */
const mostKept = 50;

const kept = lruOf<string, RegexTextExtractor>(mostKept);

/** The expression, or what is wrong with it, which completes "<field>: …". */
export const compileOperatorRegex = (written: string): RegexTextExtractor | string => {
  const known = kept.get(written);
  if (known) return known;
  const expression = compiled(written);
  if (typeof expression !== 'string') kept.set(written, expression);
  return expression;
};

const compiled = (written: string): RegexTextExtractor | string => {
  if (written.length > maxRegexLength)
    return `must be a regular expression of at most ${maxRegexLength} characters`;
  try {
    const expression = RE2JS.compile(RE2JS.translateRegExp(written));
    if (expression.programSize() > mostSteps)
      return 'must be a regular expression that repeats less: a repetition counts as often as it may repeat';
    return (text) => found(expression, text.slice(0, searched));
  } catch {
    return isJavaScript(written) ? unsupported : 'must be a regular expression';
  }
};

const unsupported =
  'must be a regular expression of RE2: without lookaround ((?=…), (?<!…)), backreferences (\\1) and what else RE2 lacks';

/** One that was taken by an earlier release. */
const isJavaScript = (written: string): boolean => {
  try {
    return new RegExp(written).source !== '';
  } catch {
    return false;
  }
};

const found = (expression: RE2JS, text: string): string | undefined => {
  const matcher = expression.matcher(text);
  if (!matcher.find()) return undefined;
  const first = expression.groupCount() > 0 ? matcher.group(1) : null;
  return first ?? matcher.group() ?? undefined;
};
