/** The `return` envelope (spec 4.0): every answer of the REST door has one. */

export type Fields = Readonly<Record<string, unknown>>;

/** A success. `warnings` become the text `return.warning`. */
export const success = (fields: Fields, beside: Fields, warnings: readonly string[] = []): Fields => ({
  return: {
    status: 'OK',
    status_code: '0',
    ...fields,
    ...(warnings.length > 0 && { warning: warnings.join('; ') }),
  },
  ...beside,
});

/** A failure. `kept`: id keys and lists that the operation's answers always carry. */
export const failure = (code: string, text: string, kept?: { fields: Fields; beside: Fields }): Fields => ({
  return: { status: text, status_code: code, ...kept?.fields },
  ...kept?.beside,
});
