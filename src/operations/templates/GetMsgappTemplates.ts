/** The approved templates of a line (spec 4.19). */
import * as z from 'zod';
import { approvedChatLineTemplates } from '../../store/reads/templates/templates.ts';
import { templateRecordSchema, formatTemplateRecord } from '../../wire/templateRecord.ts';
import { emptyObjectSchema, defineOperation } from '../declare.ts';
import { findActiveMsgappLine, anId } from './findLineAndTemplate.ts';
import { defineParams } from '../param.ts';

export const GetMsgappTemplatesOperation = defineOperation({
  name: 'GetMsgappTemplates',
  section: '4.19',
  topic: 'templates',
  summary: 'The approved templates of a line.',
  permission: 'msgapp',
  creates: false,
  params: defineParams({
    line: {
      rest: 'app_id',
      tool: 'app_id',
      required: true,
      aliases: ['v8l_id'],
      schema: anId(),
      refusedAs: 'unknownLine',
      description: 'Active Msgapp line of the account.',
    },
  }),
  errors: {
    noLine: { code: '201', text: 'app_id is missing' },
    unknownLine: { code: '202', text: 'app_id is not an active Msgapp line of the account', absent: true },
  },
  answer: { fields: emptyObjectSchema, beside: z.object({ templates: z.array(templateRecordSchema) }) },
  tools: [
    {
      name: 'get_msgapp_templates',
      title: 'List the approved templates of a line',
      description:
        'Templates that send_msgapp may send by a line, with their placeholders. Changes nothing. 202: no such' +
        ' active line.',
      effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
      requires: { line: 'noLine' },
      example: { app_id: 1 },
    },
  ],
  failure: { fields: {}, beside: { templates: [] } },
  example: {
    request: { tsid: 'DEMO0token0DEMO0token0DEMO0tok', app_id: 1 },
    response: {
      return: { status: 'OK', status_code: '0' },
      templates: [
        {
          cwt_id: 4, cwt_name: 'order_ready', cwt_category: 'UTILITY', cwt_language: 'pt_BR',
          cwt_status: 'APPROVED', cwt_body_text: 'Olá {{1}}, o seu pedido está pronto.', cwt_header_type: '',
          cwt_header_text: '', cwt_footer_text: '', cwt_variables_examples: '{"body_text":["Ana"]}',
          cwt_button_type: '', cwt_button_config: '',
        },
      ],
    },
  }, // prettier-ignore

  async handle(ctx) {
    const { account, params, services, refuse } = ctx;
    if (params.line === undefined) return refuse('noLine');
    const line = await findActiveMsgappLine(ctx, params.line);
    if (!line) return refuse('unknownLine');
    const rows = await approvedChatLineTemplates(services.database(account.shard), account.id, line.id);
    return { beside: { templates: rows.map(formatTemplateRecord) } };
  },
});
