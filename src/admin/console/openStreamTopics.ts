/** What a stream tells of, by its name: figures and lists told whole, and machines from where their reader stands. */
import type { Context } from 'koa';
import { campaignRefWithRate } from '../campaigns/cachedCampaignFigures.ts';
import { requireCampaignById, findCampaignAccount } from '../campaigns/campaignInPath.ts';
import { show } from '../campaigns/campaignSchemas.ts';
import type { AdminDeps } from '../deps.ts';
import { requireMachineById } from '../machines/machineInPath.ts';
import { toAdminMachineAnswer } from '../machines/machines.ts';
import { AdminError, toJsonWithBigintsAsNumbers } from '../adminErrorsAndRequestParsing.ts';
import { memoizeByObject, type StreamNewsSource, type TypedStreamTopic } from './topic.ts';
import {
  openConversationTopic,
  conversationListTopic,
  deliveryReceiversStreamTopic,
  trunksStreamTopic,
} from './snapshotTopics.ts';

/** A page needs one or two. */
const mostTopics = 8;
const historyPage = 500;
/**
 * Opens what `?topics=` asks for: `now`, `trunks`, `receivers`, `people:3`, `conversation:3:1:5511987650000`,
 * `machine:a_17@5`, `campaign:12`. Throws a 400 or 404. `resumed`: the `Last-Event-ID` of who comes back.
 */
export const openStreamTopics = (
  deps: AdminDeps,
  ctx: Context,
  resumed: string,
): Promise<StreamNewsSource[]> => {
  const { query } = ctx;
  const asked = typeof query['topics'] === 'string' ? query['topics'].split(',') : [];
  if (asked.length === 0 || asked.length > mostTopics || asked.includes(''))
    throw refused(`must be 1 to ${mostTopics}, e.g. now,machine:a_17@5`);
  const reader = { deps, ctx, positions: readPositions(resumed) };
  return Promise.all(asked.map((text) => openTopic(reader, text)));
};

const refused = (why: string): AdminError => new AdminError(400, `topics: ${why}`, { field: 'topics' });

const readPositions = (text: string): ReadonlyMap<string, number> =>
  new Map([...text.matchAll(/(\w{1,40})=(\d{1,9})(?:,|$)/g)].map(([, id, at]) => [id!, Number(at)]));

/** Who asks, and up to where it has been told before. */
interface Reader {
  deps: AdminDeps;
  ctx: Context;
  positions: ReadonlyMap<string, number>;
}

/** How a topic is written, and what opens it with the parts of that. */
const kinds: readonly (readonly [
  RegExp,
  (reader: Reader, parts: readonly string[]) => StreamNewsSource | Promise<StreamNewsSource>,
])[] = [
  [/^now$/, ({ deps }) => nowTopic(deps)],
  [/^trunks$/, ({ deps }) => trunksStreamTopic(deps)],
  [/^receivers$/, ({ deps }) => deliveryReceiversStreamTopic(deps)],
  [/^people:(\d{1,9})$/, ({ deps }, [account]) => conversationListTopic(deps, account!)],
  [
    /^conversation:(\d{1,9}):(\d{1,9}):([^:]{1,600})$/,
    ({ deps, ctx }, [account, line, contact]) =>
      openConversationTopic(deps, ctx, { account: account!, line: Number(line), contact: decoded(contact!) }),
  ],
  [/^campaign:(\d{1,15})$/, ({ deps }, [id]) => campaignTopic(deps, id!)],
  [
    /^machine:(\w{1,40})(?:@(\d{1,9}))?$/,
    ({ deps, ctx, positions }, [id, at]) =>
      machineTopic(deps, id!, positions.get(id!) ?? Number(at ?? -1), ctx.query['account']),
  ],
];

const openTopic = async (reader: Reader, text: string): Promise<StreamNewsSource> => {
  for (const [written, open] of kinds) {
    const found = written.exec(text);
    if (found) return open(reader, found.slice(1));
  }
  throw refused(`there is no ${text.slice(0, 60)}`);
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused(`${text.slice(0, 60)} is not encoded as an address is`);
  }
};

/** All but the time, as text; made once for all streams that are told the same. */
const figuresOf = memoizeByObject(({ at: _, ...figures }: { at: number }) =>
  toJsonWithBigintsAsNumbers(figures),
);

const nowTopic = (deps: AdminDeps): TypedStreamTopic<'now'> => {
  let told = '';
  return {
    news: async () => {
      const body = await deps.overview.read();
      const text = figuresOf(body);
      if (text === told) return undefined;
      told = text;
      return { event: 'now', body };
    },
    watch: (heard) => deps.live.watchAll(heard),
    position: () => undefined,
  };
};

/** A campaign's record and figures, whenever one of them is another. Its own steps are many; who reads is paced. */
const campaignTopic = async (deps: AdminDeps, id: string): Promise<TypedStreamTopic<'campaign'>> => {
  const account = await findCampaignAccount(deps, id);
  const ref = campaignRefWithRate(account, Number(id));
  let told = '';
  return {
    news: async () => {
      const [row, figures] = await Promise.all([
        requireCampaignById(deps, account, id),
        deps.campaigns.read(ref),
      ]);
      const body = { at: deps.engine.now(account.shard), campaign: show(account.id, row), figures };
      const text = toJsonWithBigintsAsNumbers([row, figures]);
      if (text === told) return undefined;
      told = text;
      return { event: 'campaign', body };
    },
    watch: (heard) => deps.live.watch(ref.id, heard),
    position: () => undefined,
  };
};

/** Every entry of its history after `after`, once and in order, with the machine as it stands. */
const machineTopic = async (
  deps: AdminDeps,
  name: string,
  after: number,
  account: unknown,
): Promise<TypedStreamTopic<'machine'>> => {
  const { ref } = await requireMachineById(deps, name, account);
  let at = after;
  let told = '';
  return {
    news: async () => {
      const view = await deps.engine.view(ref);
      if (!view) return undefined;
      const text = `${view.revision} ${view.attention} ${toJsonWithBigintsAsNumbers(view.agenda)}`;
      if (text === told) return undefined;
      const history = await deps.engine.history(ref, at, historyPage);
      at = history.at(-1)?.revision ?? at;
      // Where a page was not enough, the rest is news the next time.
      told = history.length < historyPage ? text : '';
      return { event: 'machine', body: { machine: toAdminMachineAnswer(view), history } };
    },
    watch: (heard) => deps.live.watch(ref.id, heard),
    position: () => (at < 0 ? undefined : `${name}=${at}`),
  };
};
