/** Markdown tables. */

/** A table; cells that would break a row are made harmless. No rows: nothing. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  if (rows.length === 0) return '';
  return [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
};

/** A word as it stands in code; nothing for an empty one. */
export const code = (word: string): string => (word === '' ? '' : `\`${word}\``);

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
