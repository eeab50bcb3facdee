/** Everything that `SECRET_KEY` seals at rest, column by column. */
import {
  callbackLoginSealContext,
  webhookSecretSealContext,
} from '../../rules/deliveries/callbackAuthHeaders.ts';
import { type ChatLineSecretKind, chatLineSecretSealContext } from '../../rules/chat/lineSecret.ts';
import { deliverySecretSealContext as profileSecretAbout } from '../../rules/deliveries/fileDeliveryProfileSchemas.ts';
import type { SecretBox } from '../../lib/secretBox.ts';
import type { SealedColumn } from '../sql/sealedColumnPages.ts';
import { callbackSecretBox } from './callbacks.ts';
import { chatSecretBox } from './chatLines.ts';
import { profileSecretBox } from './deliveryProfiles.ts';
import { smsRouteSecretSealContext, routeSecretBox } from './smsRoutes.ts';
import { trunkServerSealContext, serverSecretBox } from './trunkServers.ts';
import { trunkSecretSealContext, trunkSecretBox } from './trunks.ts';

/** One column of sealed texts. */
export interface SealedColumnWithBox extends SealedColumn {
  box: SecretBox;
  /** What a row's text belongs to. */
  about(account: number, id: number): string;
}

const own = ['account_id', 'id'] as const;

/** In the control database. `secret`: `SECRET_KEY`. */
export const sealedOfControl = (secret: string): SealedColumnWithBox[] => {
  const box = callbackSecretBox(secret);
  const accounts = { table: 'accounts', key: ['id'] as const, box };
  return [
    { ...accounts, column: 'callback_login', about: (account) => callbackLoginSealContext(account) },
    { ...accounts, column: 'webhook_secret', about: webhookSecretSealContext },
    { ...accounts, column: 'webhook_secret_before', about: webhookSecretSealContext },
    {
      table: 'trunk_servers',
      column: 'secret',
      key: ['id'] as const,
      box: serverSecretBox(secret),
      about: trunkServerSealContext,
    },
    {
      table: 'trunks',
      column: 'sip_secret',
      key: ['id'] as const,
      box: trunkSecretBox(secret),
      about: trunkSecretSealContext,
    },
  ];
};

/** In each shard. */
export const sealedOfShard = (secret: string): SealedColumnWithBox[] => {
  const lines = { table: 'chat_lines', key: own, box: chatSecretBox(secret) };
  const line = (column: string, kind: ChatLineSecretKind): SealedColumnWithBox => ({
    ...lines,
    column,
    about: (account, id) => chatLineSecretSealContext(account, id, kind),
  });
  return [
    {
      table: 'delivery_profiles',
      column: 'secret',
      key: own,
      box: profileSecretBox(secret),
      about: profileSecretAbout,
    },
    {
      table: 'sms_routes',
      column: 'secret',
      key: own,
      box: routeSecretBox(secret),
      about: smsRouteSecretSealContext,
    },
    line('api_key', 'apiKey'),
    line('app_secret', 'appSecret'),
    line('verify_token', 'verifyToken'),
  ];
};
