/** The accounts that callbacks go to: their addresses and secrets, and what a callback says. */
import type { CallRecordsPushCallback } from '../../../machines/delivery/input.ts';
import { type CallPage, readCallsInPages, streamCallPagesAsJson } from '../voice/streamCallPages.ts';
import { DeliveryPostponedError } from '../../providers/contracts/delivery.ts';
import { NotRetryable } from '../../engine/contract/performer.ts';
import type {
  WebhookAccount,
  FindCallbackAccount,
  Push,
  ShardAndAccount,
} from '../../providers/delivery/webhook/webhookAccountTypes.ts';
import {
  callbackLoginSealContext,
  callbackLoginHeaders,
} from '../../rules/deliveries/callbackAuthHeaders.ts';
import { amountToTenThousandths } from '../../rules/accounts/pricing.ts';
import type { SecretBox } from '../../lib/secretBox.ts';
import { isTransientDatabaseError } from '../../store/transientError.ts';
import type { AccountRow, ControlDatabase } from '../../store/controlDatabase.ts';
import type { CallQuery, CallRow } from '../../store/reads/voice/calls.ts';
import { readMachineRecord } from '../../store/reads/machines/machines.ts';
import {
  eventIdOf,
  formatCallCallbackFields,
  formatMessageCallbackFields,
} from '../../wire/callbackEvent.ts';
import { type CallApiRecord, type CallRecordFormatOptions, formatCallRecord } from '../../wire/callRecord.ts';
import { type ControlAndShardPools, getShardPool } from '../../store/pools.ts';
import { openCallbackLogin, decryptWebhookSigningSecrets } from '../../store/secrets/callbacks.ts';

export interface CallbackDeps {
  databases: ControlAndShardPools;
  control: ControlDatabase;
  box: SecretBox;
  /** Links to recordings, good for `forMs`. */
  mediaUrl(account: number, media: string, forMs: number): string;
  /** Epoch milliseconds. */
  now(): number;
}

export const findOutgoingWebhookAccount =
  (needs: CallbackDeps): FindCallbackAccount =>
  async (tenant) => {
    const account = await readOrDefer(needs.control.cachedAccount(tenant.account));
    return account ? webhookAccountOf(needs, tenant, account) : undefined;
  };

const webhookAccountOf = (
  needs: CallbackDeps,
  tenant: ShardAndAccount,
  account: AccountRow,
): WebhookAccount => ({
  url: account.callback_url,
  method: account.callback_method === 'GET' ? 'GET' : 'POST',
  type: account.callback_type === 'form' ? 'form' : 'json',
  openLogin: () =>
    callbackLoginHeaders(
      openCallbackLogin(needs.box, account.callback_login, callbackLoginSealContext(account.id)),
    ),
  openSecrets: () => decryptWebhookSigningSecrets(needs.box, account, needs.now()),
  eventOf: async (event) => ({
    id: eventIdOf(tenant, event),
    fields:
      event.what === 'call'
        ? formatCallCallbackFields(
            tenant,
            event,
            event.record ?? (await finalRecord(needs, tenant, event.id)),
            viewOf(needs, tenant, account, event.at),
          )
        : formatMessageCallbackFields(tenant, event, account.time_zone),
  }),
  pushOf: (push, delivery) => pushOf(needs, tenant, account, push, delivery),
});

/** The record of a call that is over. */
const finalRecord = async ({ databases }: CallbackDeps, { shard, account }: ShardAndAccount, id: number) => {
  const record = await readOrDefer(readMachineRecord(getShardPool(databases, shard), 'calls', account, id));
  if (!record) throw new NotRetryable('recordGone', 'the record of the call was removed meanwhile');
  return record;
};

const pushOf = (
  needs: CallbackDeps,
  tenant: ShardAndAccount,
  account: AccountRow,
  push: CallRecordsPushCallback,
  delivery: number,
): Push => {
  const { method, type, openLogin: openOwn } = webhookAccountOf(needs, tenant, account);
  const { login, numtype, origin } = push;
  const view = { ...viewOf(needs, tenant, account, needs.now()), numtype, origin };
  const pages = (changes: Partial<CallQuery>, most: number) => {
    const query = { ...push.query, ...changes, account: account.id, limit: most };
    return readCallsInPages(getShardPool(needs.databases, tenant.shard), query, most);
  };
  const write = (row: CallRow) => formatCallRecord(row, view);
  return {
    method: push.method ?? method,
    type: push.type ?? type,
    openLogin: () =>
      login === undefined
        ? openOwn()
        : callbackLoginHeaders(
            openCallbackLogin(needs.box, login, callbackLoginSealContext(account.id, delivery)),
          ),
    answer: () => unlessAway(streamCallPagesAsJson(pages({}, push.limit), write, () => ({}))),
    calls: (resume) => {
      const below = resume ? { belowId: resume.id } : {};
      const most = push.limit === -1 ? -1 : push.limit - (resume?.count ?? 0);
      return unlessAway(fieldsOf(pages(below, most), write));
    },
  };
};

async function* fieldsOf(pages: AsyncIterable<CallPage>, write: (row: CallRow) => CallApiRecord) {
  for await (const { rows } of pages) for (const row of rows) yield { id: row.id, fields: { ...write(row) } };
}

const DAY = 86_400_000;
/** A link to a recording outlives all attempts, and is the same in each of them. */
const LINK_MS = 7 * DAY;

const viewOf = (
  { mediaUrl, now }: CallbackDeps,
  { shard }: ShardAndAccount,
  account: AccountRow,
  at: number,
): CallRecordFormatOptions => ({
  shard,
  zone: account.time_zone,
  ratePerMinute: amountToTenThousandths(account.call_rate.toFixed(4)),
  numtype: '',
  origin: 'api',
  mediaUrl: (media) => mediaUrl(account.id, media, Math.max(at + LINK_MS - now(), DAY)),
});

/** How long a callback waits for a database that is away, milliseconds. */
const AWAY_MS = 15_000;

/** A database that is away passes. That is our own affair: no receiver was tried, and no attempt is spent. */
const readOrDefer = async <Answer>(read: Promise<Answer>): Promise<Answer> => {
  try {
    return await read;
  } catch (cause) {
    throw orAway(cause);
  }
};

async function* unlessAway<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
  try {
    yield* parts;
  } catch (cause) {
    throw orAway(cause);
  }
}

const orAway = (cause: unknown): unknown =>
  isTransientDatabaseError(cause)
    ? new DeliveryPostponedError('the database cannot serve this now', AWAY_MS)
    : cause;
