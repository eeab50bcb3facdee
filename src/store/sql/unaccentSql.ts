/** An SQL expression for a text without case and accents, for searches. `text`: an SQL expression itself. */
export const unaccentSql = (text: string): string =>
  String.raw`lower(regexp_replace(normalize(${text}, NFKD), '[\u0300-\u036f]', '', 'g'))`;
