/** Callbacks put together: whom they go to, what they say, and the secrets that sign them. */
import type { PushCallback } from '../../machines/delivery/input.ts';
import type { CallbackWorkshop } from '../admin/callbackSettings.ts';
import { type CallPage, callPages, callsAsText } from '../operations/callPages.ts';
import type { Services } from '../operations/services.ts';
import type { WebhookCourier } from '../providers/delivery/webhook.ts';
import { Deferred } from '../providers/delivery.ts';
import { Retryable, Terminal } from '../engine/contract/performer.ts';
import type {
  WebhookAccount,
  FindWebhookAccount,
  Push,
  Tenant,
} from '../providers/delivery/webhook/webhookAccount.ts';
import {
  type CallbackLogin,
  callbackLogin,
  loginAbout,
  loginHeaders,
  noLogin,
  webhookSecretAbout,
} from '../rules/callbackLogin.ts';
import { toUnits } from '../rules/pricing.ts';
import { type SecretBox, secretBoxOf } from '../rules/secretBox.ts';
import { isWebhookSecret, newWebhookSecret, SECRET_PREFIX } from '../rules/webhookSignature.ts';
import { isTransient } from '../store/transientError.ts';
import type { AccountRow, Control } from '../store/control.ts';
import type { CallQuery, CallRow } from '../store/reads/calls.ts';
import { recordOf } from '../store/reads/machines.ts';
import { eventIdOf, writeCallEvent, writeMessageEvent } from '../wire/callbackEvent.ts';
import { type CallRecord, type RecordView, writeCallRecord } from '../wire/callRecord.ts';
import { poolOf } from './repositories.ts';
import type { Databases } from './databases.ts';

/** Seals logins of callbacks and the secrets that sign them. `secret`: `SECRET_KEY`. */
export const callbackVault = (secret: string): SecretBox => secretBoxOf(secret, 'callbacks');

/** Secrets and logins as they are kept, and as people see them. */
export const callbackWorkshop = (
  vault: SecretBox,
  { test, targetsOf }: Pick<WebhookCourier, 'test' | 'targetsOf'>,
): CallbackWorkshop => ({
  test,
  targetsOf,
  newSecret: (account) => sealSecret(vault, account, newWebhookSecret()),
  openSecret: (account, kept) => unlessBroken(() => openSecret(vault, account, kept)),
  sealLogin: (account, login) => vault.seal(JSON.stringify(login), loginAbout(account)),
  openLogin: (account, sealed) => unlessBroken(() => openLogin(vault, sealed, loginAbout(account))),
});

/** Credentials of one push. */
export const pushSafe = (vault: SecretBox): Services['callbacks'] => ({
  sealLogin: (account, delivery, login) => vault.seal(JSON.stringify(login), loginAbout(account, delivery)),
});

/** Null for what another key sealed. */
const unlessBroken = <Value>(open: () => Value): Value | null => {
  try {
    return open();
  } catch (error) {
    if (error instanceof RangeError || error instanceof Retryable) return null;
    throw error;
  }
};

const sealSecret = (vault: SecretBox, account: number, secret: string): string =>
  vault.seal(secret, webhookSecretAbout(account));

/** Seals the secrets that earlier versions kept as they are, and makes those that are missing. */
export const sealSecrets = async (control: Control, vault: SecretBox): Promise<void> => {
  for (;;) {
    const plain = await control.accountsWithSecret(SECRET_PREFIX, ACCOUNTS_AT_A_TIME);
    if (plain.length === 0) return;
    await Promise.all(
      plain.map(({ id, webhook_secret }) => {
        const sealed = sealSecret(vault, id, webhook_secret || newWebhookSecret());
        // A neighbour that starts at the same moment may have been faster.
        return control.updateAccount(id, { webhook_secret: sealed }, { webhook_secret });
      }),
    );
  }
};

const ACCOUNTS_AT_A_TIME = 500;

export interface CallbackNeeds {
  databases: Databases;
  control: Control;
  vault: SecretBox;
  /** Links to recordings, good for `forMs`. */
  mediaUrl(account: number, media: string, forMs: number): string;
  /** Epoch milliseconds. */
  now(): number;
}

export const correspondents =
  (needs: CallbackNeeds): FindWebhookAccount =>
  async (tenant) => {
    const account = await patient(needs.control.believedAccount(tenant.account));
    return account ? correspondentOf(needs, tenant, account) : undefined;
  };

