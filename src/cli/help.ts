/** Examples under the help of a command; a line break in one goes on further in. */
export const formatHelpExamples = (...lines: string[]): string =>
  `\nExamples:\n${lines.map((line) => `  $ npx ramal ${line.replaceAll('\n', ' \\\n      ')}`).join('\n')}`;
