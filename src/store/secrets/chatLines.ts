/** Credentials of chat lines, sealed at rest; each belongs to its line. */
import type { ChatLine } from '../../generated/prisma/client.ts';
import { type ChatLineSecretKind, chatLineSecretSealContext } from '../../rules/chat/lineSecret.ts';
import { type SecretBox, secretBoxOf } from '../../lib/secretBox.ts';

/** Seals credentials of chat lines; each belongs to its line. `secret`: `SECRET_KEY`. */
export const chatSecretBox = (secret: string): SecretBox => secretBoxOf(secret, 'chat lines');

/** Seals credentials of lines, and says whether those of a line can be opened; what is empty stays so. */
export const chatLineSecretSealer = (box: SecretBox) => ({
  seal: (account: number, line: number, secret: ChatLineSecretKind, text: string): string =>
    text === '' ? '' : box.seal(text, chatLineSecretSealContext(account, line, secret)),
  opens: ({ account_id: account, id, api_key, app_secret, verify_token }: ChatLine): boolean => {
    const sealed: [ChatLineSecretKind, string][] = [
      ['apiKey', api_key],
      ['appSecret', app_secret],
      ['verifyToken', verify_token],
    ];
    try {
      for (const [secret, text] of sealed)
        if (text) box.open(text, chatLineSecretSealContext(account, id, secret));
      return true;
    } catch {
      return false;
    }
  },
});
