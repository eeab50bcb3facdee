/** Listens for callbacks until it is told to end, and keeps the service admitting it for as long. */
import { setTimeout as pause } from 'node:timers/promises';
import type { AdminRouteAnswer } from '../../admin/client.ts';
import { type ExitCode, CommandFailure, cliRefusedFailure } from '../failure.ts';
import {
  resolveAccountOption,
  type CommandContext,
  parseWholeNumberOption,
} from '../commandActionWrapper.ts';
import { openLocalCallbackServer, type ReceivedCallback } from '../callbackReceiver.ts';
import { abortOnInterrupt } from '../signals.ts';
import { formatTimeWithDayUnlessToday } from '../times.ts';

export interface CallbackListenOptions {
  account?: string;
  port: string;
  use?: boolean;
  count?: string;
}

type Account = AdminRouteAnswer<'GET /accounts/:account'>;

const host = '127.0.0.1';
/** The service admits it for two minutes at a time. */
const renewMs = 45_000;

export const listenForCallbacks = async (
  job: CommandContext,
  options: CallbackListenOptions,
): Promise<ExitCode> => {
  const { client, out } = job;
  const account = await resolveAccountOption(job, options);
  const most = options.count === undefined ? Infinity : parseWholeNumberOption(options.count, '--count');
  const path = { account };
  const before = await client.admin('GET /accounts/:account', { path });
  if (!before.webhook_secret?.startsWith('whsec_'))
    throw cliRefusedFailure(
      `the secret that signs the callbacks of account ${account} cannot be seen`,
      'It takes role admin; one that another SECRET_KEY sealed is made anew.',
    );
  const interrupted = abortOnInterrupt();
  const ended = new AbortController();
  const over = AbortSignal.any([interrupted.signal, ended.signal]);
  let heard = 0;
  const receiver = await openLocalCallbackServer({
    ...{ host, port: parseWholeNumberOption(options.port, '--port'), secret: before.webhook_secret },
    hear: (received) => {
      if (over.aborted) return;
      show(job, received, before.time_zone);
      if ((heard += 1) >= most) ended.abort();
    },
  });
  const url = `http://${host}:${receiver.port}/`;
  try {
    await admit(job, receiver.port);
    if (options.use) {
      const body = { callback_url: url, callback_events: 'all' };
      await client.admin('PATCH /accounts/:account', { path, body });
    }
    out.tell({ listening: url });
    out.say(
      `Listening at ${url} for callbacks of account ${account}; times are those of ${before.time_zone}.`,
      options.use ? 'They go there while this runs.' : `Send one: npx ramal callback test ${url}`,
    );
    await keepAdmitted(job, receiver.port, over);
    return 0;
  } finally {
    interrupted.stop();
    if (options.use) await restoreAddress(job, path, url, before);
    const ended = { path: { host, port: receiver.port } };
    await client.admin('DELETE /callback-receivers/:host/:port', ended).catch(() => undefined);
    await receiver.close();
  }
};

const admit = ({ client }: CommandContext, port: number): Promise<unknown> =>
  client.admin('POST /callback-receivers', { body: { host, port } });

const keepAdmitted = async (job: CommandContext, port: number, over: AbortSignal): Promise<void> => {
  while (!over.aborted) {
    await pause(renewMs, undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return;
    await admit(job, port).catch((error: unknown) => {
      if (!(error instanceof CommandFailure)) throw error;
      job.out.note(`The service does not admit it any more: ${error.message}. It is asked again.`);
    });
  }
};

/** Restores the address, unless it was changed meanwhile. */
const restoreAddress = async (
  { client, out }: CommandContext,
  path: { account: number },
  url: string,
  before: Account,
): Promise<void> => {
  try {
    const { callback_url } = await client.admin('GET /accounts/:account', { path });
    if (callback_url !== url) return;
    const { callback_url: was, callback_events } = before;
    const body = { callback_url: was, callback_events };
    await client.admin('PATCH /accounts/:account', { path, body });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    out.note(`The account's callbacks still go to ${url}, for it could not be changed back: ${why}.`);
  }
};

/** `zone`: the account's, on whose clock the moments in its callbacks are. */
const show = ({ out }: CommandContext, received: ReceivedCallback, zone: string): void => {
  const { at, id, verified, body } = received;
  out.tell(received);
  const mark = verified ? out.paint('green', 'signed    ') : out.paint('red', 'NOT SIGNED');
  out.say(
    `${out.paint('dim', formatTimeWithDayUnlessToday(at, at, zone))}  ${mark}  ${told(body)}  ${out.paint('dim', id)}`,
  );
};

const mostShown = 300;

/** The event with what it is about, in its own words. */
const told = (body: unknown): string => {
  if (typeof body !== 'object' || body === null) return String(body).slice(0, mostShown);
  const { event, event_id: _id, timestamp: _at, ...more } = body as Record<string, unknown>;
  const told = Object.entries(more)
    .filter(([, value]) => value !== '' && value !== null && typeof value !== 'object')
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
  const name = typeof event === 'string' ? event : `${Object.keys(more).join(', ')}:`;
  return `${name} ${told}`.trim().slice(0, mostShown);
};
