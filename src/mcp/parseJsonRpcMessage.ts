/** One JSON-RPC message out of a request's body: a request, a notification, or why it is neither. */

export type JsonRpcId = string | number;

export type JsonRpcMessage =
  | { kind: 'request'; id: JsonRpcId; method: string; params: Readonly<Record<string, unknown>> }
  | { kind: 'notification' }
  | { kind: 'broken'; error: RpcError; id: JsonRpcId | null };

export interface RpcError {
  /** HTTP status. */
  http: number;
  code: number;
  message: string;
  data?: Readonly<Record<string, unknown>>;
}

export const rpcCodes = {
  parse: -32_700,
  invalidRequest: -32_600,
  unknownMethod: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const;

/** Brackets within brackets; what the tools take needs ten. */
const deepest = 64;

export const parseJsonRpcMessage = (text: string): JsonRpcMessage => {
  if (nesting(text) > deepest)
    return broken(rpcCodes.invalidRequest, `the body is nested deeper than ${deepest}`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return broken(rpcCodes.parse, 'the body is not JSON');
  }
  if (Array.isArray(body)) return broken(rpcCodes.invalidRequest, 'batches are not taken: send one request');
  if (!isObject(body)) return broken(rpcCodes.invalidRequest, 'the body is not a JSON object');
  return readRequest(body);
};

const readRequest = (body: Readonly<Record<string, unknown>>): JsonRpcMessage => {
  const { jsonrpc, id, method, params } = body;
  const readable = isId(id) ? id : null;
  if (jsonrpc !== '2.0') return broken(rpcCodes.invalidRequest, 'jsonrpc must be "2.0"', readable);
  if (typeof method !== 'string')
    return broken(rpcCodes.invalidRequest, 'method must be a string, e.g. "tools/list"', readable);
  if ('id' in body && readable === null)
    return broken(rpcCodes.invalidRequest, 'id must be a string or an integer');
  if (params !== undefined && params !== null && !isObject(params))
    return broken(rpcCodes.invalidRequest, 'params must be an object', readable);
  if (readable === null) return { kind: 'notification' };
  return { kind: 'request', id: readable, method, params: isObject(params) ? params : {} };
};

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isId = (value: unknown): value is JsonRpcId => typeof value === 'string' || Number.isSafeInteger(value);

const broken = (code: number, message: string, id: JsonRpcId | null = null): JsonRpcMessage => ({
  kind: 'broken',
  error: { http: 400, code, message },
  id,
});

/** How deep brackets stand within brackets, outside of strings. Text that is no JSON has a depth, too. */
const nesting = (text: string): number => {
  let depth = 0;
  let most = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '"') inString = !inString;
    else if (inString && sign === '\\') at += 1;
    else if (!inString && (sign === '[' || sign === '{')) most = Math.max(most, (depth += 1));
    else if (!inString && (sign === ']' || sign === '}')) depth -= 1;
  }
  return most;
};
