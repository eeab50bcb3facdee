/** Reading one environment variable: its value, or a sentence that names it and says what is allowed. */
import { isIP } from 'node:net';
import { isIpAddressOrCidr } from '../lib/ipAddressRanges.ts';
import { parseMultiHostDatabaseUrl } from '../lib/multiHostDatabaseUrl.ts';
import { parseUrl } from '../lib/parseUrl.ts';

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Turns a variable's text into its value; throws what is allowed, e.g. `a whole number from 1 to 65535`. */
type Read<T> = (text: string) => T;

/** The settings of one environment. An empty variable counts as absent. */
export function settingsReader(env: EnvironmentVariables) {
  const optional = <T>(name: string, read: Read<T>): T | undefined => {
    const text = env[name]?.trim();
    if (!text) return undefined;
    try {
      return read(text);
    } catch (allowed) {
      throw new Error(`${name} must be ${(allowed as Error).message}; it is ${shown(name, text)}`, {
        cause: allowed,
      });
    }
  };
  return {
    optional,
    /** `fallback` when it is absent. */
    or: <T>(name: string, read: Read<T>, fallback: T): T => optional(name, read) ?? fallback,
    /** Refused when it is absent; `why` ends the sentence. */
    required: <T>(name: string, read: Read<T>, why: string): T => {
      const value = optional(name, read);
      if (value === undefined) throw new Error(`${name} is not set: ${why}`);
      return value;
    },
  };
}

/** Settings that had another name before. */
const formerNames: ReadonlyMap<string, string> = new Map([['REST_MINUTES', 'ARCHIVE_AFTER_MINUTES']]);

/** A setting under its former name would be passed over in silence. Throws the sentence that says the name of now. */
export const refuseFormerNames = (env: EnvironmentVariables): void => {
  for (const [former, name] of formerNames)
    if (env[former]?.trim()) throw new Error(`${former} is called ${name} now: rename it`);
};

/** What is secret, or may carry a password, is not repeated. */
const shown = (name: string, text: string) =>
  /TOKEN|KEY|PASSWORD|URL|SHARDS/.test(name) ? 'something else' : JSON.stringify(text);

const allow = (sentence: string): never => {
  throw new Error(sentence);
};

export const text: Read<string> = (given) => given;

export const word: Read<string> = (given) =>
  /^[\x21-\x7e]+$/.test(given) ? given : allow('printable ASCII without spaces');

/** What a guess must not find: as long as those that the service makes itself, nearly. */
const leastSecretCharacters = 24;

export const parseSecretOfMinimumLength: Read<string> = (given) =>
  word(given).length >= leastSecretCharacters
    ? given
    : allow(`at least ${leastSecretCharacters} characters long`);

/** The first of the keys is long enough; those that it replaces are what they are. */
export const validateSecretKeysSetting: Read<string> = (given) => {
  const [first = ''] = word(given).split(',');
  return first.length >= leastSecretCharacters
    ? given
    : allow(`at least ${leastSecretCharacters} characters long (the first key, of several)`);
};

export function wholeNumberParser(least: number, most: number): Read<number> {
  return (given) => {
    const value = /^\d+$/.test(given) ? Number(given) : NaN;
    return value >= least && value <= most ? value : allow(`a whole number from ${least} to ${most}`);
  };
}

export function numberParser(least: number, most: number): Read<number> {
  return (given) => {
    const value = /^\d+(\.\d+)?$/.test(given) ? Number(given) : NaN;
    return value >= least && value <= most ? value : allow(`a number from ${least} to ${most}`);
  };
}

export function oneOfWordsParser<const T extends string>(...words: T[]): Read<T> {
  return (given) => words.find((one) => one === given) ?? allow(`one of ${words.join(', ')}`);
}

/** An address of one of these schemes, without the slash at its end. */
export function urlParser(...schemes: string[]): Read<string> {
  return (given) => {
    const scheme = parseUrl(given)?.protocol.slice(0, -1) ?? '';
    return schemes.includes(scheme)
      ? given.replace(/\/+$/, '')
      : allow(`an address that begins with ${schemes.join(':// or ')}://`);
  };
}

/** An address of PostgreSQL, of one host or several, without the slash at its end. */
export const normalizeDatabaseUrl: Read<string> = (given) => {
  const trimmed = given.replace(/\/+$/, '');
  parseMultiHostDatabaseUrl(trimmed);
  return trimmed;
};

/** Name servers, separated by commas: `10.0.0.2`, `10.0.0.2:5353`, `[fd00::2]:53`. */
export const parseNameServers: Read<string[]> = (given) =>
  given.split(',').map((part) => nameServer(part.trim()));

const nameServer: Read<string> = (given) => {
  const [, six, four] = /^(?:\[([^\]]+)\](?::\d{1,5})?|([\d.]+)(?::\d{1,5})?)$/.exec(given) ?? [];
  const isServer = isIP(six ?? '') === 6 || isIP(four ?? '') === 4 || isIP(given) === 6;
  return isServer ? given : allow('addresses of name servers, with or without a port, separated by commas');
};

/** Addresses and networks, separated by commas, each as a network in CIDR notation. */
export const parseNetworkList: Read<string[]> = (given) =>
  given.split(',').map((part) => network(part.trim()));

function network(given: string): string {
  if (isIP(given)) return `${given}/${isIP(given) === 4 ? 32 : 128}`;
  return isIpAddressOrCidr(given)
    ? given
    : allow('IP addresses or networks like 10.0.0.0/8, separated by commas');
}
