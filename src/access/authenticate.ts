/** The token of a request and what it may do here (decisions "Identity and access"; spec 5). */
import type { ApiClientIdentity, TokenPermission } from '../operations/declare.ts';
import { inCidr } from '../lib/ipAddressRanges.ts';
import type { ControlDatabase } from '../store/controlDatabase.ts';
import { tokenPattern } from '../store/tokenText.ts';

export interface AccessRefusal {
  code: string;
  text: string;
  http: 401 | 403 | 429;
  /** Whose token was refused, where one was shown that is known: for the audit log, never for the caller. */
  owner?: ApiClientIdentity;
}

/** The codes that every operation shares. */
export const accessErrors = {
  malformed: { code: '100', text: 'authentication failed: the token is missing or malformed', http: 401 },
  unknown: { code: '102', text: 'token unknown, revoked or expired', http: 401 },
  inactive: { code: '110', text: 'account inactive', http: 401 },
  notForRest: { code: '114', text: 'token not allowed for REST', http: 401 },
  permission: { code: '123', text: 'permission denied', http: 403 },
  tooManyFailures: { code: '131', text: 'too many failed authentications from this address', http: 401 },
  address: { code: '142', text: 'address not in the allowlist of the token', http: 403 },
  blocked: { code: '199', text: 'address blocked: too many failed authentications', http: 401 },
  tooMany: { code: '429', text: 'too many requests', http: 429 },
} as const satisfies Record<string, AccessRefusal>;

export interface PresentedApiCredentials {
  provided: Readonly<Record<string, unknown>>;
  /** The `Authorization` header. */
  authorization: string;
  address: string;
  /** Epoch milliseconds. */
  at: number;
}

/**
 * Where a caller comes in. A REST token is asked for the permission here; at the tool door every tool is asked for its
 * own, so that a denied one can say so. `action`: what is asked for, as the audit log names it.
 */
export type ApiEntryPointAndPermission = { action: string } & (
  | { endpoint: 'rest'; permission: TokenPermission }
  | { endpoint: 'tools' }
);

/** The caller, or why not. Rejects when the control database is away. */
export const authenticate = async (
  control: ControlDatabase,
  credentials: PresentedApiCredentials,
  entry: ApiEntryPointAndPermission,
): Promise<ApiClientIdentity | AccessRefusal> => {
  const secret = extractRequestToken(credentials);
  if (!tokenPattern.test(secret)) return accessErrors.malformed;
  const owner = await control.tokenOwner(secret);
  if (!owner) return accessErrors.unknown;
  const refused = (why: AccessRefusal): AccessRefusal => ({ ...why, owner });
  if (isOver(owner.token, credentials.at)) return refused(accessErrors.unknown);
  if ((await control.switchedOff(owner.account)) !== undefined) return refused(accessErrors.inactive);
  if (entry.endpoint === 'rest' && !owner.token.rest) return refused(accessErrors.notForRest);
  if (!isAddressAllowed(owner.token.allowed_ips, credentials.address)) return refused(accessErrors.address);
  if (entry.endpoint === 'rest' && isDenied(owner.token.permissions, entry.permission))
    return refused(accessErrors.permission);
  return owner;
};

/** Whether a request shows any token, right or wrong. */
export const carriesApiToken = (
  provided: PresentedApiCredentials['provided'],
  authorization: string,
): boolean => authorization !== '' || ['tsid', 'sid'].some((name) => (provided[name] ?? '') !== '');

/** `tsid`, then `sid`, then the Bearer header; empty: none of them is a text. */
export const extractRequestToken = ({
  provided,
  authorization,
}: Pick<PresentedApiCredentials, 'provided' | 'authorization'>): string => {
  for (const name of ['tsid', 'sid']) {
    const value = provided[name];
    if (value !== undefined && value !== null && value !== '') return typeof value === 'string' ? value : '';
  }
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '';
};

const isOver = (token: ApiClientIdentity['token'], at: number): boolean =>
  token.revoked_at !== null || (token.expires_at !== null && Number(token.expires_at) <= at);

/** An empty list lets everyone in. */
const isAddressAllowed = (list: unknown, address: string): boolean => {
  const cidrs = Array.isArray(list) ? (list as string[]) : [];
  return cidrs.length === 0 || cidrs.some((cidr) => inCidr(address, cidr));
};

/** At the REST door only an explicit `false` refuses. */
const isDenied = (permissions: unknown, permission: TokenPermission): boolean =>
  (permissions as { apis?: Record<string, unknown> } | null)?.apis?.[permission] === false;
