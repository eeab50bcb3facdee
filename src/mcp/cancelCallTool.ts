/** Calls off a call of the account that has not ended. */
import * as z from 'zod';
import { text } from '../operations/parameterValueSchemas.ts';
import type { Services } from '../operations/services.ts';
import { readMachineRecord } from '../store/reads/machines/machines.ts';
import { readCallId, writeCallId } from '../wire/callId.ts';
import { toolSuccess, customTool } from './defineCustomTool.ts';
import { toolFailure, type Tool } from './tool.ts';
import { defineParams } from '../operations/param.ts';

const answer = z.object({ cd_id: z.string(), message: z.string().describe('What happens now.') });

const cancelParams = defineParams({
  callId: { rest: 'cd_id', tool: 'cd_id', schema: text(40).optional(), description: 'The call.' },
});

export const cancelCallTool = ({ database, engine }: Pick<Services, 'database' | 'engine'>): Tool =>
  customTool({
    name: 'cancel_call',
    title: 'Cancel a call',
    description:
      'Calls off one call: it is not dialled any more, and hung up if it goes on; talk so far is charged. It cannot be' +
      ' undone. 404: no such call. 409: it has ended.',
    permission: 'telephony',
    effects: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
    params: cancelParams,
    requires: ['callId'],
    answer,
    example: { cd_id: 'a_741205934080' },
    async handle({ callId: written = '' }, { caller: { account } }) {
      const named = readCallId(written, account.shard);
      const own = named?.shard === account.shard ? named : undefined;
      // The record first: an id that is no call of the account must reach no other machine of it.
      const record = own && (await readMachineRecord(database(account.shard), 'calls', account.id, own.id));
      if (!own || !record)
        return toolFailure(
          404,
          `cd_id ${written} is not a call of this account: get_call_status lists those`,
        );
      const cd_id = writeCallId(account.shard, own.id);
      const ref = { shard: account.shard, account: account.id, id: own.id };
      // A machine that has only its callbacks left would take the event, and do nothing.
      const sent = record['finished'] !== true && (await engine.send(ref, { type: 'cancel' }));
      if (!sent || sent.outcome === 'gone')
        return toolFailure(409, `call ${cd_id} has ended: explain_call tells how`);
      return toolSuccess({
        cd_id,
        message: 'It is called off. get_call_status tells in a moment how it ended.',
      });
    },
  });
