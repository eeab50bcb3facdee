/** The voices an account may name (spec 4.10): those for all accounts, and its own. */
import * as z from 'zod';
import { speechVoiceRecordSchema, formatSpeechVoiceRecord } from '../../wire/speechVoiceRecord.ts';
import { emptyObjectSchema, defineOperation } from '../declare.ts';
import { defineParams } from '../param.ts';
import type { DeclaredErrors } from '../refused.ts';

/** Only the codes that every operation shares (spec 7). */
const voicesErrors = {} as const satisfies DeclaredErrors;

export const GetTTSVoicesOperation = defineOperation({
  name: 'GetTTSVoices',
  section: '4.10',
  topic: 'audio',
  summary: 'The voices that may be named; MakeTTSCall refuses those of third parties.',
  permission: 'telephony',
  creates: false,
  params: defineParams({}),
  errors: voicesErrors,
  answer: { fields: emptyObjectSchema, beside: z.object({ voices: z.array(speechVoiceRecordSchema) }) },
  tools: [
    {
      name: 'get_tts_voices',
      title: 'List the voices',
      description:
        'Voices; cdwv_name is what voice takes. Changes nothing. make_tts_call refuses those of third parties' +
        ' (210).',
      effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      example: {},
    },
  ],
  failure: { fields: {}, beside: { voices: [] } },
  example: {
    request: { tsid: 'DEMO0token0DEMO0token0DEMO0tok' },
    response: {
      return: { status: 'OK', status_code: '0' },
      voices: [
        {
          cdwv_id: 1, cdwv_name: 'Espeak|pt-br', cdwv_tit: 'Portuguese (Brazil)', cdwv_short: 'pt-br',
          cdwv_type: 'tts', cdwv_language: 'pt-BR', cdwv_genre: 'M', cdwv_company: 'Espeak',
          cdwv_sample: 'http://localhost:8080/media/0/voice-1.mp3?e=1766361600000&s=Xb7cQyq0',
        },
      ],
    },
  }, // prettier-ignore

  async handle({ account, services }) {
    const voices = await services.voicesOf(account.id);
    return { beside: { voices: voices.map(formatSpeechVoiceRecord) } };
  },
});
