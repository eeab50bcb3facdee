/** A text as people type it when they look for something: in small letters, without accents. Pure. */
export const foldAccents = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '');
