/**
 * Which revision of the protocol a request speaks. Revisions until 2025-11-25 begin with a handshake, of which nothing is
 * remembered; from 2026-07-28 on every request says all that is to be known, in `_meta` and in headers that repeat it.
 */
import { isObject, type RpcError, rpcCodes } from './parseJsonRpcMessage.ts';

/** Those with a handshake, newest first. */
export const mcpHandshakeRevisions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
const statelessRevision = '2026-07-28';
export const supportedMcpRevisions: readonly string[] = [statelessRevision, ...mcpHandshakeRevisions];

export type Era = 'handshake' | 'stateless';

export interface McpRequestParts {
  method: string;
  params: Readonly<Record<string, unknown>>;
  /** A header of the request; empty when it is absent. */
  header(name: string): string;
}

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

/** The era of a request, or why it cannot be served. Without a word about it, it is a plain caller's: `handshake`. */
export const detectMcpEra = (spoken: McpRequestParts): Era | RpcError => {
  const header = spoken.header('mcp-protocol-version');
  const meta = isObject(spoken.params['_meta']) ? spoken.params['_meta'] : {};
  const claimed = meta[versionKey];
  if (claimed === undefined && header < statelessRevision) {
    return header === '' || supportedMcpRevisions.includes(header) ? 'handshake' : unsupported(header);
  }
  return objectionTo(spoken, { header, claimed, capabilities: meta[capabilitiesKey] }) ?? 'stateless';
};

interface Claims {
  header: string;
  claimed: unknown;
  capabilities: unknown;
}

/** What is wrong with a request of the stateless era; undefined: nothing. */
const objectionTo = (
  spoken: McpRequestParts,
  { header, claimed, capabilities }: Claims,
): RpcError | undefined => {
  if (claimed === undefined && header > statelessRevision) return unsupported(header);
  if (typeof claimed !== 'string') return incomplete(versionKey, 'a string');
  if (header !== '' && header !== claimed) return mismatch('MCP-Protocol-Version', header, claimed);
  if (claimed !== statelessRevision) return unsupported(claimed);
  if (!isObject(capabilities)) return incomplete(capabilitiesKey, 'an object');
  return headerObjection(spoken, 'MCP-Protocol-Version', claimed) ?? methodObjection(spoken);
};

const methodObjection = (spoken: McpRequestParts): RpcError | undefined => {
  const { method, params } = spoken;
  const objection = headerObjection(spoken, 'Mcp-Method', method);
  if (objection || method !== 'tools/call' || typeof params['name'] !== 'string') return objection;
  return headerObjection(spoken, 'Mcp-Name', params['name']);
};

const headerObjection = (
  { header }: McpRequestParts,
  name: string,
  expected: string,
): RpcError | undefined => {
  const value = header(name);
  return decoded(value) === expected ? undefined : mismatch(name, value, expected);
};

/** What does not fit in a header travels as `=?base64?…?=`. */
const decoded = (value: string): string => {
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
};

const mismatch = (name: string, value: string, expected: string): RpcError => ({
  http: 400,
  code: rpcCodes.headerMismatch,
  message:
    value === ''
      ? `Header mismatch: ${name} is missing; the body says ${JSON.stringify(expected.slice(0, 100))}`
      : `Header mismatch: ${name} is not what the body says, ${JSON.stringify(expected.slice(0, 100))}`,
});

const unsupported = (requested: string): RpcError => ({
  http: 400,
  code: rpcCodes.unsupportedVersion,
  message: 'Unsupported protocol version',
  data: { supported: supportedMcpRevisions, requested: requested.slice(0, 100) },
});

const incomplete = (key: string, what: string): RpcError => ({
  http: 400,
  code: rpcCodes.invalidParams,
  message: `params._meta must carry ${key}, ${what}`,
});
