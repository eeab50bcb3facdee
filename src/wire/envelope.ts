/** The `return` envelope (spec 4.0): every answer of the REST door has one. */

export type RestEnvelopeFields = Readonly<Record<string, unknown>>;

/** A success. `warnings` become the text `return.warning`; `numeric`: the code is a number, 200 (spec 4.20). */
export const wrapSuccessAnswer = (
  fields: RestEnvelopeFields,
  beside: RestEnvelopeFields,
  warnings: readonly string[] = [],
  numeric = false,
): RestEnvelopeFields => ({
  return: {
    status: 'OK',
    status_code: numeric ? 200 : '0',
    ...fields,
    ...(warnings.length > 0 && { warning: warnings.join('; ') }),
  },
  ...beside,
});

/** A failure. `kept`: id keys and lists that the operation's answers always carry. */
export const failureEnvelope = (
  code: string,
  text: string,
  kept?: { fields: RestEnvelopeFields; beside: RestEnvelopeFields },
  numeric = false,
): RestEnvelopeFields => ({
  return: { status: text, status_code: numeric ? Number(code) : code, ...kept?.fields },
  ...kept?.beside,
});
