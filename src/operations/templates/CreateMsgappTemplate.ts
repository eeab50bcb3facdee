/** Submit a stored template for approval (spec 4.16). The payload is built in `src/rules/templates`. */
import * as z from 'zod';
import type { ChatSenderLine } from '../../providers/contracts/chat.ts';
import type { MachineRef } from '../../engine/contract/api.ts';
import { type TemplateFaultCode, TemplateFault } from '../../rules/templates/definition.ts';
import { type TemplatePayloadJson, buildTemplateSubmissionJson } from '../../rules/templates/payload.ts';
import { storeIdempotentAnswer } from '../../store/idempotencyKeyClaims.ts';
import {
  findTemplateById,
  findTemplateMediaFileUrl,
  type TemplateRow,
} from '../../store/reads/templates/templates.ts';
import { decimalDigitsSchema } from '../../wire/shapes.ts';
import { templateDefinitionOfRow } from '../../wire/templateRecord.ts';
import {
  type RequestContext,
  emptyObjectSchema,
  defineOperation,
  type OperationSuccess,
} from '../declare.ts';
import { wordChoiceSchema } from '../parameterValueSchemas.ts';
import { replayedAnswer, digest, buildIdempotencyClaims, idempotencyErrors } from '../idempotency.ts';
import { askTemplateMachine, firstUnrefusedTemplateRequestName } from './askTemplateMachine.ts';
import {
  findActiveMsgappLine,
  anId,
  missingLineCredential,
  templateOperationErrors,
  templateParam,
} from './findLineAndTemplate.ts';
import type { TemplateRequestAnswer } from '../../../machines/template/context.ts';
import { defineParams } from '../param.ts';
import type { Refused } from '../refused.ts';

const createParams = defineParams({
  template: templateParam,
  line: {
    rest: 'app_id',
    required: true,
    aliases: ['v8l_id'],
    schema: anId(),
    refusedAs: 'noLine',
    description: 'Line whose business account it goes to, with provider cloud.',
  },
  action: {
    rest: 'action',
    required: true,
    schema: wordChoiceSchema(['create']).optional(),
    description: '`create`.',
  },
  media: {
    rest: 'cwm_id',
    schema: anId(),
    description:
      'Media file; its address stands in the place of the upload handle in cwt_meta_json_with_urls only.',
  },
});

/** The codes of what a template lacks (`TemplateFault`). */
const faults = {
  noName: { code: '240', text: 'cwt_name is empty' },
  noCategory: { code: '241', text: 'cwt_category is empty' },
  noLanguage: { code: '242', text: 'cwt_language is empty' },
  noBody: { code: '243', text: 'cwt_body_text is empty' },
  notEncodable: { code: '245', text: 'the payload cannot be written as JSON' },
  noExamples: { code: '247', text: 'cwt_variables_examples is empty' },
  examplesNotJson: { code: '248', text: 'cwt_variables_examples is not JSON' },
  tooFewExamples: { code: '249', text: 'cwt_variables_examples has too few values' },
  emptyExample: { code: '250', text: 'cwt_variables_examples has an empty value' },
} as const satisfies Record<TemplateFaultCode, { code: string; text: string }>;

const createErrors = {
  ...idempotencyErrors,
  ...templateOperationErrors,
  ...faults,
  otherProvider: { code: '231', text: 'v8l_wa_provider of the line is not cloud' },
  noAppName: { code: '232', text: 'v8l_wa_app_name of the line is empty' },
  noLine: { code: '236', text: 'app_id is missing or no number' },
  noAction: { code: '237', text: 'action is missing' },
  notLoaded: { code: '239', text: 'the template could not be loaded' },
  upstream: { code: '260', text: 'upstream rejected the template' },
} as const;

type CreateRequestContext = RequestContext<typeof createParams, typeof createErrors>;

const submission = {
  template_id: decimalDigitsSchema('Template id; 0: none was found.'),
  meta_template_id: z.string().describe('The upstream’s id; 0: it has none.'),
  meta_raw_response: z.string().describe('What the upstream answered.'),
};

const operationName = 'CreateMsgappTemplate';

export const CreateMsgappTemplateOperation = defineOperation({
  name: operationName,
  section: '4.16',
  topic: 'templates',
  summary: 'Submit a stored template for approval.',
  permission: 'msgapp',
  creates: true,
  successHttp: 201,
  params: createParams,
  errors: createErrors,
  answer: {
    fields: z.object({
      ...submission,
      meta_status: z.literal('OK'),
      json_generated: z.string().describe('JSON text of what was sent upstream.'),
    }),
    beside: emptyObjectSchema,
    failed: z.object({ ...submission, meta_status: z.literal('ERROR'), json_generated: z.null() }),
  },
  failure: {
    fields: {
      template_id: '0', meta_template_id: '0', meta_status: 'ERROR', json_generated: null, meta_raw_response: '',
    },
    beside: {},
  }, // prettier-ignore
  example: {
    request: { tsid: 'DEMO0token0DEMO0token0DEMO0tok', template_id: 5, app_id: 1, action: 'create' },
    response: {
      return: {
        status: 'OK', status_code: '0', template_id: '5', meta_template_id: '1234567890123456', meta_status: 'OK',
        json_generated: '{"name":"order_late","category":"UTILITY","language":"pt_BR","components":[…]}',
        meta_raw_response: '{"id":"1234567890123456","status":"PENDING","category":"UTILITY"}',
      },
    },
  }, // prettier-ignore

  async handle(ctx) {
    const before = await replayedAnswer(operationName, ctx);
    if (before) return { fields: before, replayed: true };
    const row = await subjectOf(ctx);
    // What the template lacks is said before what is wrong with the media that goes with it.
    payloadsFor(ctx, row, undefined);
    return submit(ctx, row, payloadsFor(ctx, row, await mediaOf(ctx)));
  },
});

