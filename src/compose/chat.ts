/** Chat put together: lines with their credentials, the client of the upstream, and the desk that posts messages. */
import type { LineSafe } from '../admin/chatLines.ts';
import type { Config } from '../config.ts';
import type { Chat, ChatLine, FindLine, LineClass } from '../providers/chat.ts';
import { openChatDesk } from '../providers/chat/desk.ts';
import { type GraphTransport, NotConnected, openGraph } from '../providers/chat/graph.ts';
import { openWeb } from '../providers/chat/web.ts';
import { type Report, Terminal } from '../providers/performer.ts';
import { type LineSecret, lineSecretAbout } from '../rules/chat/lineSecret.ts';
import { type Vault, vaultOf } from '../rules/seal.ts';
import { chatLineOf, type ChatLineRow } from '../store/reads/chatLines.ts';
import { poolOf } from './books.ts';
import type { Databases } from './databases.ts';

export interface ChatNeeds {
  config: Config;
  databases: Databases;
  /** `SECRET_KEY`. */
  secret: string;
  report: Report;
  clock: { now(): number; after(ms: number, run: () => void): () => void };
}

/** Of a small id. */
const largestId = 2 ** 31 - 1;

/** Seals credentials of chat lines; each belongs to its line. */
export const chatVault = (secret: string): Vault => vaultOf(secret, 'chat lines');

export interface OpenChat extends Chat {
  safe: LineSafe;
}

export const openChat = (needs: ChatNeeds): OpenChat => {
  const { config, databases, report, clock } = needs;
  const vault = chatVault(needs.secret);
  const line: FindLine = async ({ shard, account }, id) => {
    if (id > largestId) return undefined;
    const row = await chatLineOf(poolOf(databases, shard), account, id);
    return row && openLine(vault, shard, row);
  };
  const upstream = upstreamOf(config);
  const graph = openGraph({ transport: upstream.transport, version: config.graphVersion });
  return {
    ...openChatDesk({ graph, line, report, clock }),
    graph,
    line,
    safe: safeOf(vault),
    start: async () => {},
    stop: upstream.close,
  };
};

const upstreamOf = ({ graphUrl }: Config): { transport: GraphTransport; close(): Promise<void> } => {
  if (graphUrl !== undefined) return openWeb({ url: graphUrl });
  const transport: GraphTransport = () => Promise.reject(new NotConnected('GRAPH_URL is not set'));
  return { transport, close: async () => {} };
};

const safeOf = (vault: Vault): LineSafe => ({
  seal: (account, line, secret, text) =>
    text === '' ? '' : vault.seal(text, lineSecretAbout(account, line, secret)),
});

/** The line as its row says; what is secret is opened when it is asked for. */
export const openLine = (vault: Vault, shard: string, row: ChatLineRow): ChatLine => {
  const { account_id: account, id } = row;
  const opener = (secret: LineSecret, sealed: string) => () => {
    if (sealed === '') return '';
    try {
      return vault.open(sealed, lineSecretAbout(account, id, secret));
    } catch (cause) {
      const sentence = `the credentials of line ${id} cannot be opened: set them again`;
      throw new Terminal('lineBroken', sentence, { cause });
    }
  };
  return {
    ...{ shard, account, id, class: row.class as LineClass, provider: row.provider, active: row.active },
    ...{ appName: row.app_name, number: row.number, businessId: row.business_id, pageId: row.page_id },
    photoAccountId: row.photo_account_id,
    forwardUrl: row.forward_url,
    hasApiKey: row.api_key !== '',
    openApiKey: opener('apiKey', row.api_key),
    openAppSecret: opener('appSecret', row.app_secret),
    openVerifyToken: opener('verifyToken', row.verify_token),
  };
};
