/**
 * A text without these characters at its end. An expression like `\0+$` looks at every run of them in the middle once for
 * each of its characters, and texts of others may be all runs.
 */
export const trimTrailingCharacter = (text: string, character: string): string => {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
};
