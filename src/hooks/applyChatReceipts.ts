/**
 * Receipts to their messages: by our own reference, else by the upstream's id. Nothing is answered before it is durable
 * (decisions/0015).
 *
 * A receipt may overtake the acknowledgement of its message. Then that is waited for, shortly; and where it still has
 * not come, the upstream is asked to bring the receipt again. What fits no message, and none that is on its way to the
 * same person, belongs to another program that sends by the same line. As long as the shard is not open that cannot be
 * said of any.
 */
import type { ChatSenderLine } from '../providers/contracts/chat.ts';
import { contactIdsWithAndWithoutNinthDigit } from '../rules/chat/contact.ts';
import {
  UPSTREAM_CLOCK_TOLERANCE_MS,
  findMessageByOwnOrProviderId,
  findUnconfirmedChatMessages,
  messagesLackingReceiptUpTo,
  type MessageMatch,
} from '../store/reads/chat/webhookLineAndMessage.ts';
import type { MessageReceiptEvent, DeliveredOrReadUpToEvent } from './chatHookEventTypes.ts';
import { type ChatHookHandlerDeps, HookMustBeResent } from './scope.ts';

type Told = MessageReceiptEvent | DeliveredOrReadUpToEvent;
type Message = Pick<MessageMatch, 'id' | 'state' | 'finished'>;

/** A receipt, the messages that it is about, and those on their way that it may be about. */
interface Meaning {
  told: Told;
  messages: readonly Message[];
  maybe: readonly number[];
}

const NONE: readonly never[] = [];
/** How long a message is waited for whose acknowledgement is on its way, milliseconds. */
const PATIENCE_MS = 3_000;
/** Messages that one hook waits for at a time. */
const MOST_AWAITED = 100;

/** Throws `HookMustBeResent`, and what says that the database is away. */
export const applyMessageReceipts = async (
  scope: ChatHookHandlerDeps,
  line: ChatSenderLine,
  told: readonly Told[],
): Promise<void> => {
  if (told.length === 0) return;
  const meanings = await meaningsOf(scope, line, told);
  const early = meanings.filter((one) => awaited(one).length > 0);
  await tellAll(
    scope,
    line,
    meanings.filter((one) => !early.includes(one)),
  );
  if (early.length > 0) await applyLater(scope, line, early);
};

/** Those whose messages were on their way when they came. */
const applyLater = async (
  scope: ChatHookHandlerDeps,
  line: ChatSenderLine,
  early: readonly Meaning[],
): Promise<void> => {
  const { shard, account } = line;
  const ids = [...new Set(early.flatMap(awaited))].slice(0, MOST_AWAITED);
  const leave = scope.waits.enter(`${shard}.${account}`);
  if (!leave) throw new HookMustBeResent('too many hooks wait for acknowledgements already');
  try {
    await Promise.all(ids.map((id) => scope.engine.waitFor({ shard, account, id }, 'answered', PATIENCE_MS)));
  } finally {
    leave();
  }
  const meanings = await meaningsOf(
    scope,
    line,
    early.map(({ told }) => told),
  );
  await tellAll(scope, line, meanings);
  if (meanings.some(({ maybe }) => maybe.length > 0))
    throw new HookMustBeResent('a message that this may be about is still on its way');
};

/** A message may have its acknowledgement before its receipts: only then all that the upstream said of it is kept. */
const awaited = ({ messages, maybe }: Meaning): number[] => [
  ...messages.filter(({ state }) => isOnItsWay(state)).map(({ id }) => id),
  ...maybe,
];

const isOnItsWay = (state: string): boolean => state === 'accepted' || state === 'submitted';

/**
 * Messages are looked for after those on their way: one that is acknowledged between the two questions is found by the
 * second. The other way round neither would find it, and its receipt would be lost.
 */
const meaningsOf = async (
  scope: ChatHookHandlerDeps,
  line: ChatSenderLine,
  told: readonly Told[],
): Promise<Meaning[]> => {
  const named = await Promise.all(
    told.map(async (one) => (one.what === 'upTo' ? NONE : namedBy(scope, line, one))),
  );
  const unsure = told.filter((_, index) => named[index]!.length === 0);
  const maybeOf = await flyingTo(scope, line, unsure);
  return Promise.all(
    told.map(async (one, index): Promise<Meaning> => {
      const known = named[index]!;
      if (known.length > 0) return { told: one, messages: known, maybe: NONE };
      const maybe = maybeOf(one);
      if (one.what === 'upTo') return { told: one, messages: await upTo(scope, line, one), maybe };
      return { told: one, messages: maybe.length > 0 ? NONE : await namedBy(scope, line, one), maybe };
    }),
  );
};

