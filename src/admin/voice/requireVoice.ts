/** A voice that an account may name. */
import { AdminError } from '../adminErrorsAndRequestParsing.ts';
import type { AdminDeps } from '../deps.ts';

/** The full name of a voice; `named` empty: of the usual one. Throws a 409 where it cannot be spoken. */
export const requireVoice = async (
  { services }: Pick<AdminDeps, 'services'>,
  account: number,
  named: string,
): Promise<string> => {
  const voice = await services.voiceNamed(account, named);
  if (voice !== undefined) return voice;
  if (services.cannotSpeak !== undefined)
    throw new AdminError(409, `text: ${services.cannotSpeak}`, { field: 'text' });
  throw new AdminError(409, `voice: the account may name none called ${named}`, { field: 'voice' });
};
