/** Which fields hold secrets, told by their names: nobody needs to remember to hide a new one. Pure. */

const secret =
  /(secret|password|passphrase|passwd|credentials?|authorization|cookie|(api|private|secret)_?key|key_hash|callback_login)$|(^|_)(token|headers?)$|^(tsid|sid|webhook_secret_before)$/i;
/** Says only whether there is one, or how long. */
const harmless = /^has_|_until$/i;

/** Whether a field of this name (`webhook_secret`, `v8l_wa_api_key`, `headers`, `token`) may hold a secret. */
export const isSecretName = (name: string): boolean => {
  const plain = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_');
  return secret.test(plain) && !harmless.test(plain);
};

/** What stands where a secret was. */
export const blotted = '[secret]';

/** Credentials in an address. */
const userInfo = /(?<=:\/\/)[^/?#@\s"]+(?=@)/g;

/**
 * A copy of a plain value with its secrets blotted out, at every depth: whole values of fields with secret names, and
 * credentials in addresses. Empty secrets stay as they are.
 */
export const withoutSecrets = (value: unknown): unknown => {
  if (typeof value === 'string') return value.includes('://') ? value.replaceAll(userInfo, blotted) : value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      isSecretName(name) && !isEmpty(part) ? blotted : withoutSecrets(part),
    ]),
  );
};

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  typeof value === 'boolean' ||
  (typeof value === 'object' && Object.keys(value).length === 0);
