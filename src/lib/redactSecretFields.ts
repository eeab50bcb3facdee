/**
 * What is secret, declared once by the name of the field that holds it, whatever door it comes in by and wherever it
 * is kept. Answers to operators, the audit log, the log and the command line pass this declaration (decisions/0020). Pure.
 */

/** `secret`: the whole value. `address`: what follows the host, where receivers and gateways take their keys. */
type Sort = 'secret' | 'address';

/** By the field's name, or by that of the object around it and its own: `settings.url`. */
const declared: Readonly<Record<string, Sort>> = {
  // An account, its callbacks, and what one request says of them.
  webhook_secret: 'secret',
  webhook_secret_before: 'secret',
  callback_login: 'secret',
  callback_headers: 'secret',
  callback_user: 'secret',
  callback_password: 'secret',
  callback_url: 'address',
  rurl: 'address',
  rurl_headers: 'secret',
  rurl_user: 'secret',
  rurl_password: 'secret',
  // As machines carry them.
  url: 'address',
  login: 'secret',
  // Tokens, keys of operators, sessions; what this service was given at its start.
  tsid: 'secret',
  sid: 'secret',
  token: 'secret',
  hash: 'secret',
  key_hash: 'secret',
  admin_token: 'secret',
  demo_token: 'secret',
  secret_key: 'secret',
  // Chat lines.
  v8l_wa_api_key: 'secret',
  api_key: 'secret',
  app_secret: 'secret',
  verify_token: 'secret',
  forward_url: 'address',
  // SMS routes and delivery profiles.
  secret: 'secret',
  'settings.url': 'address',
  'settings.headers': 'secret',
  'settings.body': 'secret',
  // Agents and members of queues.
  headers: 'secret',
  target: 'address',
  uri: 'address',
  // What Node's parser read of a broken request.
  raw_packet: 'secret',
};

/** A field that is not declared is secret when its name says so: a new one must not wait for its line above. */
const telling =
  /(secret|password|passphrase|passwd|credentials?|authorization|cookie|(api|access|private|secret)_?key|key_hash)$|(^|_)(token|headers?)$/;
/** Says only whether there is one, or how long. */
const harmless = /^has_|_until$/;

/** `v8l_wa_api_key`, `secretKey` and `Api-Key` as they are declared. */
const plain = (name: string): string =>
  name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '_')
    .replaceAll('-', '_')
    .toLowerCase();

const sortOf = (name: string, around: string): Sort | undefined => {
  const [field, object] = [plain(name), plain(around)];
  const sort = declared[`${object}.${field}`] ?? declared[field];
  return sort ?? (telling.test(field) && !harmless.test(field) ? 'secret' : undefined);
};

/** Whether the whole value of a field of this name (`webhook_secret`, `headers`, `token`) is secret. */
export const isSecretName = (name: string): boolean => sortOf(name, '') === 'secret';

/** What stands where a secret was. */
export const redactedPlaceholder = '[secret]';

/**
 * A copy of a plain value without its secrets, at every depth and in JSON within its texts: declared fields, and
 * credentials in addresses that any text names. Empty secrets stay as they are. Objects with a class of their own stay.
 */
export const withoutSecrets = (value: unknown, around = ''): unknown => {
  if (typeof value === 'string') return textWithoutSecrets(value);
  if (Array.isArray(value)) return value.map((part) => withoutSecrets(part, around));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, fieldWithoutSecrets(name, part, around)]),
  );
};

const fieldWithoutSecrets = (name: string, value: unknown, around: string): unknown => {
  const sort = sortOf(name, around);
  if (sort === 'secret' && !isEmpty(value)) return redactedPlaceholder;
  if (sort === 'address' && typeof value === 'string') return hostOf(value);
  return withoutSecrets(value, name);
};

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  typeof value === 'boolean' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** A declared address up to its host. What is no address (a number, a sentence) loses credentials only. */
const hostOf = (text: string): string => {
  const [, scheme = '', host = '', rest = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#\s]*@)?([^/?#\s]*)(.*)$/is.exec(text) ?? [];
  if (scheme === '') return textWithoutSecrets(text);
  return `${scheme}${host}${rest === '' || rest === '/' ? rest : `/${redactedPlaceholder}`}`;
};

/** A text that is JSON is read as such, so that what is declared is found in it too. */
const textWithoutSecrets = (text: string): string => {
  if (!/^\s*[[{]/.test(text)) return redactSecretsInAddresses(text);
  try {
    const json = JSON.parse(text) as unknown;
    const [before, after] = [JSON.stringify(json), JSON.stringify(withoutSecrets(json))];
    return before === after ? text : after;
  } catch {
    return redactSecretsInAddresses(text);
  }
};

/** Credentials before the host of an address, the password of a SIP URI, parameters that are named like secrets. */
const userInfo = /(?<=:\/\/)[^/?#@\s"]+(?=@)/g;
const sipPassword = /(?<=\bsips?:[^\s:@"]{1,100}:)[^\s@"]+(?=@)/gi;
const parameter = /(?<=[?&;#])([\w.~[\]-]{1,60})=([^&;#\s"'<>\\]+)/g;
/** As parameters of addresses are named, beside the fields that are declared. */
const parameterNames = /^(key|.*_key|apikey|pass|pwd|auth|sig|signature|code_secret)$/;

/** Any text (a sentence, a line of a log) whose addresses name no secret. */
export const redactSecretsInAddresses = (text: string): string => {
  const quiet = /\bsips?:/i.test(text) ? text.replaceAll(sipPassword, redactedPlaceholder) : text;
  if (!quiet.includes('://')) return quiet;
  return quiet
    .replaceAll(userInfo, redactedPlaceholder)
    .replaceAll(parameter, (whole, name: string) =>
      isSecretName(name) || parameterNames.test(plain(name)) ? `${name}=${redactedPlaceholder}` : whole,
    );
};