const upTo = async (
  scope: ChatHookHandlerDeps,
  line: ChatSenderLine,
  told: DeliveredOrReadUpToEvent,
): Promise<Message[]> => {
  const { shard, account, class: channel } = line;
  const ids = await messagesLackingReceiptUpTo(scope.database(shard), { ...told, account, channel });
  return ids.map((one) => ({ id: one, state: 'acknowledged', finished: false }));
};

/** By our own reference, else by the upstream's id. */
const namedBy = async (
  scope: ChatHookHandlerDeps,
  line: ChatSenderLine,
  told: MessageReceiptEvent,
): Promise<Message[]> => {
  const message = await findMessageByOwnOrProviderId(scope.database(line.shard), {
    ...{ account: line.account, channel: line.class },
    id: machineOf(line, told),
    providerId: told.providerId,
  });
  return message ? [message] : [];
};

/**
 * The machine that a reference names, if it is of the line's own account: the signer of a hook may write any reference.
 */
const machineOf = (
  { shard, account }: ChatSenderLine,
  { reference }: MessageReceiptEvent,
): number | undefined => {
  const [of, owner, machine = '', ...rest] = reference.split('.');
  if (of !== shard || owner !== String(account) || rest.length > 0 || !/^\d{1,16}$/.test(machine))
    return undefined;
  return Number.isSafeInteger(Number(machine)) ? Number(machine) : undefined;
};

/** Answers which messages on their way a receipt may be about. */
const flyingTo = async (
  { database, engine }: ChatHookHandlerDeps,
  { shard, account, class: channel }: ChatSenderLine,
  told: readonly Told[],
): Promise<(one: Told) => number[]> => {
  const contacts = [...new Set(told.flatMap(({ contact }) => contactIdsWithAndWithoutNinthDigit(contact)))];
  if (contacts.length === 0) return () => [];
  const flying = await findUnconfirmedChatMessages(database(shard), {
    account,
    channel,
    contacts,
    at: engine.now(shard),
  });
  return (one) => {
    const ids = contactIdsWithAndWithoutNinthDigit(one.contact);
    const until = one.what === 'upTo' ? one.until + UPSTREAM_CLOCK_TOLERANCE_MS : Number.POSITIVE_INFINITY;
    return flying
      .filter(({ destination, created_at }) => ids.includes(destination) && created_at <= until)
      .map(({ id }) => id);
  };
};

const tellAll = async (
  scope: ChatHookHandlerDeps,
  line: ChatSenderLine,
  meanings: readonly Meaning[],
): Promise<void> => {
  const strays = meanings.filter(({ told, messages, maybe }) => {
    return told.what === 'receipt' && messages.length === 0 && maybe.length === 0;
  });
  // Theirs may be among the messages that are written again.
  if (strays.length > 0 && !(await scope.engine.standsOpen(line.shard)))
    throw new HookMustBeResent('a message that this may be about is not in the database yet');
  if (strays.length > 0)
    scope.log.info({ line: line.id, strays: strays.length }, 'receipts of messages that are not ours');
  // One that has ended hears nothing more.
  await Promise.all(
    meanings.flatMap(({ told, messages }) =>
      messages.filter(({ finished }) => !finished).map(({ id }) => tell(scope, line, id, told)),
    ),
  );
};

const tell = (
  { engine }: ChatHookHandlerDeps,
  { shard, account }: ChatSenderLine,
  id: number,
  told: Told,
): Promise<unknown> => {
  // A clock of theirs that is ahead of ours does not make a message arrive in the future.
  const occurredAt = Math.min(told.occurredAt, engine.now(shard));
  const { status } = told;
  const more = told.what === 'receipt' ? moreOf(told) : {};
  return engine.send({ shard, account, id }, { type: 'receipt', status, occurredAt, ...more });
};

const moreOf = ({ providerId, code, text, pricing }: MessageReceiptEvent) => ({
  providerId,
  ...(pricing && { pricing }),
  ...(code !== undefined && { code }),
  ...(text !== undefined && { text }),
});