/** The template, then the line, as spec 4.16 has them. */
const subjectOf = async (ctx: CreateRequestContext): Promise<TemplateRow> => {
  const { account, params, services, refuse } = ctx;
  // Spec 7: an id that cannot be one is invalid here, and not found with CheckTemplateStatus.
  if (!params.template) throw refuse('noTemplateId');
  if (params.line === undefined) throw refuse('noLine');
  if (params.action === undefined) throw refuse('noAction');
  const row = await findTemplateById(services.database(account.shard), account.id, params.template);
  if (!row) throw refuse('unknownTemplate');
  const line = await findActiveMsgappLine(ctx, params.line);
  if (!line) throw refuse('unknownLine');
  if (row.line_id !== params.line) throw refuse('unknownTemplate');
  const lack = lacks(line);
  if (lack) throw refuse(lack);
  return row;
};

const lacks = (line: ChatSenderLine) => {
  if (line.provider !== 'cloud') return 'otherProvider';
  if (line.appName === '') return 'noAppName';
  return missingLineCredential(line);
};

/** The public address that was asked for; undefined: none was. */
const mediaOf = async ({
  account,
  params,
  services,
  refuse,
}: CreateRequestContext): Promise<string | undefined> => {
  if (params.media === undefined) return undefined;
  const path =
    params.media < 2 ** 31 &&
    (await findTemplateMediaFileUrl(services.database(account.shard), account.id, params.media));
  if (!path) throw refuse('badValue', `cwm_id ${params.media} is not a media file of the account`);
  return path;
};

const payloadsFor = (
  ctx: CreateRequestContext,
  row: TemplateRow,
  media: string | undefined,
): TemplatePayloadJson => {
  try {
    return buildTemplateSubmissionJson(templateDefinitionOfRow(row), media);
  } catch (error) {
    if (error instanceof TemplateFault) throw ctx.refuse(error.fault, error.message, idOf(row));
    throw error;
  }
};

const idOf = (row: TemplateRow) => ({ template_id: String(row.id) });

const submit = async (
  ctx: CreateRequestContext,
  row: TemplateRow,
  payloads: TemplatePayloadJson,
): Promise<OperationSuccess | Refused> => {
  const { account, services, refuse } = ctx;
  const ref = { shard: account.shard, account: account.id, id: row.id };
  const wish = { type: 'submit' as const, editedAt: row.updated_at, ...payloads };
  const heard = await askTemplateMachine(services.engine, ref, wish, await askOf(ctx, ref));
  if (heard.outcome === 'gone') return refuse('unknownTemplate');
  if (heard.outcome === 'late')
    return refuse('upstream', 'upstream has not answered yet; it goes on: check its status', idOf(row));
  if (heard.answer.why !== undefined) return refused(ctx, row, heard.answer);
  const fields = fieldsOf(row, payloads, heard.answer);
  await keep(ctx, row, fields);
  return { fields };
};

/** One key is one submission, also when its answer was lost; after a refusal it is free for the next. */
const askOf = async (
  { services: { engine }, idempotency, params }: CreateRequestContext,
  template: MachineRef,
): Promise<string | undefined> => {
  if (!idempotency) return undefined;
  const name = digest({ idempotencyKey: idempotency.key, given: params });
  return firstUnrefusedTemplateRequestName(engine, template, name);
};

const fieldsOf = (
  row: TemplateRow,
  { json }: TemplatePayloadJson,
  { upstreamId, answer }: TemplateRequestAnswer,
) => ({
  ...idOf(row),
  meta_template_id: upstreamId,
  meta_status: 'OK',
  json_generated: json,
  meta_raw_response: answer,
});

const refused = (
  { refuse }: CreateRequestContext,
  row: TemplateRow,
  { why, text, answer, upstreamId }: TemplateRequestAnswer,
): Refused => {
  const known = { ...idOf(row), ...(upstreamId !== '' && { meta_template_id: upstreamId }) };
  if (why === 'edited' || why === 'busy')
    return refuse('notLoaded', `the template could not be loaded: ${text}`, known);
  return refuse('upstream', text, { ...known, meta_raw_response: answer === '' ? text : answer });
};

const keep = async (
  { account, services, idempotency, params }: CreateRequestContext,
  row: TemplateRow,
  fields: Record<string, unknown>,
): Promise<void> => {
  const at = services.engine.now(account.shard);
  for (const claim of buildIdempotencyClaims(operationName, idempotency, params, fields))
    await storeIdempotentAnswer(services.database(account.shard), account.id, claim, {
      owner: String(row.id),
      at,
    });
};
