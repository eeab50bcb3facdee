/** Everything that `SECRET_KEY` seals at rest, column by column. */
import { loginAbout, webhookSecretAbout } from '../rules/callbackLogin.ts';
import { type LineSecret, lineSecretAbout } from '../rules/chat/lineSecret.ts';
import { secretAbout as profileSecretAbout } from '../rules/deliveryProfile.ts';
import type { SecretBox } from '../rules/secretBox.ts';
import type { SealedColumn } from '../store/sql/reseal.ts';
import { callbackVault } from './callbacks.ts';
import { chatVault } from './chatLines.ts';
import { profileVault } from './deliveries.ts';
import { routeSecretAbout, routeVault } from './sms.ts';

export interface Sealed extends SealedColumn {
  vault: SecretBox;
  /** What a row's text belongs to. */
  about(account: number, id: number): string;
}

const own = ['account_id', 'id'] as const;

/** In the control database. `secret`: `SECRET_KEY`. */
export const sealedOfControl = (secret: string): Sealed[] => {
  const vault = callbackVault(secret);
  const accounts = { table: 'accounts', key: ['id'] as const, vault };
  return [
    { ...accounts, column: 'callback_login', about: (account) => loginAbout(account) },
    { ...accounts, column: 'webhook_secret', about: webhookSecretAbout },
    { ...accounts, column: 'webhook_secret_before', about: webhookSecretAbout },
  ];
};

/** In each shard. */
export const sealedOfShard = (secret: string): Sealed[] => {
  const lines = { table: 'chat_lines', key: own, vault: chatVault(secret) };
  const line = (column: string, kind: LineSecret): Sealed => ({
    ...lines,
    column,
    about: (account, id) => lineSecretAbout(account, id, kind),
  });
  return [
    {
      table: 'delivery_profiles',
      column: 'secret',
      key: own,
      vault: profileVault(secret),
      about: profileSecretAbout,
    },
    { table: 'sms_routes', column: 'secret', key: own, vault: routeVault(secret), about: routeSecretAbout },
    line('api_key', 'apiKey'),
    line('app_secret', 'appSecret'),
    line('verify_token', 'verifyToken'),
  ];
};
