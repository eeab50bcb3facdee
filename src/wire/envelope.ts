/** The `return` envelope (spec 4.0): every answer of the REST door has one. */

export type Fields = Readonly<Record<string, unknown>>;

/** A success. `warnings` become the text `return.warning`; `numeric`: the code is a number, 200 (spec 4.20). */
export const success = (
  fields: Fields,
  beside: Fields,
  warnings: readonly string[] = [],
  numeric = false,
): Fields => ({
  return: {
    status: 'OK',
    status_code: numeric ? 200 : '0',
    ...fields,
    ...(warnings.length > 0 && { warning: warnings.join('; ') }),
  },
  ...beside,
});

/** A failure. `kept`: id keys and lists that the operation's answers always carry. */
export const failure = (
  code: string,
  text: string,
  kept?: { fields: Fields; beside: Fields },
  numeric = false,
): Fields => ({
  return: { status: text, status_code: numeric ? Number(code) : code, ...kept?.fields },
  ...kept?.beside,
});
