/** Place one outbound voice call (spec 4.2). Its parameters and codes, and what they mean for the call, are in `callInput/`. */
import * as z from 'zod';
import type { CallInput } from '../../../machines/call/input.ts';
import { allPromptTextSlotNumbers } from '../../rules/voice/promptSlots.ts';
import { callParameterModes } from './callInput/paramEffectByCallType.ts';
import { refuseUsedCorrelationId, startCall, respondOnceCallAudioReady } from './callInput/startCall.ts';
import { readCallRequest } from './callInput/read.ts';
import type { CallRequestFacts } from './callInput/paramAppliesPredicates.ts';
import { emptyObjectSchema, defineOperation, type OperationSuccess } from '../declare.ts';
import { replayedAnswer } from '../idempotency.ts';
import { Refused } from '../refused.ts';
import { callParams, callErrors, type CallRequestContext } from './callInput/params.ts';

/** Whatever is given of these is something to say. */
const contentNames = [
  'text',
  ...allPromptTextSlotNumbers.map((n) => `text${n}`),
  'content',
  'nome',
  'extra1',
  'extra2',
  'extra3',
  'extra4',
  'cod_cli',
];

export const MakeTTSCallOperation = defineOperation({
  name: 'MakeTTSCall',
  section: '4.2',
  topic: 'calls',
  summary: 'Place one outbound voice call with synthesized speech or recorded audio.',
  permission: 'telephony',
  creates: true,
  params: callParams,
  modes: callParameterModes,
  needs: contentNames,
  errors: callErrors,
  answer: {
    fields: z.object({ cd_id: z.string().describe('Call id, `<cdcs_db>_<numeric>`.') }),
    beside: emptyObjectSchema,
    failed: z.object({
      cd_id: z.literal('0'),
      errodet: z.string().optional().describe('Code 250: what placing it came to.'),
    }),
  },
  tools: [
    {
      name: 'make_tts_call',
      title: 'Call a person',
      description:
        'Rings one telephone and speaks a text or plays an audio; may ask for keys, transfer and record. A' +
        ' person is called and answered minutes are charged: be sure of number and words. It answers when the' +
        ' call is placed: get_call_status tells how it ended. For many numbers make a campaign. 230: outside the' +
        ' calling hours; use block. 244: placed seconds ago; do not repeat.',
      effects: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
      requires: { destination: 'badDestination' },
      done: ({ cd_id }) =>
        `The call is placed. get_call_status with cd_id ${String(cd_id)} tells how it ended.`,
      example: { dest: '11987650000', text: 'Olá <NOME>', nome: 'Ana', ctid: 'order-17' },
    },
  ],
  failure: { fields: { cd_id: '0' }, beside: {} },
  example: {
    request: {
      tsid: 'DEMO0token0DEMO0token0DEMO0tok',
      dest: '11987650000',
      text: 'Olá <NOME>',
      nome: 'Ana',
    },
    response: { return: { status: 'OK', status_code: '0', cd_id: 'a_741205934080' } },
  },

  async handle(ctx) {
    const before = await replayedAnswer('MakeTTSCall', ctx);
    const placed = before ? await respondOnceCallAudioReady(ctx, before, true) : await placeAnew(ctx);
    if (ctx.services.callsInSandbox && !(placed instanceof Refused)) ctx.inSandbox();
    return placed;
  },
});

const placeAnew = async (ctx: CallRequestContext): Promise<OperationSuccess | Refused> => {
  const input = await readCallRequest(ctx);
  warnOfIdle(ctx, input);
  await refuseUsedCorrelationId(ctx);
  return startCall(ctx, input);
};

const warnOfIdle = ({ params, inMode }: CallRequestContext, call: CallInput): void => {
  const seen: CallRequestFacts = { params, call };
  inMode(params.type, seen);
};
