/** A value from outside as text: what it is, or its JSON. Never markup. */
export const toTextOrJson = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
