/** Chat lines as other rooms get them: their credentials sealed at rest, opened when asked for. */
import type { Pool } from 'pg';
import type { ChatSenderLine, FindChatSenderLine, ChatChannelKind } from '../../providers/contracts/chat.ts';
import { NotRetryable } from '../../engine/contract/performer.ts';
import { type ChatLineSecretKind, chatLineSecretSealContext } from '../../rules/chat/lineSecret.ts';
import { withTtlCache } from '../../lib/withTtlCache.ts';
import type { SecretBox } from '../../lib/secretBox.ts';
import {
  findChatLineById,
  type ChatLineRow,
  sandboxChatLineById,
  findSandboxChatLines,
} from '../reads/chat/chatLinesForSending.ts';
import { type ControlAndShardPools, getShardPool } from '../pools.ts';

/** Of a small id. */
const largestId = 2 ** 31 - 1;
/** Ids as lines have them. Any client may send any id to the sandbox, and each id that is looked up is cached. */
const upstreamId = /^\d{1,40}$/;

/** How long other nodes' changes to a line may go unnoticed, milliseconds: as long as those to accounts and tokens. */
const believedForMs = 3_000;

export interface ChatLineRepositoryDeps {
  databases: ControlAndShardPools;
  secretBox: SecretBox;
  /** Milliseconds of any clock. */
  now(): number;
}

/** Lines as they were read a moment ago: a message asks for its line six times over, with its receipts. */
export interface CachedChatLines {
  find: FindChatSenderLine;
  /** What the sandbox upstream knows of its world: every line that is made for it, of whatever account. */
  world: {
    linesAt(id: string): Promise<ChatSenderLine[]>;
    line(id: number): Promise<ChatSenderLine | undefined>;
  };
  /** This node changed a line, and knows it at once. */
  changed(): void;
}

export const chatLineRepository = (needs: ChatLineRepositoryDeps): CachedChatLines => {
  let reads = believed(needs);
  return {
    find: async (tenant, id) => (id > largestId ? undefined : reads.own({ ...tenant, id })),
    world: {
      linesAt: async (id) => (upstreamId.test(id) ? reads.at(id) : []),
      line: (id) => reads.byId(id),
    },
    // What is being read now is not believed either: it may have been read before the change.
    changed: () => void (reads = believed(needs)),
  };
};

const believed = ({ databases, secretBox, now }: ChatLineRepositoryDeps) => {
  const options = { now, forMs: believedForMs };
  const ask = async (question: (pool: Pool) => Promise<ChatLineRow[]>): Promise<ChatSenderLine[]> => {
    const answers = await Promise.all(
      [...databases.shards].map(async ([shard, { pool }]) =>
        (await question(pool)).map((row) => openLine(secretBox, shard, row)),
      ),
    );
    return answers.flat();
  };
  return {
    own: withTtlCache(
      async ({ shard, account, id }: { shard: string; account: number; id: number }) => {
        const row = await findChatLineById(getShardPool(databases, shard), account, id);
        return row && openLine(secretBox, shard, row);
      },
      { ...options, keyOf: ({ shard, account, id }) => `${shard}.${account}.${id}` },
    ),
    at: withTtlCache((id: string) => ask((pool) => findSandboxChatLines(pool, id)), {
      ...options,
      keyOf: (id) => id,
    }),
    byId: withTtlCache(async (id: number) => (await ask((pool) => sandboxChatLineById(pool, id)))[0], {
      ...options,
      keyOf: (id) => id,
    }),
  };
};

/** The line as its row says. */
const openLine = (secretBox: SecretBox, shard: string, row: ChatLineRow): ChatSenderLine => {
  const { account_id: account, id } = row;
  const opener = (secret: ChatLineSecretKind, sealed: string) => {
    let opened: string | undefined;
    return () => {
      if (sealed === '') return '';
      try {
        return (opened ??= secretBox.open(sealed, chatLineSecretSealContext(account, id, secret)));
      } catch (cause) {
        const sentence = `the credentials of line ${id} cannot be opened: set them again`;
        throw new NotRetryable('lineBroken', sentence, { cause });
      }
    };
  };
  return {
    ...{
      shard,
      account,
      id,
      class: row.class as ChatChannelKind,
      provider: row.provider,
      active: row.active,
    },
    ...{ appName: row.app_name, number: row.number, businessId: row.business_id, pageId: row.page_id },
    photoAccountId: row.photo_account_id,
    forwardUrl: row.forward_url,
    sandbox: row.sandbox,
    hasApiKey: row.api_key !== '',
    openApiKey: opener('apiKey', row.api_key),
    openAppSecret: opener('appSecret', row.app_secret),
    openVerifyToken: opener('verifyToken', row.verify_token),
  };
};
