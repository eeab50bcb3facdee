/** Lines of a terminal that are drawn over the ones before. */

export interface TerminalRedrawArea {
  /** No line may be wider than the terminal. */
  draw(lines: readonly string[]): void;
}

export const openTerminalCanvas = (write: (text: string) => void): TerminalRedrawArea => {
  let height = 0;
  return {
    draw: (lines) => {
      const up = height > 0 ? `\u001B[${height}A` : '';
      // Each line is cleared behind its text, and what was below the last one too: nothing flickers.
      write(`${up}${lines.map((line) => `\r${line}\u001B[K\n`).join('')}\u001B[J`);
      height = lines.length;
    },
  };
};
