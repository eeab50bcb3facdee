/** Delete a template: upstream, here, or in both places (spec 4.18, 3.1). */
import * as z from 'zod';
import type { TemplateDeleteLocation } from '../../../machines/contracts/template.ts';
import { isTransientDatabaseError } from '../../store/transientError.ts';
import type { TemplateRow } from '../../store/reads/templates/templates.ts';
import {
  type RequestContext,
  emptyObjectSchema,
  defineOperation,
  type OperationSuccess,
} from '../declare.ts';
import { wordChoiceSchema } from '../parameterValueSchemas.ts';
import { countSchema, decimalDigitsSchema } from '../../wire/shapes.ts';
import { askTemplateMachine, type AskTemplateMachineResult } from './askTemplateMachine.ts';
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

const deleteParams = defineParams({
  template: templateParam,
  line: lineIdParam,
  mode: {
    rest: 'delete_mode',
    schema: wordChoiceSchema(['meta_only', 'local_only', 'both']).default('meta_only'),
    description:
      'meta_only deletes it upstream and keeps the row as DELETED, local_only removes the row only, both does both.',
  },
});

const deleteErrors = {
  ...templateOperationErrors,
  noLine: { code: '236', text: 'v8l_id is missing or no number' },
  notSubmitted: { code: '239', text: 'the template was not submitted: use local_only' },
  upstream: { code: '260', text: 'upstream did not delete it' },
  database: { code: '270', text: 'the database failed while it was deleted' },
} as const;

type DeleteRequestContext = RequestContext<typeof deleteParams, typeof deleteErrors>;
type Mode = DeleteRequestContext['params']['mode'];

const modes: Readonly<Record<Mode, TemplateDeleteLocation>> = {
  meta_only: 'upstream',
  local_only: 'local',
  both: 'both',
};

const messages: Readonly<Record<Mode, string>> = {
  meta_only: 'deleted upstream; the row is kept as DELETED',
  local_only: 'deleted here; nothing was sent upstream',
  both: 'deleted upstream and here',
};

const deletion = {
  template_id: countSchema('Template id; 0: none was found.'),
  meta_template_id: z.string().describe('The upstream’s id.'),
  template_name: z.string().describe('Name of the template.'),
  message: z.string().describe('What was done.'),
};
const oneMode = z.enum(['meta_only', 'local_only', 'both']).describe('As it was asked.');

export const DeleteMsgappTemplateOperation = defineOperation({
  name: 'DeleteMsgappTemplate',
  section: '4.18',
  topic: 'templates',
  summary: 'Delete a template upstream, here, or in both places.',
  permission: 'msgapp',
  creates: false,
  params: deleteParams,
  errors: deleteErrors,
  answer: {
    fields: z.object({
      template_id: decimalDigitsSchema('Template id.'),
      result: z.object({ ...deletion, delete_mode: oneMode, deleted: z.literal(true) }),
    }),
    beside: emptyObjectSchema,
    failed: z.object({
      template_id: decimalDigitsSchema('Template id; 0: none was found.'),
      result: z.object({
        ...deletion,
        delete_mode: z.union([oneMode, z.literal('')]),
        deleted: z.literal(false),
        error_message: upstreamErrorFieldSchema,
      }),
    }),
  },
  failure: {
    fields: {
      template_id: '0',
      result: {
        template_id: 0, meta_template_id: '0', template_name: '', deleted: false, delete_mode: '', message: '',
      },
    },
    beside: {},
  }, // prettier-ignore
  example: {
    request: {
      tsid: 'DEMO0token0DEMO0token0DEMO0tok', template_id: 5, v8l_id: 1, delete_mode: 'both',
    },
    response: {
      return: {
        status: 'OK', status_code: '0', template_id: '5',
        result: {
          template_id: 5, meta_template_id: '1234567890123456', template_name: 'order_late', deleted: true,
          delete_mode: 'both', message: 'deleted upstream and here',
        },
      },
    },
  }, // prettier-ignore

  async handle(ctx) {
    const row = await subjectOf(ctx);
    const heard = await wishFor(ctx, row);
    if (heard.outcome === 'gone') return ctx.refuse('unknownTemplate');
    if (heard.outcome === 'late') return failed(ctx, row, 'upstream has not answered yet; it goes on');
    return answered(ctx, row, heard.answer);
  },
});

const subjectOf = async (ctx: DeleteRequestContext): Promise<TemplateRow> => {
  const { account, params, services, refuse } = ctx;
  if (params.template === undefined) throw refuse('noTemplateId');
  if (params.line === undefined) throw refuse('noLine');
  const line = await findActiveMsgappLine(ctx, params.line);
  if (!line) throw refuse('unknownLine');
  const lack = params.mode === 'local_only' ? undefined : missingLineCredential(line);
  if (lack) throw refuse(lack);
  const row = await findTemplateOfLineById(services, account, params.line, params.template);
  if (!row) throw refuse('unknownTemplate');
  return row;
};

/** Once it is asked for, a database that is away leaves the caller in the dark: upstream may have deleted it. */
const wishFor = async (ctx: DeleteRequestContext, row: TemplateRow): Promise<AskTemplateMachineResult> => {
  const { account, services, params } = ctx;
  const ref = { shard: account.shard, account: account.id, id: row.id };
  try {
    return await askTemplateMachine(services.engine, ref, { type: 'delete', mode: modes[params.mode] });
  } catch (error) {
    if (!isTransientDatabaseError(error)) throw error;
    const text = 'the database failed while it was deleted; upstream may have deleted it: check its status';
    throw ctx.refuse('database', text, { template_id: String(row.id), result: resultOf(ctx, row, text) });
  }
};

const answered = (
  ctx: DeleteRequestContext,
  row: TemplateRow,
  { why, text }: TemplateRequestAnswer,
): OperationSuccess | Refused => {
  const { mode } = ctx.params;
  const fields = { template_id: String(row.id) };
  if (why === 'notSubmitted')
    return ctx.refuse('notSubmitted', undefined, { ...fields, result: resultOf(ctx, row, text) });
  if (why !== undefined) return failed(ctx, row, text);
  const deleted = { meta_template_id: row.upstream_id, deleted: true };
  return { fields: { ...fields, result: { ...resultOf(ctx, row, messages[mode]), ...deleted } } };
};

const failed = (ctx: DeleteRequestContext, row: TemplateRow, text: string): Refused =>
  ctx.refuse('upstream', `upstream did not delete it: ${text}`, {
    template_id: String(row.id),
    result: { ...resultOf(ctx, row, text), error_message: text },
  });

/** Of a failure, which keeps id keys as `0`. */
const resultOf = ({ params: { mode } }: DeleteRequestContext, row: TemplateRow, message: string) => ({
  template_id: row.id,
  meta_template_id: row.upstream_id || '0',
  template_name: row.name,
  deleted: false,
  delete_mode: mode,
  message,
});
