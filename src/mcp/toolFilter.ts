/** Which tools a request sees: those of the token's permissions, narrowed by the address it is asked under. */
import type { TokenPermission, ApiClientIdentity } from '../operations/declare.ts';
import { toolFailure, type ToolOutcome, type Tool } from './tool.ts';

const permissions: readonly TokenPermission[] = ['telephony', 'sms', 'msgapp', 'pagechat', 'photodm'];

/** What the address asks for: `?read_only=true`, `?toolsets=telephony,sms`. */
export interface RequestedToolFilter {
  readOnly: boolean;
  /** Undefined: all. */
  toolsets: ReadonlySet<string> | undefined;
}

/** A sentence for a word that is none: a mistyped `read_only` must not leave everything open. */
export const readToolFilter = (query: URLSearchParams): RequestedToolFilter | string => {
  const mistyped = [...query.keys()].find(isMistyped);
  if (mistyped !== undefined)
    return `this address takes read_only and toolsets; ${JSON.stringify(mistyped.slice(0, 40))} is neither`;
  const words = query.getAll('read_only').map((word) => word.trim().toLowerCase());
  const odd = words.find((word) => !truths.has(word) && !untruths.has(word));
  if (odd !== undefined) return 'read_only must be true or false';
  const toolsets = query
    .getAll('toolsets')
    .flatMap((text) => text.split(','))
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
  if (toolsets.some((word) => !(permissions as readonly string[]).includes(word)))
    return `toolsets must be some of ${permissions.join(', ')}, with commas between them`;
  return {
    readOnly: words.some((word) => truths.has(word)),
    toolsets: toolsets.length > 0 ? new Set(toolsets) : undefined,
  };
};

/** `readOnly`, `toolsets[]` and the like, which would narrow nothing. Other words are none of ours. */
const isMistyped = (name: string): boolean =>
  name !== 'read_only' &&
  name !== 'toolsets' &&
  /^(readonly|toolsets?)$/i.test(name.replaceAll(/[^a-z]/gi, ''));

const truths = new Set(['true', '1', 'yes', '']);
const untruths = new Set(['false', '0', 'no']);

/** Why a tool may not be used; undefined: it may. */
export const toolAccessDenial = (
  tool: Tool,
  { token }: ApiClientIdentity,
  toolFilter: RequestedToolFilter,
): ToolOutcome | undefined => {
  const accepted = [tool.permission, ...(tool.orPermissions ?? [])];
  const open = accepted.filter((one) => isPermitted(token.permissions, one));
  if (open.length === 0)
    return toolFailure(
      403,
      `permission denied: cdpsid_mcp_apis of this token does not allow ${tool.permission}, which ${tool.name} needs; the operator who made the token can change it`,
    );
  const { toolsets } = toolFilter;
  if (toolsets && !open.some((one) => toolsets.has(one)))
    return toolFailure(
      403,
      `${tool.name} is left out by toolsets in this address: it belongs to ${accepted.join(', ')}`,
    );
  if (toolFilter.readOnly && !tool.effects.readOnly)
    return toolFailure(403, `${tool.name} changes something, and this address is read_only`);
  return undefined;
};

/** Only an explicit `true` opens a tool; and whatever `enabled` says but `true` closes all of them. */
const isPermitted = (permissions: unknown, permission: TokenPermission): boolean => {
  const given = permissions as { enabled?: unknown; apis?: Record<string, unknown> } | null;
  const { enabled = true, apis } = given ?? {};
  return enabled === true && apis?.[permission] === true;
};
