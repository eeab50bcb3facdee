/** Topics of a stream that are told whole, whenever they are another than what was told last. */
import type { Context } from 'koa';
import { requireAccountById } from '../accounts/accountInPath.ts';
import { recordPrivateRead } from '../admitAndAuditAdministrator.ts';
import { readConversation, listConversations } from '../chat/conversations.ts';
import { listDeliveryReceiverStatuses } from '../deliveries/receiverStatuses.ts';
import type { AdminDeps } from '../deps.ts';
import { toJsonWithBigintsAsNumbers } from '../adminErrorsAndRequestParsing.ts';
import { readTrunksWithLegs } from '../trunks/trunks.ts';
import { staleWhileRevalidate } from './staleWhileRevalidate.ts';
import type { StreamEventPayloads } from './news.ts';
import type { TypedStreamEvent, TypedStreamTopic } from './topic.ts';

/** Between two reads of the database at least, milliseconds. */
const readMs = 500;

const wholeTopic = <Name extends keyof StreamEventPayloads>(
  deps: AdminDeps,
  event: Name,
  read: () => Promise<TypedStreamEvent<Name>['body']>,
): TypedStreamTopic<Name> => {
  const pacedRead = staleWhileRevalidate({ read, everyMs: readMs, now: () => performance.now() });
  let told = '';
  return {
    news: async () => {
      const body = await pacedRead();
      const text = toJsonWithBigintsAsNumbers(body);
      if (text === told) return undefined;
      told = text;
      return { event, body };
    },
    watch: (heard) => deps.live.watchAll(heard),
    position: () => undefined,
  };
};

/** All trunks with their load and health. */
export const trunksStreamTopic = (deps: AdminDeps): TypedStreamTopic<'trunks'> =>
  wholeTopic(deps, 'trunks', async () => ({ trunks: await readTrunksWithLegs(deps) }));

/** Receivers of deliveries, as `GET /delivery-receivers` lists them. */
export const deliveryReceiversStreamTopic = (deps: AdminDeps): TypedStreamTopic<'receivers'> =>
  wholeTopic(deps, 'receivers', async () => ({ receivers: await listDeliveryReceiverStatuses(deps) }));

/** Who wrote to the lines of an account last: the first page of its conversations. Throws a 404. */
export const conversationListTopic = async (
  deps: AdminDeps,
  written: string,
): Promise<TypedStreamTopic<'people'>> => {
  const account = await requireAccountById(deps, written);
  return wholeTopic(deps, 'people', () => listConversations(deps, account, {}));
};

/** The newest messages of a conversation. That it is followed stands in the audit log, as its opening does. Throws a 404. */
export const openConversationTopic = async (
  deps: AdminDeps,
  ctx: Context,
  { account: written, line, contact }: { account: string; line: number; contact: string },
): Promise<TypedStreamTopic<'conversation'>> => {
  const account = await requireAccountById(deps, written);
  const read = () => readConversation(deps, account, { line, contact });
  await read();
  await recordPrivateRead(deps, ctx, {
    account: account.id,
    action: `GET /accounts/${account.id}/conversations/${line}/${encodeURIComponent(contact)}`,
  });
  return wholeTopic(deps, 'conversation', read);
};
