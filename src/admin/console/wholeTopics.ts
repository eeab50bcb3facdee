/** Topics of a stream that are told whole, whenever they are another than what was told last. */
import type { Context } from 'koa';
import { accountOf } from '../accounts/ofAccount.ts';
import { recordPrivateRead } from '../admit.ts';
import { conversationOf, peopleOf } from '../chat/conversations.ts';
import { receiversNow } from '../deliveries/receivers.ts';
import type { AdminDoor } from '../door.ts';
import { toJson } from '../respond.ts';
import { trunksNow } from '../trunks/trunks.ts';
import { paced } from './paced.ts';
import type { Topic } from './topic.ts';

/** Between two reads of the database at least, milliseconds. */
const readMs = 500;

const wholeTopic = (door: AdminDoor, event: string, read: () => Promise<object>): Topic => {
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
    watch: (heard) => door.live.watchAll(heard),
    position: () => undefined,
  };
};

/** All trunks with their load and health. */
export const trunksTopic = (door: AdminDoor): Topic =>
  wholeTopic(door, 'trunks', async () => ({ trunks: await trunksNow(door) }));

/** Receivers of deliveries, as `GET /delivery-receivers` lists them. */
export const receiversTopic = (door: AdminDoor): Topic =>
  wholeTopic(door, 'receivers', async () => ({ receivers: await receiversNow(door) }));

/** Who wrote to the lines of an account last: the first page of its conversations. Throws a 404. */
export const peopleTopic = async (door: AdminDoor, written: string): Promise<Topic> => {
  const account = await accountOf(door, written);
  return wholeTopic(door, 'people', () => peopleOf(door, account, {}));
};

/** The newest messages of a conversation. That it is followed stands in the audit log, as its opening does. Throws a 404. */
export const conversationTopic = async (
  door: AdminDoor,
  ctx: Context,
  { account: written, line, contact }: { account: string; line: number; contact: string },
): Promise<Topic> => {
  const account = await accountOf(door, written);
  const read = () => conversationOf(door, account, { line, contact });
  await read();
  await recordPrivateRead(door, ctx, {
    account: account.id,
    action: `GET /accounts/${account.id}/conversations/${line}/${encodeURIComponent(contact)}`,
  });
  return wholeTopic(door, 'conversation', read);
};
