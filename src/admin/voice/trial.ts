/** A text spoken on trial, to be heard at once: nothing is kept of it but the sound, as long as that is used. */
import * as z from 'zod';
import { ofAccount } from '../accounts/ofAccount.ts';
import { route } from '../declare.ts';
import { text } from '../fields.ts';
import { AdminError } from '../respond.ts';

const trial = z.strictObject({
  text: text(1_000).min(1),
  voice: text(200)
    .optional()
    .describe('`provider|name`, as the list of voices has them; empty: the usual one.'),
  rate: z.int().min(-6).max(6).default(0).describe('How fast: -6 to 6.'),
});

export const voiceTrialRoutes = {
  'POST /accounts/:account/voices/try': route({
    role: 'admin',
    summary: 'Speaks a text with a voice of the account, to be heard at once.',
    scope: ofAccount,
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
    handle: async ({ door, account, body: { text: words, voice = '', rate } }) => {
      const spoken = await door.speak(account, { text: words, voice, rate });
      switch (spoken.outcome) {
        case 'spoken':
          return { url: spoken.url, seconds: spoken.seconds, voice: spoken.voice };
        case 'noVoice':
          throw new AdminError(409, `voice: the account may name none called ${voice}`, { field: 'voice' });
        case 'refused':
        case 'away':
          throw new AdminError(409, `text: ${spoken.why}`, { field: 'text' });
      }
    },
  }),
};
