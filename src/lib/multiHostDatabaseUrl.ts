/**
 * Addresses of PostgreSQL as libpq reads them: `postgresql://user:password@h1:5432,h2:5433/db?target_session_attrs=read-write`.
 * Several hosts are servers of one database, of which one takes writes at a time.
 */
import { parseUrl } from './parseUrl.ts';

/** A server of an address. */
export interface DatabaseHost {
  /** A name, an IP address without brackets, or the folder of a socket. */
  host: string;
  port: number;
}

/** An address, taken apart. */
export interface MultiHostDatabaseAddress {
  /** The same address with its first host only: one that `URL` and the driver read. */
  single: string;
  /** The servers to choose among, for the one that takes writes; absent: `single` is the server, whatever it is. */
  hosts?: DatabaseHost[];
}

const usualPort = 5432;
/** Each is watched by every node. */
const mostHosts = 8;

/** `(scheme) (login@)? (hosts) (path) (?query)?` */
const pattern = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)([^?#]*)(?:\?([^#]*))?$/i;
const hostPattern = /^(?:\[([0-9a-f:.]+)\]|([^[\]:]*))(?::(\d{1,5}))?$/i;

const allowed =
  'an address that begins with postgresql:// or postgres://, like postgresql://user:password@host:5432/database; several hosts are separated by commas';

/** Takes an address apart; throws what is allowed, without repeating any of it. */
export const parseMultiHostDatabaseUrl = (text: string): MultiHostDatabaseAddress => {
  const [, scheme, login = '', authority, path = '', query = ''] = pattern.exec(text) ?? refuse(allowed);
  const params = new URLSearchParams(query);
  const wanted = params.get('target_session_attrs');
  const listed = params.get('host') ?? decoded(authority!);
  const several = listed.includes(',');
  refuseOtherTargets(wanted, several);
  if (!several && (wanted === null || wanted === 'any')) {
    if (!parseUrl(text)) refuse(allowed);
    return { single: text };
  }
  const hosts = params.has('host')
    ? hostsOfParams(listed, params.get('port'))
    : authority!.split(',').map(hostOf);
  if (hosts.length > mostHosts) refuse(`an address of ${mostHosts} hosts at most`);
  const [first] = hosts;
  for (const name of ['host', 'port', 'target_session_attrs']) params.delete(name);
  const rest = params.size > 0 ? `?${params.toString().replaceAll('+', '%20')}` : '';
  const single = `${scheme}${login}${written(first!)}${path}${rest}`;
  if (!parseUrl(single)) refuse(allowed);
  return { single, hosts: hosts.filter((host, index) => indexOf(hosts, host) === index) };
};

/** An address as it may be shown: without user, password and parameters. */
export const shownDatabaseAddress = (text: string): string => {
  const { single, hosts } = parseMultiHostDatabaseUrl(text);
  const { protocol, host, pathname } = new URL(single);
  const places = hosts ? hosts.map(formatDatabaseHost).join(',') : host;
  return `${protocol}//${places}${pathname === '/' ? '' : pathname}`;
};

/** How a server is called in sentences: `db1:5432`. */
export const formatDatabaseHost = ({ host, port }: DatabaseHost): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Ramal writes to what it is connected to. */
const refuseOtherTargets = (wanted: string | null, several: boolean): void => {
  const why = 'target_session_attrs=read-write, for Ramal writes to the server that it is connected to';
  if (wanted === null || wanted === 'read-write' || wanted === 'primary') return;
  if (wanted === 'any' && !several) return;
  refuse(`an address with ${why}`);
};

const hostOf = (text: string): DatabaseHost => {
  const [, six, other, port] = hostPattern.exec(text) ?? refuse(allowed);
  return checked(six ?? decoded(other!), port);
};

/** One port for all, or one for each. */
const hostsOfParams = (hosts: string, ports: string | null): DatabaseHost[] => {
  const names = hosts.split(',');
  const listed = ports === null ? [] : ports.split(',');
  if (listed.length > 1 && listed.length !== names.length)
    refuse('an address with as many ports as hosts, or one port for all');
  return names.map((name, index) => checked(name, listed.length === 1 ? listed[0] : listed[index]));
};

const checked = (host: string, given: string | undefined): DatabaseHost => {
  const port = given ? Number(given) : usualPort;
  if (host === '' || !(port >= 1 && port <= 65_535)) refuse(allowed);
  return { host, port };
};

const written = ({ host, port }: DatabaseHost): string =>
  host.includes(':') ? `[${host}]:${port}` : `${encodeURIComponent(host)}:${port}`;

const indexOf = (hosts: readonly DatabaseHost[], one: DatabaseHost): number =>
  hosts.findIndex(({ host, port }) => host === one.host && port === one.port);

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse(allowed);
  }
};

const refuse = (sentence: string): never => {
  throw new Error(sentence);
};
