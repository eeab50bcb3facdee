/** Credentials of delivery profiles, sealed at rest. */
import { Terminal } from '../../engine/contract/performer.ts';
import { secretAbout } from '../../rules/deliveries/deliveryProfile.ts';
import { type SecretBox, secretBoxOf } from '../../lib/secretBox.ts';
import type { ProfileRow } from '../reads/deliveries/deliveries.ts';

/** Seals credentials of delivery profiles. `secret`: `SECRET_KEY`. */
export const profileSecretBox = (secret: string): SecretBox => secretBoxOf(secret, 'delivery profiles');

/** The credentials as they are used, by kind. Throws `Terminal` for what another key sealed. */
export const openProfileSecret = (box: SecretBox, account: number, { id, secret }: ProfileRow): unknown => {
  try {
    return JSON.parse(box.open(secret, secretAbout(account, id)));
  } catch (cause) {
    const sentence = `the credentials of delivery profile ${id} cannot be opened: set them again`;
    throw new Terminal('profileBroken', sentence, { cause });
  }
};
