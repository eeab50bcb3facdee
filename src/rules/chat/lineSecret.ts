/** What is secret of a chat line, and what each is sealed with, so that none can be moved to another line or use. */

export type ChatLineSecret = 'apiKey' | 'appSecret' | 'verifyToken';

export const lineSecretAbout = (account: number, line: number, secret: ChatLineSecret): string =>
  `chat line ${account}.${line} ${secret}`;
