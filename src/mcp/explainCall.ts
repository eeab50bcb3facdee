/** Why a call is where it is, or how it ended, in sentences that an assistant can act on. */
import * as z from 'zod';
import { text } from '../operations/parameterValueSchemas.ts';
import { readCallId, writeCallId } from '../wire/callId.ts';
import { explanationLanguageParam, type ExplainAndForecastService } from './explainAndForecastContract.ts';
import { toolSuccess, customTool } from './defineCustomTool.ts';
import { toolFailure, type Tool } from './tool.ts';
import { defineParams } from '../operations/param.ts';

const answer = z.object({
  cd_id: z.string(),
  cd_status: z.string().describe('Empty until it has ended.'),
  dest: z.string(),
  ended: z.boolean(),
  attempts: z.int().describe('Times it was dialled.'),
  explanation: z.array(z.string()).describe('What happened, in order.'),
  next: z.string().describe('What to do, or what to wait for.'),
  time_zone: z.string().describe('Of all moments here.'),
});

const explainParams = defineParams({
  callId: {
    rest: 'cd_id',
    tool: 'cd_id',
    schema: text(40).optional(),
    description: 'The call, <cdcs_db>_<numeric>, as make_tts_call and get_call_status give it.',
  },
  language: explanationLanguageParam,
});

export const explainCallTool = ({ call }: Pick<ExplainAndForecastService, 'call'>): Tool =>
  customTool({
    name: 'explain_call',
    title: 'Explain a call',
    description:
      'Why one call is where it is or ended so: what the carrier said, which rule stopped it or put it off,' +
      ' when it dials next; next says what to do. Changes nothing. 404: no such call.',
    permission: 'telephony',
    effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    params: explainParams,
    requires: ['callId'],
    answer,
    example: { cd_id: 'a_741205934080' },
    async handle({ callId: written = '', language }, { caller: { account } }) {
      const named = readCallId(written, account.shard);
      const insight = named?.shard === account.shard ? await call(account, named.id, language) : undefined;
      if (!named || !insight)
        return toolFailure(
          404,
          `cd_id ${written} is not a call of this account: get_call_status lists those`,
        );
      return toolSuccess({
        cd_id: writeCallId(account.shard, named.id),
        cd_status: insight.status,
        dest: insight.destination,
        ended: insight.ended,
        attempts: insight.attempts,
        explanation: insight.sentences,
        next: insight.next,
        time_zone: account.time_zone,
      });
    },
  });
