/** Rows in columns that fit the screen. */
import type { PaintText, TerminalTextStyle } from './output.ts';
import { replaceControlCharacters } from './replaceControlCharacters.ts';

export interface Cell {
  text: string;
  style?: TerminalTextStyle;
}

export interface TerminalTableColumn<Row> {
  title: string;
  cell(row: Row): string | Cell;
  /** Numbers stand to the right. */
  right?: boolean;
}

const gap = '  ';

/** Lines of a table with its titles; what is wider than `width` is cut at its end. */
export const formatTerminalTable = <Row>(
  rows: readonly Row[],
  columns: readonly TerminalTableColumn<Row>[],
  { paint, width }: { paint: PaintText; width: number },
): string[] => {
  const cells = rows.map((row) => columns.map(({ cell }) => asCell(cell(row))));
  const widths = columns.map(({ title }, i) =>
    Math.max(title.length, ...cells.map((row) => row[i]!.text.length)),
  );
  const titles = columns.map(({ title }): Cell => ({ text: title, style: 'dim' }));
  return [titles, ...cells].map((row) =>
    fit(
      row.flatMap(({ text, style }, i) => {
        const isLast = i === columns.length - 1;
        const padded = columns[i]!.right ? text.padStart(widths[i]!) : text.padEnd(isLast ? 0 : widths[i]!);
        const shown: Cell = style ? { text: padded, style } : { text: padded };
        return i === 0 ? [shown] : [{ text: gap }, shown];
      }),
      { paint, width },
    ),
  );
};

const asCell = (cell: string | Cell): Cell => {
  const { text, ...style } = typeof cell === 'string' ? { text: cell } : cell;
  return { text: replaceControlCharacters(text), ...style };
};

/** One line of parts, cut to `width` characters before it is painted. */
export const fit = (
  parts: readonly Cell[],
  { paint, width }: { paint: PaintText; width: number },
): string => {
  let left = width;
  const shown = parts.map(({ text, style }) => {
    const kept = cut(replaceControlCharacters(text), left);
    left -= kept.length;
    return style ? paint(style, kept) : kept;
  });
  return shown.join('').trimEnd();
};

/** Text of at most `width` characters; what was cut off ends in an ellipsis. */
export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}${width > 0 ? '…' : ''}`;
