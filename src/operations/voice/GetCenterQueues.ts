/** The active contact-centre queues of the account, sorted by name (spec 4.11). */
import * as z from 'zod';
import { isTransientDatabaseError } from '../../store/transientError.ts';
import { activeQueues, type ContactCenterQueueRow } from '../../store/reads/voice/queues.ts';
import { queueRecordSchema, formatQueueRecord } from '../../wire/queueRecord.ts';
import { type RequestContext, emptyObjectSchema, defineOperation } from '../declare.ts';
import { type ParamDeclarations, defineParams } from '../param.ts';
import type { DeclaredErrors } from '../refused.ts';

const queuesErrors = {
  queryFailed: { code: '240', text: 'the queues could not be read', http: 500 },
} as const satisfies DeclaredErrors;

/** As people sort: letters with and without accents together, whatever their case. */
const alphabet = new Intl.Collator('pt-BR');

export const GetCenterQueuesOperation = defineOperation({
  name: 'GetCenterQueues',
  section: '4.11',
  topic: 'queues',
  summary: 'The active contact-centre queues, sorted by name.',
  permission: 'telephony',
  creates: false,
  params: defineParams({}),
  errors: queuesErrors,
  answer: { fields: emptyObjectSchema, beside: z.object({ queues: z.array(queueRecordSchema) }) },
  tools: [
    {
      name: 'get_center_queues',
      title: 'List the queues',
      description:
        'Active queues, by name: queue_id for create_campaign, FI<queue_id> as dest2 of make_tts_call. Changes' +
        ' nothing.',
      effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      example: {},
    },
  ],
  failure: { fields: {}, beside: { queues: [] } },
  example: {
    request: { tsid: 'DEMO0token0DEMO0token0DEMO0tok' },
    response: {
      return: { status: 'OK', status_code: '0' },
      queues: [
        {
          queue_id: 2, name: 'Sales', type: 'ch', type_description: 'Chat', description: 'New customers',
          active: true, created_date: '2026-11-20', ai_tutor: { id: 4, name: 'Coach' },
          ai_chatbot: { id: 0, name: '' },
          buttons: {
            button_1: 'Sold', button_2: 'Call back', button_3: '', button_4: '',
            button_5: '', button_6: '', button_7: '', button_8: '',
          },
          dropdowns: { dropdown_1: ['North', 'South'], dropdown_2: [] },
          templates: ['4'],
        },
      ],
    },
  }, // prettier-ignore

  async handle(ctx) {
    const rows = await readQueues(ctx);
    const sorted = rows.toSorted((one, other) => alphabet.compare(one.name, other.name) || one.id - other.id);
    const zone = ctx.account.time_zone;
    return { beside: { queues: sorted.map((queue) => formatQueueRecord(queue, zone)) } };
  },
});

/** A query that fails although the database is available is answered 240, and is logged as a fault of ours. */
const readQueues = async ({
  account,
  services,
  refuse,
}: RequestContext<ParamDeclarations, typeof queuesErrors>): Promise<ContactCenterQueueRow[]> => {
  try {
    return await activeQueues(services.database(account.shard), account.id);
  } catch (error) {
    if (isTransientDatabaseError(error)) throw error;
    services.log.error({ err: error, account: account.id }, 'the queues could not be read');
    throw refuse('queryFailed');
  }
};
