/** Send one SMS (spec 4.12). Its parameters and codes are in `params.ts`, the account's rules in `startSms.ts`. */
import * as z from 'zod';
import { decimalDigitsSchema } from '../../wire/shapes.ts';
import { emptyObjectSchema, defineOperation } from '../declare.ts';
import { readSmsRequest } from './readSmsRequest.ts';
import { answerSentSms, startSmsMessage, replayedSms } from './startSmsAndAnswer.ts';
import { smsParams, makeSmsErrors } from './params.ts';

export const MakeSMSOperation = defineOperation({
  name: 'MakeSMS',
  section: '4.12',
  topic: 'sms',
  summary: 'Send one SMS, and tell what the provider said to it.',
  permission: 'sms',
  creates: true,
  params: smsParams,
  errors: makeSmsErrors,
  answer: {
    fields: z.object({ cdls_id: decimalDigitsSchema('Id in the message log.') }),
    beside: emptyObjectSchema,
    mayWait: true,
  },
  failure: { fields: { cdls_id: '0' }, beside: {} },
  tools: [
    {
      name: 'send_sms',
      title: 'Send an SMS',
      description:
        'Sends one SMS to one mobile number, now; it cannot be called back. Each message is charged (long or' +
        ' accented texts may count as several), and given back when the provider refuses. WR: it goes on by' +
        ' itself, do not send it again; get_message_status tells. 244: sent seconds ago. 250: the balance is used' +
        ' up. 260: the number is on a block list.',
      effects: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
      requires: { destination: 'noDestination', message: 'noText' },
      done: ({ status }) =>
        status === 'OK'
          ? 'The provider has taken the message.'
          : 'The message is recorded and on its way; the provider has not answered yet. Do not send it again.',
      example: { dest: '11987650000', text: 'Your order is on its way' },
    },
  ],
  example: {
    request: {
      tsid: 'DEMO0token0DEMO0token0DEMO0tok',
      dest: '11987650000',
      message: 'Your order is on its way',
      ctid: 'order-17',
    },
    response: { return: { status: 'OK', status_code: '0', cdls_id: '746511306801152' } },
  },

  async handle(ctx) {
    const before = await replayedSms(ctx);
    if (before) return answerSentSms(ctx, before);
    return answerSentSms(ctx, await startSmsMessage(ctx, readSmsRequest(ctx)));
  },
});
