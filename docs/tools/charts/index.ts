/** The drawings of all charts: `docs/machines/<kind>.svg`, made from the charts themselves. */
import type { Kind } from '../../../src/engine/contract/kind.ts';
import { draw } from './draw.ts';
import { rowsOf } from './rows.ts';

/** File name and content of every kind's drawing. */
export const drawings = (kinds: readonly Kind[]): { file: string; svg: string }[] =>
  kinds.map(({ name, current, versions }) => ({
    file: `${name}.svg`,
    svg: draw(`${name}, version ${current}`, rowsOf(versions[current]!)),
  }));
