/**
 * The transport of callbacks: posts events and records to addresses that a customer named, signed as Standard Webhooks
 * says (decisions/0014). What comes twice has the same `webhook-id`, and the same bytes.
 */
import type { CallbackSubject } from '../../../machines/delivery/input.ts';
import { validateOutboundUrl, addUrlAllowingSettingHint } from '../../rules/deliveries/checkOutboundUrl.ts';
import type { DeliveryResumePoint, DeliveryTransport, DeliveryAttemptTask } from '../contracts/delivery.ts';
import type { DnsLookups } from '../contracts/dns.ts';
import { NotRetryable } from '../../engine/contract/performer.ts';
import type { WebhookAccount, FindCallbackAccount, ShardAndAccount } from './webhook/webhookAccountTypes.ts';
import {
  type WebhookEndpointCircuitLimiter,
  openEndpointLimiter,
  type WebhookEndpointHealthView,
} from './webhook/endpointLimiter.ts';
import { isEventCallback, webhookRequestOf } from './webhook/webhookRequest.ts';
import { openHttpClient } from './webhook/httpClient.ts';
import { pushCallRecords } from './webhook/pushCallRecords.ts';
import { type CallbackOutcome, type WebhookSendContext, openWebhookSender } from './webhook/webhookSender.ts';
import { webhookTestFailure, type WebhookTestResult, sendTestWebhook } from './webhook/testDelivery.ts';

export type { WebhookEndpointHealthView };

export interface WebhookTransportOptions {
  findAccount: FindCallbackAccount;
  /** Private networks (CIDRs) that the operator opened. */
  allowed: readonly string[];
  /** Where long bodies are put together. */
  temporary: string;
  /** Epoch milliseconds. */
  now(): number;
  /** Within which a receiver answers, milliseconds. Default 15 s. */
  answerMs?: number;
  /** Finds the addresses of names. */
  names: Pick<DnsLookups, 'prepare' | 'lookup'>;
  /** Milliseconds that never go back. Default: the process's own. */
  clock?: () => number;
  /** Called with the outcome of every request that was due. Default: not called. */
  observe?(outcome: CallbackOutcome): void;
}

const ANSWER_MS = 15_000;

export interface WebhookTransport extends DeliveryTransport {
  /** Sends a test event now, ahead of all that wait, to this address or the account's own. */
  test(tenant: ShardAndAccount, url?: string): Promise<WebhookTestResult>;
  targetsOf: WebhookEndpointCircuitLimiter['targetsOf'];
  counts: WebhookEndpointCircuitLimiter['counts'];
  /** Closes its connections. */
  stop(): Promise<void>;
}

export const webhookTransport = (options: WebhookTransportOptions): WebhookTransport => {
  const { allowed, names, now, temporary, observe = () => {} } = options;
  const limiter = openEndpointLimiter(options);
  const post = openHttpClient({
    ...{ names, allowed },
    answerMs: options.answerMs ?? ANSWER_MS,
  });
  const sender = openWebhookSender({ post, limiter, now, observe });

  const carry = async ({
    machine,
    subject,
    resume,
    insists,
    signal,
  }: DeliveryAttemptTask): Promise<DeliveryResumePoint | void> => {
    const { account, id } = machine;
    const callback = subject as CallbackSubject;
    const to = await webhookAccountOf(options, machine);
    const url = addressOf(callback.url || to.url, allowed);
    const envelopeOf = (from: Pick<WebhookAccount, 'openLogin'>): WebhookSendContext => ({
      ...{ account, insists, signal, login: from.openLogin(), secrets: to.openSecrets() },
    });
    if (isEventCallback(callback))
      return sender.inTurn(url, () => webhookRequestOf(callback, url.href, to), envelopeOf(to));
    const push = to.pushOf(callback, id);
    const envelope = envelopeOf(push);
    return pushCallRecords({
      ...{ push, callback, url: url.href, resume, temporary },
      send: (letter) => sender.inTurn(url, () => letter, envelope),
    });
  };

  const sendTest = async (tenant: ShardAndAccount, written?: string): Promise<WebhookTestResult> => {
    const to = await webhookAccountOf(options, tenant);
    const url = addressOf(written ?? to.url, allowed);
    const signal = new AbortController().signal;
    const envelope = { account: tenant.account, login: to.openLogin(), secrets: to.openSecrets(), signal };
    const result = await sendTestWebhook({ sender, to, url, envelope, now });
    // A test that succeeds closes the circuit at once: a mended receiver need not wait for the next try.
    if (result.delivered) limiter.succeeded({ account: tenant.account, origin: url.origin });
    return result;
  };
  const test = (tenant: ShardAndAccount, written?: string) =>
    sendTest(tenant, written).catch(webhookTestFailure);

  return { carry, test, targetsOf: limiter.targetsOf, counts: limiter.counts, stop: () => post.stop() };
};

const webhookAccountOf = async (
  { findAccount }: WebhookTransportOptions,
  { shard, account }: ShardAndAccount,
): Promise<WebhookAccount> => {
  const found = await findAccount({ shard, account });
  if (!found) throw new NotRetryable('noAccount', `the account ${account} does not exist`);
  return found;
};

const addressOf = (written: string, allowed: readonly string[]): URL => {
  if (written === '')
    throw new NotRetryable('noAddress', 'the account has no callback_url: set one, then replay');
  const url = validateOutboundUrl(written, allowed);
  if (typeof url === 'string')
    throw new NotRetryable('addressRefused', `the address ${addUrlAllowingSettingHint(url, written)}`);
  return url;
};
