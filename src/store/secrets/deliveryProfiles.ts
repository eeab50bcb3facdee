/** Credentials of delivery profiles, sealed at rest. */
import { NotRetryable } from '../../engine/contract/performer.ts';
import { deliverySecretSealContext } from '../../rules/deliveries/fileDeliveryProfileSchemas.ts';
import { type SecretBox, secretBoxOf } from '../../lib/secretBox.ts';
import type { FileDeliveryProfileRow } from '../reads/deliveries/deliveryProfilesAndCampaignCalls.ts';

/** Seals credentials of delivery profiles. `secret`: `SECRET_KEY`. */
export const profileSecretBox = (secret: string): SecretBox => secretBoxOf(secret, 'delivery profiles');

/** The credentials as they are used, by kind. Throws `NotRetryable` for what another key sealed. */
export const openDeliveryProfileSecret = (
  box: SecretBox,
  account: number,
  { id, secret }: FileDeliveryProfileRow,
): unknown => {
  try {
    return JSON.parse(box.open(secret, deliverySecretSealContext(account, id)));
  } catch (cause) {
    const sentence = `the credentials of delivery profile ${id} cannot be opened: set them again`;
    throw new NotRetryable('profileBroken', sentence, { cause });
  }
};
