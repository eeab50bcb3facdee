/** Chat put together: lines with their credentials, the client of the upstream, and the desk that posts messages. */
import { join } from 'node:path';
import type { LineSafe } from '../admin/chatLines.ts';
import type { Config } from '../config.ts';
import type { ReceiveHook } from '../hooks/receive.ts';
import type { Chat } from '../providers/chat.ts';
import { openChatDesk } from '../providers/chat/desk.ts';
import { type GraphTransport, openGraph } from '../providers/chat/graph.ts';
import type { Names } from '../providers/names.ts';
import type { Report } from '../providers/performer.ts';
import type { Vault } from '../rules/seal.ts';
import { chatVault, findLine, lineSafe, worldOfLines } from './chatLines.ts';
import type { Databases } from './databases.ts';

export interface ChatNeeds {
  config: Config;
  databases: Databases;
  /** `SECRET_KEY`. */
  secret: string;
  report: Report;
  /** Where the sandbox upstream brings its hooks. */
  receiveHook: ReceiveHook;
  /** Of the house's own hosts. */
  names: Names;
  clock: { now(): number; after(ms: number, run: () => void): () => void };
}

export interface OpenChat extends Chat {
  safe: LineSafe;
  /** The built-in upstream, for people who want to see it; undefined where there is another. */
  sandbox: GraphTransport | undefined;
}

export const openChat = async (needs: ChatNeeds): Promise<OpenChat> => {
  const { config, databases, report, clock } = needs;
  const vault = chatVault(needs.secret);
  const line = findLine(databases, vault);
  const upstream = await openUpstream(needs, vault);
  const graph = openGraph({ transport: upstream.transport, version: config.graphVersion });
  return {
    ...openChatDesk({ graph, line, report, clock }),
    graph,
    line,
    safe: lineSafe(vault),
    sandbox: config.graphUrl === undefined ? upstream.transport : undefined,
    start: upstream.start,
    stop: upstream.stop,
  };
};

interface Upstream {
  transport: GraphTransport;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The one that is configured, or one of our own; only that is loaded. */
const openUpstream = async (needs: ChatNeeds, vault: Vault): Promise<Upstream> => {
  const { config, databases, receiveHook, clock } = needs;
  if (config.graphUrl !== undefined) {
    const { openWeb } = await import('../providers/chat/web.ts');
    const { transport, close } = openWeb({ url: config.graphUrl, lookup: needs.names.of('graph') });
    return { transport, start: async () => {}, stop: close };
  }
  const { openSandbox } = await import('../providers/chat/sandbox/upstream.ts');
  return openSandbox({
    ...worldOfLines(databases, vault),
    ...{ clock, speed: config.sandboxSpeed, logFile: join(config.dataDir, 'sandbox', 'chat.log') },
    bring: async (hook) => (await receiveHook(hook)).http,
  });
};
