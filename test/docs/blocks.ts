/** The command blocks of a page, as a reader copies them. */

export interface Block {
  /** Of the fence, from 1. */
  line: number;
  /** What a shell is given. */
  script: string;
  /** A word for what is not there when the test runs it: then it is not run. */
  needs?: string;
  /** HTTP status that one of its requests gets, when the page shows a refusal. */
  answers?: number;
  /** What its last command ends with, when the page shows a failure. */
  exits?: number;
  /** It goes on in a terminal of its own, and the next block follows when it has printed this (`_` is a blank). */
  until?: string;
}

const shells = new Set(['sh', 'bash', 'shell']);
/** Fences that show a terminal, and those that say nothing: what is typed stands behind a prompt. */
const terminals = new Set(['', 'console', 'text']);
/** Without a prompt, too, these can only be meant to be typed. */
const typed = /^(curl|npx|npm|node|ramal) /;

/** All of them, in the order of the page. */
export const commandBlocks = (text: string): Block[] => {
  const fences = text.matchAll(/^(?<indent> *)```(?<info>[^\n`]*)\n(?<body>[\s\S]*?)^\k<indent>```$/gm);
  return [...fences].flatMap((fence) => {
    const { indent, info, body } = fence.groups as { indent: string; info: string; body: string };
    const [language = '', ...words] = info.trim().split(/ +/);
    const lines = body
      .split('\n')
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    const script = shells.has(language) ? lines.join('\n') : terminals.has(language) ? typedIn(lines) : '';
    if (script.trim() === '') return [];
    const line = text.slice(0, fence.index).split('\n').length;
    return [{ line, script, ...marksOf(words) }];
  });
};

/** Lines behind a prompt, with those that they go on in. */
const typedIn = (lines: readonly string[]): string => {
  let goesOn = false;
  const commands = lines.flatMap((line) => {
    const command = goesOn
      ? line
      : line.startsWith('$ ')
        ? line.slice(2)
        : typed.test(line)
          ? line
          : undefined;
    goesOn = command?.endsWith('\\') ?? false;
    return command === undefined ? [] : [command];
  });
  return commands.join('\n');
};

const marksOf = (words: readonly string[]): Omit<Block, 'line' | 'script'> => {
  const marks = Object.fromEntries(words.map((word) => word.split('=', 2) as [string, string]));
  const unknown = Object.keys(marks).filter((name) => !['needs', 'answers', 'exits', 'until'].includes(name));
  if (unknown.length > 0)
    throw new Error(`a fence says ${unknown.join(', ')}: only needs=…, answers=…, exits=… and until=…`);
  return {
    ...(marks['needs'] !== undefined && { needs: marks['needs'] }),
    ...(marks['answers'] !== undefined && { answers: Number(marks['answers']) }),
    ...(marks['exits'] !== undefined && { exits: Number(marks['exits']) }),
    ...(marks['until'] !== undefined && { until: marks['until'] }),
  };
};
