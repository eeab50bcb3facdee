/** What upstream says of a template now (spec 4.17). */
import * as z from 'zod';
import type { TemplateRow } from '../../store/reads/templates/templates.ts';
import {
  type RequestContext,
  emptyObjectSchema,
  defineOperation,
  type OperationSuccess,
} from '../declare.ts';
import { decimalDigitsSchema } from '../../wire/shapes.ts';
import { askTemplateMachine } from './askTemplateMachine.ts';
import {
  findActiveMsgappLine,
  upstreamErrorFieldSchema,
  missingLineCredential,
  lineIdParam,
  templateOperationErrors,
  findTemplateOfLineById,
  templateParam,
} from './findLineAndTemplate.ts';
import type { TemplateRequestAnswer } from '../../../machines/template/context.ts';
import { defineParams } from '../param.ts';
import type { Refused } from '../refused.ts';

const checkParams = defineParams({
  template: templateParam,
  line: lineIdParam,
});

const checkErrors = {
  ...templateOperationErrors,
  noLine: { code: '236', text: 'v8l_id is missing or no number' },
  notSubmitted: { code: '239', text: 'the template was not submitted yet' },
  upstream: { code: '260', text: 'upstream error' },
} as const;

type CheckRequestContext = RequestContext<typeof checkParams, typeof checkErrors>;

const standing = {
  meta_template_id: z.string().describe('The upstream’s id.'),
  meta_status: z.string().describe('PENDING, APPROVED, REJECTED, or another word of the upstream.'),
  previous_status: z.string().describe('What the caller was told last.'),
  status_changed: z.boolean().describe('meta_status is another one than previous_status.'),
  meta_name: z.string().describe('Name of the template.'),
};

const nothing = {
  meta_template_id: '0',
  meta_status: '',
  previous_status: '',
  status_changed: false,
  meta_name: '',
};

export const CheckTemplateStatusOperation = defineOperation({
  name: 'CheckTemplateStatus',
  section: '4.17',
  topic: 'templates',
  summary: 'Read the upstream status of a submitted template.',
  permission: 'msgapp',
  creates: false,
  params: checkParams,
  errors: checkErrors,
  answer: {
    fields: z.object({ template_id: decimalDigitsSchema('Template id.'), result: z.object(standing) }),
    beside: emptyObjectSchema,
    failed: z.object({
      template_id: decimalDigitsSchema('Template id; 0: none was found.'),
      result: z.object({ ...standing, error_message: upstreamErrorFieldSchema }),
    }),
  },
  failure: { fields: { template_id: '0', result: nothing }, beside: {} },
  example: {
    request: { tsid: 'DEMO0token0DEMO0token0DEMO0tok', template_id: 4, v8l_id: 1 },
    response: {
      return: {
        status: 'OK', status_code: '0', template_id: '4',
        result: {
          meta_template_id: '1234567890123456', meta_status: 'APPROVED', previous_status: 'PENDING',
          status_changed: true, meta_name: 'order_ready',
        },
      },
    },
  }, // prettier-ignore

  async handle(ctx) {
    const { account, services, refuse } = ctx;
    const { row } = await subjectOf(ctx);
    const ref = { shard: account.shard, account: account.id, id: row.id };
    const heard = await askTemplateMachine(services.engine, ref, { type: 'check' });
    if (heard.outcome === 'gone') return refuse('unknownTemplate');
    if (heard.outcome === 'late') return failed(ctx, row, 'upstream has not answered yet; ask again');
    return answered(ctx, row, heard.answer);
  },
});

const subjectOf = async (ctx: CheckRequestContext) => {
  const { account, params, services, refuse } = ctx;
  if (params.template === undefined) throw refuse('noTemplateId');
  if (params.line === undefined) throw refuse('noLine');
  const line = await findActiveMsgappLine(ctx, params.line);
  if (!line) throw refuse('unknownLine');
  const lack = missingLineCredential(line);
  if (lack) throw refuse(lack);
  const row = await findTemplateOfLineById(services, account, params.line, params.template);
  if (!row) throw refuse('unknownTemplate');
  return { row };
};

const answered = (
  ctx: CheckRequestContext,
  row: TemplateRow,
  answer: TemplateRequestAnswer,
): OperationSuccess | Refused => {
  const { why, text, status, previous, upstreamId, name } = answer;
  if (why === 'notSubmitted') {
    const doubt = row.state === 'submitting' ? 'upstream has not confirmed the template yet' : undefined;
    return ctx.refuse('notSubmitted', doubt, { template_id: String(row.id) });
  }
  if (why !== undefined) return failed(ctx, row, text);
  const result = {
    meta_template_id: upstreamId,
    meta_status: status,
    previous_status: previous,
    status_changed: status !== previous,
    meta_name: name,
  };
  return { fields: { template_id: String(row.id), result } };
};

/** What is known stays in the answer; nothing has changed. */
const failed = ({ refuse }: CheckRequestContext, row: TemplateRow, message: string): Refused =>
  refuse('upstream', `upstream error: ${message}`, {
    template_id: String(row.id),
    result: {
      meta_template_id: row.upstream_id,
      meta_status: row.status,
      previous_status: row.told_status,
      status_changed: false,
      meta_name: row.name,
      error_message: message,
    },
  });
