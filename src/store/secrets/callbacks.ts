/** Secrets that sign callbacks and logins that they are sent with: sealed at rest. */
import { Retryable } from '../../engine/contract/performer.ts';
import {
  type CallbackLogin,
  callbackLoginSchema,
  callbackLoginSealContext,
  emptyCallbackLogin,
  webhookSecretSealContext,
} from '../../rules/deliveries/callbackAuthHeaders.ts';
import { type SecretBox, secretBoxOf } from '../../lib/secretBox.ts';
import { isWebhookSecret, newWebhookSecret, SECRET_PREFIX } from '../../rules/deliveries/webhookSignature.ts';
import type { AccountRow, ControlDatabase } from '../controlDatabase.ts';

/** Seals logins of callbacks and the secrets that sign them. `secret`: `SECRET_KEY`. */
export const callbackSecretBox = (secret: string): SecretBox => secretBoxOf(secret, 'callbacks');

/** Secrets and logins of accounts, as they are kept and as people see them. Null: another key sealed it. */
export interface CallbackSecretStore {
  /** Sealed. */
  newSecret(account: number): string;
  openSecret(account: number, kept: string): string | null;
  sealLogin(account: number, login: CallbackLogin): string;
  openLogin(account: number, sealed: string): CallbackLogin | null;
}

/** Seals and opens with this box. */
export const callbackSecretStore = (box: SecretBox): CallbackSecretStore => ({
  newSecret: (account) => sealSecret(box, account, newWebhookSecret()),
  openSecret: (account, kept) => unlessBroken(() => openWebhookSecret(box, account, kept)),
  sealLogin: (account, login) => box.seal(JSON.stringify(login), callbackLoginSealContext(account)),
  openLogin: (account, sealed) =>
    unlessBroken(() => openCallbackLogin(box, sealed, callbackLoginSealContext(account))),
});

/** Seals the login of one push of records, for its delivery alone. */
export const recordsPushLoginSealer = (box: SecretBox) => ({
  sealLogin: (account: number, delivery: number, login: CallbackLogin): string =>
    box.seal(JSON.stringify(login), callbackLoginSealContext(account, delivery)),
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

const sealSecret = (box: SecretBox, account: number, secret: string): string =>
  box.seal(secret, webhookSecretSealContext(account));

/** Seals the secrets that earlier versions kept as they are, and makes those that are missing. */
export const sealPlainWebhookSecrets = async (control: ControlDatabase, box: SecretBox): Promise<void> => {
  for (;;) {
    const plain = await control.accountsWithSecret(SECRET_PREFIX, ACCOUNTS_AT_A_TIME);
    if (plain.length === 0) return;
    await Promise.all(
      plain.map(({ id, webhook_secret }) => {
        const sealed = sealSecret(box, id, webhook_secret || newWebhookSecret());
        // A neighbour that starts at the same moment may have been faster.
        return control.updateAccount(id, { webhook_secret: sealed }, { webhook_secret });
      }),
    );
  }
};

const ACCOUNTS_AT_A_TIME = 500;

/**
 * The newest first. Throws `Retryable` when it cannot be opened: a node may have been given another `SECRET_KEY`. One
 * that was replaced because it could not be opened does not sign.
 */
export const decryptWebhookSigningSecrets = (box: SecretBox, account: AccountRow, now: number): string[] => {
  const { id, webhook_secret, webhook_secret_before, webhook_secret_before_until: until } = account;
  const current = unlessBroken(() => openWebhookSecret(box, id, webhook_secret));
  if (current === null)
    throw new Retryable(
      'the secret that signs callbacks cannot be opened: start with its SECRET_KEY, or rotate it',
    );
  const isOverlap = webhook_secret_before !== '' && until !== null && Number(until) > now;
  const before = isOverlap ? unlessBroken(() => openWebhookSecret(box, id, webhook_secret_before)) : null;
  return before === null ? [current] : [current, before];
};

/** A secret as it is shown and used. Earlier versions kept them as they are. Throws `RangeError`. */
export const openWebhookSecret = (box: SecretBox, account: number, kept: string): string =>
  isWebhookSecret(kept) ? kept : box.open(kept, webhookSecretSealContext(account));

/** The login as it is sent; none where nothing was sealed. Throws `Retryable` for what another key sealed. */
export const openCallbackLogin = (box: SecretBox, sealed: string, about: string): CallbackLogin => {
  if (sealed === '') return emptyCallbackLogin;
  try {
    return callbackLoginSchema.parse(JSON.parse(box.open(sealed, about)));
  } catch (cause) {
    throw new Retryable('the credentials of callbacks cannot be opened: set them again', { cause });
  }
};
