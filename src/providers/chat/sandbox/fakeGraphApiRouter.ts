/**
 * The built-in upstream: the paths of the graph API, in this process. Its world are the lines of this service: a
 * number, a page, a business is there when a line names it, and opens with that line's token. Like a real one it
 * outlives the service (decisions/0012).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { ChatSenderLine, ChatChannelKind } from '../../contracts/chat.ts';
import type { GraphApiHttpReply } from '../interpretGraphApiReply.ts';
import { type GraphApiHttpRequest, type GraphApiTransport, GraphApiUnreachable } from '../graphApiClient.ts';
import { SandboxHookLoopbackSender, type SandboxChatHookDispatcherOptions } from './hookSender.ts';
import { FakeGraphApi } from './fakeGraphApi.ts';
import {
  sandboxPhoneNumbersReply,
  sandboxBusinessOrPhoneReply,
  sandboxTokenInfoReply,
} from './fakeGraphApiBusinesses.ts';
import {
  graphApiInvalidParameterReply,
  sandboxGraphApiErrorReply,
  graphApiUnknownObjectReply,
} from './graphApiReplies.ts';

export interface SandboxGraphApiOptions extends SandboxChatHookDispatcherOptions {
  /** The log; made when it is first needed. */
  logFile: string;
  /** Lines, of whatever account, that name this id of the upstream. */
  linesAt(id: string): Promise<ChatSenderLine[]>;
  /** `SANDBOX_SPEED`: divides the upstream's own delays. */
  speed: number;
}

export interface SandboxGraphApi {
  transport: GraphApiTransport;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export const openSandboxGraphApi = (options: SandboxGraphApiOptions): SandboxGraphApi => {
  const { clock, speed, logFile } = options;
  const hooks = new SandboxHookLoopbackSender(options);
  const api = new FakeGraphApi({ logFile, hooks, clock, speed });

  const transport: GraphApiTransport = async (exchange) => {
    const token = /^Bearer (\S+)$/.exec(exchange.headers['authorization'] ?? '')?.[1] ?? '';
    const no = refuseToken(token);
    if (no) return no;
    const [, id = '', edge = ''] = /^\/v[\d.]+\/([^/]+)(?:\/([a-z_]+))?$/.exec(exchange.path) ?? [];
    if (id === 'debug_token') return sandboxTokenInfoReply(exchange.query);
    // Nothing lies below a template.
    const template = edge === '' ? await api.template(id) : undefined;
    const lines = await options.linesAt(template?.business ?? id).catch((cause: unknown) => {
      throw new GraphApiUnreachable('the lines cannot be read', { cause });
    });
    if (lines.length === 0) return graphApiUnknownObjectReply(id);
    const own = lines.filter((line) => opens(line, token));
    if (own.length === 0)
      return sandboxGraphApiErrorReply(401, { code: 190, message: 'Invalid OAuth access token' });
    const reply = await serve(api, exchange, { id, edge, lines: own });
    if (reply.delayMs > 0) await pause(reply.delayMs / speed, undefined, { signal: exchange.signal });
    return reply.reply;
  };

  return {
    transport,
    start: () => api.start(),
    stop: async () => {
      await hooks.stop();
      await api.close();
    },
  };
};

export interface FakeGraphApiRequestTarget {
  id: string;
  edge: string;
  /** Those that have this id, and the token that was shown. */
  lines: readonly ChatSenderLine[];
}

interface Served {
  reply: GraphApiHttpReply;
  /** How long the upstream takes, milliseconds. */
  delayMs: number;
}

const serve = async (
  api: FakeGraphApi,
  exchange: GraphApiHttpRequest,
  at: FakeGraphApiRequestTarget,
): Promise<Served> => {
  if (exchange.method === 'POST' && at.edge === 'messages') {
    const channel = channelOf(at);
    return channel ? api.post(channel, at, bodyOf(exchange)) : prompt(graphApiUnknownObjectReply(at.id));
  }
  return prompt(await manage(api, exchange, at));
};

const prompt = (reply: GraphApiHttpReply): Served => ({ reply, delayMs: 0 });

const manage = async (
  api: FakeGraphApi,
  exchange: GraphApiHttpRequest,
  at: FakeGraphApiRequestTarget,
): Promise<GraphApiHttpReply> => {
  const { method, query } = exchange;
  const isBusiness = at.lines.some(({ businessId }) => businessId === at.id);
  if (at.edge === 'message_templates' && isBusiness) {
    if (method === 'POST') return api.submit(at, bodyOf(exchange));
    if (method === 'GET') return api.list(at.id, query);
    return api.remove(at.id, query);
  }
  if (at.edge === '' && (await api.template(at.id)))
    return method === 'POST' ? api.edit(at.id, bodyOf(exchange)) : api.show(at.id);
  if (at.edge === 'phone_numbers' && isBusiness && method === 'GET') return sandboxPhoneNumbersReply(at);
  if (method === 'GET') return sandboxBusinessOrPhoneReply(at);
  return graphApiInvalidParameterReply(`Unknown path components: /${at.edge}`);
};

const edges: Readonly<Record<ChatChannelKind, (line: ChatSenderLine) => string>> = {
  msgapp: ({ appName }) => appName,
  pagechat: ({ pageId }) => pageId,
  photodm: ({ photoAccountId }) => photoAccountId,
};

/** What is posted there goes out by lines of one class. */
const channelOf = ({ id, lines }: FakeGraphApiRequestTarget): ChatChannelKind | undefined =>
  lines.find((line) => edges[line.class](line) === id)?.class;

const bodyOf = ({ body = '' }: GraphApiHttpRequest): unknown => {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return {};
  }
};

const refuseToken = (token: string): GraphApiHttpReply | undefined => {
  if (token === '')
    return sandboxGraphApiErrorReply(401, { code: 104, message: 'An access token is required' });
  if (!token.includes('expired')) return undefined;
  return sandboxGraphApiErrorReply(401, {
    code: 190,
    subcode: 463,
    message: 'Error validating access token: Session has expired',
  });
};

/** A line whose credentials cannot be opened opens nothing. */
const opens = (line: ChatSenderLine, token: string): boolean => {
  try {
    return line.openApiKey() === token;
  } catch {
    return false;
  }
};
