/** What is secret of a chat line, and what each is sealed with, so that none can be moved to another line or use. */

export type ChatLineSecretKind = 'apiKey' | 'appSecret' | 'verifyToken';

export const chatLineSecretSealContext = (
  account: number,
  line: number,
  secret: ChatLineSecretKind,
): string => `chat line ${account}.${line} ${secret}`;
