/** The known name that is nearest to a mistyped one: for warnings and refusals that name it. */

/** Longer ones are names of nothing here. */
const mostLetters = 40;

/**
 * The known name that is closest to one that is not known; undefined: none is close. Names that differ in their digits
 * only (`text12`, `text11`) are not close: the number was meant.
 */
export const closestKnownName = (name: string, known: Iterable<string>): string | undefined => {
  if (name.length > mostLetters) return undefined;
  let nearest: { word: string; distance: number } | undefined;
  for (const word of known) {
    const distance = distanceOf(plain(name), plain(word));
    if (distance !== undefined && distance < (nearest?.distance ?? Infinity)) nearest = { word, distance };
  }
  return nearest?.word;
};

/** `cpId`, `CP_ID` and `cp-id` are spellings of one name. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[\s_.-]/g, '');

const digits = /\d/g;

/** Letters to change from one to the other; undefined: too many for names so short. */
const distanceOf = (name: string, word: string): number | undefined => {
  if (name === word) return 0;
  if (name.replaceAll(digits, '') === word.replaceAll(digits, '')) return undefined;
  const most = mostChanges(Math.min(name.length, word.length));
  if (Math.abs(name.length - word.length) > most) return undefined;
  const distance = editsBetween(name, word);
  return distance <= most ? distance : undefined;
};

const mostChanges = (letters: number): number => (letters < 4 ? 0 : letters < 7 ? 1 : 2);

/** Insertions, deletions, replacements, and neighbours that changed places (optimal string alignment). */
const editsBetween = (from: string, to: string): number => {
  let [before, row] = [[] as number[], Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      next[j] = Math.min(
        row[j]! + 1,
        next[j - 1]! + 1,
        row[j - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[j - 2]! + 1 : Infinity,
      );
    }
    [before, row] = [row, next];
  }
  return row[to.length]!;
};
