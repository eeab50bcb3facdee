/** Examples under the help of a command. */
export const examples = (...lines: string[]): string =>
  `\nExamples:\n${lines.map((line) => `  $ npx ramal ${line}`).join('\n')}`;
