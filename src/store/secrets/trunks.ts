/** Passwords of trunks at their carriers, sealed at rest. */
import { type SecretBox, secretBoxOf } from '../../lib/secretBox.ts';

/** What a trunk's password belongs to (`lib/secretBox.ts`). */
export const trunkSecretSealContext = (trunk: number): string => `trunk ${trunk}`;

/** Seals passwords of trunks. `secret`: `SECRET_KEY`. */
export const trunkSecretBox = (secret: string): SecretBox => secretBoxOf(secret, 'trunks');
