/** The methods of the tool protocol, for a request that has been let in and understood. */
import type { ApiClientIdentity } from '../operations/declare.ts';
import { isObject, type RpcError, rpcCodes } from './parseJsonRpcMessage.ts';
import { type Era, mcpHandshakeRevisions, supportedMcpRevisions } from './protocolRevision.ts';
import { toolAccessDenial, type RequestedToolFilter } from './toolFilter.ts';
import { toolFailure, type Json, type LongAnswerLimiter, type ToolOutcome, type Tool } from './tool.ts';

export interface McpServerDeps {
  /** In the order in which they are listed. */
  tools: readonly Tool[];
  version: string;
  /** Hears of every tool that was asked for. */
  observe(tool: string, outcome: ToolCallStatus, seconds: number): void;
  /** Turns what a tool threw into an outcome. */
  failed(error: unknown): ToolOutcome;
}

export type ToolCallStatus = 'done' | 'refused' | 'denied' | 'failed';

export interface Call {
  method: string;
  params: Json;
  era: Era;
  caller: ApiClientIdentity;
  toolFilter: RequestedToolFilter;
  signal: AbortSignal;
  long: LongAnswerLimiter;
}

export type JsonRpcReply = { result: Json } | { error: RpcError };

export const answerMcpRequest = async (protocol: McpServerDeps, call: Call): Promise<JsonRpcReply> => {
  const method = methods[call.era][call.method];
  if (!method) return { error: unknownMethod(call) };
  const reply = await method(protocol, call);
  return 'result' in reply && call.era === 'stateless' ? { result: complete(protocol, reply.result) } : reply;
};

type Method = (protocol: McpServerDeps, call: Call) => JsonRpcReply | Promise<JsonRpcReply>;

const listTools: Method = ({ tools }, { params, caller, toolFilter, era }) => {
  // Clients that have none write null.
  if ((params['cursor'] ?? undefined) !== undefined)
    return invalid('cursor is unknown: all tools come at once');
  const seen = tools.filter((tool) => !toolAccessDenial(tool, caller, toolFilter)).map(describe);
  return { result: { tools: seen, ...(era === 'stateless' && cacheable) } };
};

const describe = ({ name, title, description, effects, example, ...schemas }: Tool): Json => ({
  ...{ name, title, description },
  inputSchema: { ...schemas.inputSchema, examples: [example] },
  outputSchema: schemas.outputSchema,
  annotations: {
    readOnlyHint: effects.readOnly,
    // Of what changes nothing the protocol asks no more; where nothing is said, it destroys and is not idempotent.
    ...(!effects.readOnly && !effects.destructive && { destructiveHint: false }),
    ...(!effects.readOnly && effects.idempotent && { idempotentHint: true }),
    openWorldHint: effects.openWorld,
  },
});

const callTool: Method = async (protocol, call) => {
  const { name, arguments: given } = call.params;
  if (typeof name !== 'string') return invalid('name must be the name of a tool');
  const tool = protocol.tools.find((one) => one.name === name);
  if (!tool) return invalid(`Unknown tool: ${name.slice(0, 100)}; tools/list names those of this token`);
  if (given !== undefined && given !== null && !isObject(given))
    return invalid('arguments must be an object');
  const outcome = await outcomeOf(protocol, tool, { ...call, arguments: isObject(given) ? given : {} });
  return { result: resultOf(outcome) };
};

const outcomeOf = async (
  protocol: McpServerDeps,
  tool: Tool,
  call: Call & { arguments: Json },
): Promise<ToolOutcome> => {
  const began = performance.now();
  const told = (outcome: ToolOutcome, as: ToolCallStatus): ToolOutcome => {
    protocol.observe(tool.name, as, (performance.now() - began) / 1000);
    return outcome;
  };
  const denial = toolAccessDenial(tool, call.caller, call.toolFilter);
  if (denial) return told(denial, 'denied');
  const unread = tool.effects.readOnly ? call.long.refused() : undefined;
  if (unread) return told(unread, 'refused');
  try {
    const outcome = await tool.call(call);
    return told(outcome, outcome.success ? 'done' : 'refused');
  } catch (error) {
    const left = call.signal.aborted && toolFailure(499, 'the client does not wait for the outcome any more');
    return told(left || protocol.failed(error), 'failed');
  }
};

/** One body for both kinds of callers: the outcome's own keys, and beside them what the tool protocol wants. */
const resultOf = (outcome: ToolOutcome): Json => ({
  ...outcome,
  content: [{ type: 'text', text: JSON.stringify(outcome) }],
  structuredContent: outcome,
  isError: !outcome.success,
});

const initialize: Method = ({ version }, { params }) => {
  const asked = params['protocolVersion'] ?? mcpHandshakeRevisions[0];
  if (typeof asked !== 'string') return invalid('protocolVersion must be a string');
  const known = mcpHandshakeRevisions.find((revision) => revision === asked);
  const protocolVersion = known ?? mcpHandshakeRevisions[0];
  return { result: { protocolVersion, capabilities, serverInfo: serverInfo(version), instructions } };
};

const discover: Method = () => ({
  result: { supportedVersions: supportedMcpRevisions, capabilities, instructions, ...cacheable },
});

const methods: Readonly<Record<Era, Readonly<Record<string, Method | undefined>>>> = {
  handshake: table({
    initialize,
    ping: () => ({ result: {} }),
    'tools/list': listTools,
    'tools/call': callTool,
  }),
  stateless: table({ 'server/discover': discover, 'tools/list': listTools, 'tools/call': callTool }),
};

/** Without the names that every object has. */
function table(of: Record<string, Method>): Record<string, Method | undefined> {
  return Object.assign(Object.create(null) as Record<string, Method>, of);
}

const capabilities = { tools: {} };

/** What is listed depends on the token, and changes with its permissions. */
const cacheable = { ttlMs: 60_000, cacheScope: 'private' };

const serverInfo = (version: string) => ({ name: 'ramal', title: 'Ramal', version });

const complete = ({ version }: McpServerDeps, result: Json): Json => ({
  ...result,
  resultType: 'complete',
  _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo(version) },
});

const instructions = [
  'Ramal places telephone calls, runs calling campaigns and sends SMS and chat messages for one account.',
  'Every outcome says success; a failure says error and status_code. Status WR: recorded, not acknowledged yet. 403 means that the token may not: do not try again.',
  'Tools that are not read-only ring telephones, send messages to people or change campaigns, and may cost money:',
  'ask the person you work for before you use them, and never repeat one to find out whether it worked; get_call_status,',
  'explain_call, get_message_status and get_campaigns_list tell what became of it; warning says that something was done,',
  'but not quite as asked. Numbers are Brazilian unless they say otherwise:',
  'area and number (11987650000), or with country (5511987650000).',
].join(' ');

const unknownMethod = ({ method, era }: Call): RpcError => ({
  http: era === 'stateless' ? 404 : 200,
  code: rpcCodes.unknownMethod,
  message: `Method not found: ${method.slice(0, 100)}`,
});

const invalid = (message: string): JsonRpcReply => ({
  error: { http: 200, code: rpcCodes.invalidParams, message },
});
