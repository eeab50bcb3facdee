/** A text spoken on trial, to be heard at once: nothing is kept of it but the sound, as long as that is used. */
import * as z from 'zod';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute } from '../routeDeclaration.ts';
import { text } from '../fieldSchemas.ts';
import { AdminError } from '../adminErrorsAndRequestParsing.ts';
import { requireVoice } from './requireVoice.ts';

const trial = z.strictObject({
  text: text(1_000).min(1),
  voice: text(200)
    .optional()
    .describe('`provider|name`, as the list of voices has them; empty: the usual one.'),
  rate: z.int().min(-6).max(6).default(0).describe('How fast: -6 to 6.'),
});

export const voiceTrialRoutes = {
  'POST /accounts/:account/voices/try': defineRoute({
    role: 'admin',
    summary: 'Speaks a text with a voice of the account, to be heard at once.',
    scope: accountInPath,
    body: trial,
    answer: z.object({
      url: z.string().describe('Where it can be heard.'),
      seconds: z.number(),
      voice: z.string().describe('The full name of who spoke.'),
    }),
    refuses: { 409: 'The text or the voice cannot be spoken.' },
    example: {
      body: { text: 'Olá, esta é uma mensagem.' },
      answer: { url: 'http://localhost:8080/media/3/spoken.wav', seconds: 2.3, voice: 'Espeak|pt-br' },
    },
    handle: async ({
      deps: { services },
      account: { id: account },
      body: { text: words, voice: named = '', rate },
    }) => {
      const voice = await requireVoice({ services }, account, named);
      const spoken = await services.speak(account, { text: words, voice, rate });
      if (spoken.outcome !== 'spoken') throw new AdminError(409, `text: ${spoken.why}`, { field: 'text' });
      return { url: services.mediaUrl(account, spoken.media), seconds: spoken.seconds, voice };
    },
  }),
};
