/** What documentation prints where a token belongs, pasted as printed: a mistake, and no attempt to guess one. */

/** Of the examples in the reference. Where it opens an account it is a token like any other. */
const PRINTED_TOKEN = 'DEMO0token0DEMO0token0DEMO0tok';

/** `$TOKEN`, `${TOKEN}`, `$(cat …)`, `<token>`, `{{token}}`, `[token]`, `YOUR_TOKEN`, `xxxx`, `...` */
const printed = /^(?:\$\{?\w+\}?|\$\(.*\)|<.*>|\{.*\}|\[.*\]|(?:\w+[_-])?(?:token|key|secret)|x+|\.+|…)$/i;

/** Tokens of accounts have 30 characters, the admin token 24 or more: what is shorter opens nothing. */
const mostCharacters = 23;

/** Whether this opens no door for certain, or is the token of the reference's examples. Empty: a variable was not set. */
export const isPlaceholderToken = (token: string): boolean => {
  if (token === '' || token === PRINTED_TOKEN) return true;
  return token.length <= mostCharacters && printed.test(token.replace(/^['"]+|['"]+$/g, ''));
};
