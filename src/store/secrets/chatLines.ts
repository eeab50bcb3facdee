/** Credentials of chat lines, sealed at rest; each belongs to its line. */
import { type LineSecret, lineSecretAbout } from '../../rules/chat/lineSecret.ts';
import { type SecretBox, secretBoxOf } from '../../lib/secretBox.ts';

/** Seals credentials of chat lines; each belongs to its line. `secret`: `SECRET_KEY`. */
export const chatSecretBox = (secret: string): SecretBox => secretBoxOf(secret, 'chat lines');

/** Seals credentials of lines; what is empty stays so. */
export const lineSecretStore = (box: SecretBox) => ({
  seal: (account: number, line: number, secret: LineSecret, text: string): string =>
    text === '' ? '' : box.seal(text, lineSecretAbout(account, line, secret)),
});
