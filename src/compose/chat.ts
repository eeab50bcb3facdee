/** Chat put together: lines with their credentials, the client of the upstream, and the sender of messages. */
import { join } from 'node:path';
import type { ChatLineCredentialService } from '../admin/deps.ts';
import type { Config } from '../config.ts';
import type { ReceiveHook } from '../hooks/receiveChatWebhook.ts';
import type { Chat, GraphApiClient } from '../providers/contracts/chat.ts';
import { openChatSender } from '../providers/chat/submitChatMessage.ts';
import {
  type GraphApiTransport,
  GraphApiUnreachable,
  openGraphApiClient,
} from '../providers/chat/graphApiClient.ts';
import type { DnsLookups } from '../providers/contracts/dns.ts';
import type { ReportFactToMachine } from '../engine/contract/performer.ts';
import { type CachedChatLines, chatLineRepository } from '../store/repositories/cachedChatLineLookup.ts';
import type { Databases } from './databases.ts';
import { isChatSandboxOnlyUpstream } from '../config/isChatSandboxOnlyUpstream.ts';
import { chatSecretBox, chatLineSecretSealer } from '../store/secrets/chatLines.ts';

export interface ChatServiceDeps {
  config: Config;
  databases: Databases;
  /** `SECRET_KEY`. */
  secret: string;
  report: ReportFactToMachine;
  /** Where the sandbox upstream brings its hooks. */
  receiveHook: ReceiveHook;
  /** Resolves hosts that the operator configured. */
  names: DnsLookups;
  clock: { now(): number; after(ms: number, run: () => void): () => void };
}

export interface OpenedChatServices extends Chat {
  admin: ChatLineCredentialService;
  /** The built-in upstream, for people who want to see it; undefined with `SANDBOX=off`. */
  sandbox: GraphApiTransport | undefined;
}

export const openChatServices = async (needs: ChatServiceDeps): Promise<OpenedChatServices> => {
  const { config, databases, report, clock } = needs;
  const secretBox = chatSecretBox(needs.secret);
  const lines = chatLineRepository({ databases, secretBox, now: () => performance.now() });
  const sandbox = config.sandbox ? await openSandboxUpstream(needs, lines) : undefined;
  const line = lines.find;
  const upstream = await openUpstream(needs);
  const graph = graphOf(config, upstream, sandbox);
  return {
    ...openChatSender({ graph, line, report, clock }),
    graph,
    line,
    admin: {
      ...chatLineSecretSealer(secretBox),
      upstreams: { sandbox: config.sandbox, real: config.graphUrl !== undefined },
      changed: lines.changed,
    },
    sandbox: sandbox?.transport,
    hasSandbox: isChatSandboxOnlyUpstream(config),
    start: async () => sandbox?.start(),
    stop: async () => {
      await Promise.all([upstream.stop(), sandbox?.stop()]);
    },
  };
};

/** Each request goes to the upstream of its line: what the sandbox made never reaches a real one, nor the other way round. */
const graphOf = (
  { graphVersion: version }: Config,
  upstream: Pick<Upstream, 'transport'>,
  sandbox: Pick<Upstream, 'transport'> | undefined,
): GraphApiClient => {
  const real = openGraphApiClient({ transport: upstream.transport, version });
  const ours = openGraphApiClient({ transport: sandbox?.transport ?? noSandbox, version });
  return { ask: (request) => (request.sandbox ? ours : real).ask(request) };
};

interface Upstream {
  transport: GraphApiTransport;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The upstream that is configured; without one every request is answered as a failure. */
const openUpstream = async ({
  config,
  names,
}: ChatServiceDeps): Promise<Pick<Upstream, 'transport' | 'stop'>> => {
  if (config.graphUrl === undefined) return { transport: noUpstream, stop: async () => {} };
  const { openGraphApiHttp: openWeb } = await import('../providers/chat/graphApiHttpTransport.ts');
  const { transport, close } = openWeb({ url: config.graphUrl, lookup: names.of('graph') });
  return { transport, stop: close };
};

const noUpstream: GraphApiTransport = () =>
  Promise.reject(new GraphApiUnreachable('GRAPH_URL is not set, and the line is none of the sandbox'));

const noSandbox: GraphApiTransport = () =>
  Promise.reject(new GraphApiUnreachable('the line is one of the sandbox, which SANDBOX=off switches off'));

/** One of our own; loaded only where it is used. */
const openSandboxUpstream = async (
  { config, receiveHook, clock }: ChatServiceDeps,
  { world }: CachedChatLines,
): Promise<Upstream> => {
  const { openSandboxGraphApi: openSandbox } =
    await import('../providers/chat/sandbox/fakeGraphApiRouter.ts');
  return openSandbox({
    ...world,
    ...{ clock, speed: config.sandboxSpeed, logFile: join(config.dataDir, 'sandbox', 'chat.log') },
    bring: async (hook) => (await receiveHook(hook)).http,
  });
};
