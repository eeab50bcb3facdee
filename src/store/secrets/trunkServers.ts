/** Passwords of trunk servers, sealed at rest. */
import { type SecretBox, secretBoxOf } from '../../lib/secretBox.ts';

/** What a server's password belongs to (`lib/secretBox.ts`). */
export const trunkServerSealContext = (server: number): string => `trunk server ${server}`;

/** Seals passwords of servers. `secret`: `SECRET_KEY`. */
export const serverSecretBox = (secret: string): SecretBox => secretBoxOf(secret, 'trunk servers');