const correspondentOf = (needs: CallbackNeeds, tenant: Tenant, account: AccountRow): WebhookAccount => ({
  url: account.callback_url,
  method: account.callback_method === 'GET' ? 'GET' : 'POST',
  type: account.callback_type === 'form' ? 'form' : 'json',
  openLogin: () => loginHeaders(openLogin(needs.vault, account.callback_login, loginAbout(account.id))),
  openSecrets: () => signingSecrets(needs.vault, account, needs.now()),
  eventOf: async (event) => ({
    id: eventIdOf(tenant, event),
    fields:
      event.what === 'call'
        ? writeCallEvent(
            tenant,
            event,
            event.record ?? (await finalRecord(needs, tenant, event.id)),
            viewOf(needs, tenant, account, event.at),
          )
        : writeMessageEvent(tenant, event, account.time_zone),
  }),
  pushOf: (push, delivery) => pushOf(needs, tenant, account, push, delivery),
});

/** The record of a call that is over. */
const finalRecord = async ({ databases }: CallbackNeeds, { shard, account }: Tenant, id: number) => {
  const record = await patient(recordOf(poolOf(databases, shard), 'calls', account, id));
  if (!record) throw new Terminal('recordGone', 'the record of the call was removed meanwhile');
  return record;
};

const pushOf = (
  needs: CallbackNeeds,
  tenant: Tenant,
  account: AccountRow,
  push: PushCallback,
  delivery: number,
): Push => {
  const { method, type, openLogin: openOwn } = correspondentOf(needs, tenant, account);
  const { login, numtype, origin } = push;
  const view = { ...viewOf(needs, tenant, account, needs.now()), numtype, origin };
  const pages = (changes: Partial<CallQuery>, most: number) => {
    const query = { ...push.query, ...changes, account: account.id, limit: most };
    return callPages(poolOf(needs.databases, tenant.shard), query, most);
  };
  const write = (row: CallRow) => writeCallRecord(row, view);
  return {
    method: push.method ?? method,
    type: push.type ?? type,
    openLogin: () =>
      login === undefined
        ? openOwn()
        : loginHeaders(openLogin(needs.vault, login, loginAbout(account.id, delivery))),
    answer: () => unlessAway(callsAsText(pages({}, push.limit), write, () => ({}))),
    calls: (resume) => {
      const below = resume ? { belowId: resume.id } : {};
      const most = push.limit === -1 ? -1 : push.limit - (resume?.count ?? 0);
      return unlessAway(fieldsOf(pages(below, most), write));
    },
  };
};

async function* fieldsOf(pages: AsyncIterable<CallPage>, write: (row: CallRow) => CallRecord) {
  for await (const { rows } of pages) for (const row of rows) yield { id: row.id, fields: { ...write(row) } };
}

const DAY = 86_400_000;
/** A link to a recording outlives all attempts, and is the same in each of them. */
const LINK_MS = 7 * DAY;

const viewOf = (
  { mediaUrl, now }: CallbackNeeds,
  { shard }: Tenant,
  account: AccountRow,
  at: number,
): RecordView => ({
  shard,
  zone: account.time_zone,
  ratePerMinute: toUnits(account.call_rate.toFixed(4)),
  numtype: '',
  origin: 'api',
  mediaUrl: (media) => mediaUrl(account.id, media, Math.max(at + LINK_MS - now(), DAY)),
});

/**
 * The newest first. Throws `Retryable` when it cannot be opened: a node may have been given another `SECRET_KEY`. One
 * that was replaced because it could not be opened does not sign.
 */
const signingSecrets = (vault: SecretBox, account: AccountRow, now: number): string[] => {
  const { id, webhook_secret, webhook_secret_before, webhook_secret_before_until: until } = account;
  const current = unlessBroken(() => openSecret(vault, id, webhook_secret));
  if (current === null)
    throw new Retryable(
      'the secret that signs callbacks cannot be opened: start with its SECRET_KEY, or rotate it',
    );
  const isOverlap = webhook_secret_before !== '' && until !== null && Number(until) > now;
  const before = isOverlap ? unlessBroken(() => openSecret(vault, id, webhook_secret_before)) : null;
  return before === null ? [current] : [current, before];
};

/** A secret as it is shown and used. Earlier versions kept them as they are. Throws `RangeError`. */
export const openSecret = (vault: SecretBox, account: number, kept: string): string =>
  isWebhookSecret(kept) ? kept : vault.open(kept, webhookSecretAbout(account));

const openLogin = (vault: SecretBox, sealed: string, about: string): CallbackLogin => {
  if (sealed === '') return noLogin;
  try {
    return callbackLogin.parse(JSON.parse(vault.open(sealed, about)));
  } catch (cause) {
    throw new Retryable('the credentials of callbacks cannot be opened: set them again', { cause });
  }
};

/** How long a callback waits for a database that is away, milliseconds. */
const AWAY_MS = 15_000;

/** A database that is away passes. That is our own affair: no receiver was tried, and no attempt is spent. */
const patient = async <Answer>(read: Promise<Answer>): Promise<Answer> => {
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
  isTransient(cause) ? new Deferred('the database cannot serve this now', AWAY_MS) : cause;
