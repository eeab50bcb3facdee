/** Topics of a stream that are told whole, whenever they are another than what was told last. */
import type { Context } from 'koa';
import { accountOf } from '../accounts/ofAccount.ts';
import { recordPrivateRead } from '../admit.ts';
import { conversationOf, peopleOf } from '../chat/conversations.ts';
import { receiversNow } from '../deliveries/receivers.ts';
import type { AdminDeps } from '../deps.ts';
import { toJson } from '../respond.ts';
import { trunksNow } from '../trunks/trunks.ts';
import { paced } from './paced.ts';
import type { StreamNews } from './news.ts';
import type { NewsOf, TopicOf } from './topic.ts';

/** Between two reads of the database at least, milliseconds. */
const readMs = 500;

const wholeTopic = <Name extends keyof StreamNews>(
  deps: AdminDeps,
  event: Name,
  read: () => Promise<NewsOf<Name>['body']>,
): TopicOf<Name> => {
  const pacedRead = paced({ read, everyMs: readMs, now: () => performance.now() });
  let told = '';
  return {
    news: async () => {
      const body = await pacedRead();
      const text = toJson(body);
      if (text === told) return undefined;
      told = text;
      return { event, body };
    },
    watch: (heard) => deps.live.watchAll(heard),
    position: () => undefined,
  };
};

/** All trunks with their load and health. */
export const trunksTopic = (deps: AdminDeps): TopicOf<'trunks'> =>
  wholeTopic(deps, 'trunks', async () => ({ trunks: await trunksNow(deps) }));

/** Receivers of deliveries, as `GET /delivery-receivers` lists them. */
export const receiversTopic = (deps: AdminDeps): TopicOf<'receivers'> =>
  wholeTopic(deps, 'receivers', async () => ({ receivers: await receiversNow(deps) }));

/** Who wrote to the lines of an account last: the first page of its conversations. Throws a 404. */
export const peopleTopic = async (deps: AdminDeps, written: string): Promise<TopicOf<'people'>> => {
  const account = await accountOf(deps, written);
  return wholeTopic(deps, 'people', () => peopleOf(deps, account, {}));
};

/** The newest messages of a conversation. That it is followed stands in the audit log, as its opening does. Throws a 404. */
export const conversationTopic = async (
  deps: AdminDeps,
  ctx: Context,
  { account: written, line, contact }: { account: string; line: number; contact: string },
): Promise<TopicOf<'conversation'>> => {
  const account = await accountOf(deps, written);
  const read = () => conversationOf(deps, account, { line, contact });
  await read();
  await recordPrivateRead(deps, ctx, {
    account: account.id,
    action: `GET /accounts/${account.id}/conversations/${line}/${encodeURIComponent(contact)}`,
  });
  return wholeTopic(deps, 'conversation', read);
};
