/**
 * The courier of callbacks: posts events to addresses that a customer named, signed as Standard Webhooks says
 * (decisions/0066). What comes twice has the same `webhook-id`, and the same bytes.
 */
import type { CallbackSubject } from '../../../machines/delivery/input.ts';
import type { Courier, Parcel } from '../delivery.ts';
import { guardedLookup } from '../outward.ts';
import { readOutwardUrl } from '../../rules/outwardUrl.ts';
import { Retryable, Terminal } from '../performer.ts';
import { turnsByTarget } from './turns.ts';
import { judge } from './webhook/answer.ts';
import type { Correspondent, FindCorrespondent, Tenant } from './webhook/correspondent.ts';
import { webhookHeaders } from './webhook/headers.ts';
import { type Letter, isEvent, letterOf } from './webhook/letter.ts';
import { openPost } from './webhook/post.ts';

export interface WebhookOptions {
  correspondent: FindCorrespondent;
  /** Private networks (CIDRs) that the operator opened. */
  allowed: readonly string[];
  /** Epoch milliseconds. */
  now(): number;
  /** Within which a receiver answers, milliseconds. Default 15 s. */
  answerMs?: number;
  /** How long one event waits behind others for the same receiver before it is tried later. Default a minute. */
  waitMs?: number;
}

const ANSWER_MS = 15_000;
const WAIT_MS = 60_000;
/** Events on their way to one receiver at a time: one that is dead holds up nobody else's. */
const AT_A_TIME = 8;

export interface WebhookCourier extends Courier {
  /** Closes its connections. */
  stop(): Promise<void>;
}

export const webhookCourier = (options: WebhookOptions): WebhookCourier => {
  const { allowed, now, answerMs = ANSWER_MS, waitMs = WAIT_MS } = options;
  const turns = turnsByTarget(AT_A_TIME);
  const post = openPost({ lookup: guardedLookup(allowed), answerMs });

  const send = async (letter: Letter, url: URL, to: Correspondent, signal: AbortSignal): Promise<void> => {
    const { eventId, method, contentType, body } = letter;
    const headers = {
      ...to.openLogin(),
      ...(contentType !== '' && { 'content-type': contentType }),
      ...(await webhookHeaders({ eventId, secrets: to.openSecrets(), now: now() }, [body])),
    };
    const answer = await post.send({ url, method, headers, body: method === 'GET' ? null : body, signal });
    judge(answer.status, answer.headers, now());
  };

  return {
    carry: async ({ machine, subject, signal }: Parcel) => {
      const to = await correspondentOf(options, machine);
      const event = subject as CallbackSubject;
      if (!isEvent(event)) throw new Terminal('noCourier', 'nobody here pushes records');
      const letter = letterOf(event, to);
      const url = addressOf(letter.url, allowed);
      const patience = AbortSignal.timeout(waitMs);
      try {
        const waiting = AbortSignal.any([signal, patience]);
        await turns(url.origin, () => send(letter, url, to, signal), waiting);
      } catch (cause) {
        throw cause === patience.reason
          ? new Retryable('too many events wait for this receiver', { cause })
          : cause;
      }
    },
    stop: () => post.stop(),
  };
};

const correspondentOf = async (
  { correspondent }: WebhookOptions,
  { shard, account }: Tenant,
): Promise<Correspondent> => {
  const found = await correspondent({ shard, account });
  if (!found) throw new Terminal('noAccount', `the account ${account} does not exist`);
  return found;
};

const addressOf = (written: string, allowed: readonly string[]): URL => {
  if (written === '')
    throw new Terminal('noAddress', 'the account has no callback_url: set one, then replay');
  const url = readOutwardUrl(written, allowed);
  if (typeof url === 'string') throw new Terminal('addressRefused', `the address ${url}`);
  return url;
};
