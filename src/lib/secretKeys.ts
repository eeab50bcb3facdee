/** `SECRET_KEY`: one key, or several separated by commas. The first seals and signs; all of them open and verify. */
export const parseSecretKeys = (secret: string): readonly [string, ...string[]] => {
  const [first = '', ...older] = secret.split(',').map((key) => key.trim());
  return [first, ...older.filter((key) => key !== '')];
};
