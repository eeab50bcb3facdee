/** Credentials of SMS routes, sealed at rest. */
import { NotRetryable } from '../../engine/contract/performer.ts';
import { type SecretBox, secretBoxOf } from '../../lib/secretBox.ts';
import type { SmsRouteRow } from '../reads/sms/smsRoutesAndSubmittedSms.ts';

/** What a route's secret belongs to (`lib/secretBox.ts`). */
export const smsRouteSecretSealContext = (account: number, route: number): string =>
  `sms route ${account}/${route}`;

/** Seals credentials of routes. `secret`: `SECRET_KEY`. */
export const routeSecretBox = (secret: string): SecretBox => secretBoxOf(secret, 'sms routes');

/** The secret as it is used; empty: it has none. Throws `NotRetryable` for what another key sealed. */
export const openRouteSecret = (
  box: SecretBox,
  { account, id }: Omit<SmsRouteRow, 'secret'>,
  secret: string,
): string => {
  if (secret === '') return '';
  try {
    return box.open(secret, smsRouteSecretSealContext(account, id));
  } catch (cause) {
    const sentence = `the credentials of SMS route ${id} cannot be opened: set them again`;
    throw new NotRetryable('routeBroken', sentence, { cause });
  }
};
