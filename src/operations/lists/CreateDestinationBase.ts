/** Uploads a destination list, as JSON or CSV (spec 4.6). */
import * as z from 'zod';
import { countSchema, decimalDigitsSchema } from '../../wire/shapes.ts';
import {
  type RequestContext,
  emptyObjectSchema,
  defineOperation,
  type OperationSuccess,
} from '../declare.ts';
import { text } from '../parameterValueSchemas.ts';
import { destinationListRecordsToolSchema } from './listRecordsToolSchema.ts';
import { replayedAnswer, buildIdempotencyClaims, idempotencyErrors } from '../idempotency.ts';
import type { ListLoadFailure, ListLoadSuccess } from './job.ts';
import { type ListSource, loadUploadedList } from './loadUploadedList.ts';
import { destinationRecordsParamSchema } from './listRecordsSchema.ts';
import { defaultListName, listFaultText, uploadedListSource, warnOfCutRecords } from './source.ts';
import { defineParams } from '../param.ts';
import type { DeclaredErrors, Refused } from '../refused.ts';

const baseParams = defineParams({
  name: {
    rest: 'name',
    tool: 'name',
    schema: text(200).optional(),
    description: 'Name. Default API_<file|json>_<cdcs_id>_<timestamp>.',
  },
  correlation: {
    rest: 'ctid',
    tool: 'ctid',
    schema: text(64).default(''),
    description: 'Customer-side list id.',
  },
  records: {
    rest: 'datajson',
    tool: 'destinations',
    toolShape: destinationListRecordsToolSchema,
    toolDescription: 'The people, an object for each.',
    schema: destinationRecordsParamSchema,
    description:
      'Records: objects with phone (tel, telefone, numero, number), name (nome), cod_cli (codcli), extra1 to extra4,' +
      ' or arrays in this order; as JSON, or as text. Or send a file, .csv or .json, as multipart under any name.',
  },
});

const baseErrors = {
  ...idempotencyErrors,
  executable: { code: '205', text: 'the file is a program' },
  notLoaded: { code: '230', text: 'the list could not be loaded, or holds no valid destination' },
} as const satisfies DeclaredErrors;

type BaseRequestContext = RequestContext<typeof baseParams, typeof baseErrors>;

export const CreateDestinationBaseOperation = defineOperation({
  name: 'CreateDestinationBase',
  section: '4.6',
  topic: 'lists',
  summary: 'Uploads a destination list, as JSON or as a CSV or JSON file.',
  permission: 'telephony',
  creates: true,
  params: baseParams,
  needs: ['datajson'],
  errors: baseErrors,
  upload: {
    limit: 'list',
    spills: ['datajson'],
    refusedAs: { partial: 'notLoaded', notStored: 'notLoaded', several: 'notLoaded' },
  },
  accessRefusedAs: '210',
  answer: {
    fields: z.object({
      cdlc_id: decimalDigitsSchema('List id.'),
      num_dest: decimalDigitsSchema('Destinations that are valid.'),
      base_size: decimalDigitsSchema('Bytes stored.'),
      rejected: countSchema('Records that were refused; the admin API shows them with their reasons.'),
    }),
    beside: emptyObjectSchema,
  },
  tools: [
    {
      name: 'create_destination_base',
      title: 'Create a destination list',
      description:
        'Keeps a list of people to call, for create_campaign (cdlc_id); no call is made. num_dest records were' +
        ' taken, rejected were not. For thousands upload a file by REST. The same arguments within a minute' +
        ' return the first outcome. 230: none can be taken.',
      effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
      requires: { records: 'notLoaded' },
      repeats: true,
      done: ({ cdlc_id }) => `The list is kept. create_campaign with cdlc_id ${String(cdlc_id)} calls it.`,
      example: { name: 'Spring', destinations: [{ phone: '11987650000', name: 'Ana', cod_cli: '17' }] },
    },
  ],
  failure: { fields: { cdlc_id: '0', num_dest: '0', base_size: '0' }, beside: {} },
  example: {
    request: {
      tsid: 'DEMO0token0DEMO0token0DEMO0tok',
      name: 'Spring',
      datajson: [{ phone: '11987650000', name: 'Ana', cod_cli: '17', extra1: 'R$ 20,00' }],
    },
    response: {
      return: { status: 'OK', status_code: '0', cdlc_id: '12', num_dest: '1', base_size: '44', rejected: 0 },
    },
  },

  async handle(ctx) {
    const source = uploadedListSource(ctx);
    if (!source) return ctx.refuse('notLoaded', 'there is no list: send datajson, or a file as multipart');
    const what = { ...ctx, params: { ...ctx.params, list: await digestOf(ctx, source) } };
    const before = await replayedAnswer('CreateDestinationBase', what);
    if (before) return { fields: before, replayed: true };
    const loaded = await load(ctx, source, what.params);
    if (!('failed' in loaded)) {
      warnOfCutRecords(ctx, loaded);
      return { fields: fieldsOf(loaded) };
    }
    if (loaded.failed !== 'claimed') return refuseFailure(ctx, source, loaded);
    // A repetition at the same time was faster.
    return { fields: (await replayedAnswer('CreateDestinationBase', what))!, replayed: true };
  },
});

/** Only a request that may be repeated is worth reading once more. */
const digestOf = async ({ idempotency }: BaseRequestContext, { file }: ListSource): Promise<string> =>
  idempotency ? file.digest() : '';

const load = (
  { account, params, services, idempotency }: BaseRequestContext,
  source: ListSource,
  what: object,
): Promise<ListLoadSuccess | ListLoadFailure> =>
  loadUploadedList(services, {
    account,
    name: params.name?.trim() || defaultListName(account.id, source, services.engine.now(account.shard)),
    correlation: params.correlation,
    source,
    claims: (loaded) =>
      buildIdempotencyClaims('CreateDestinationBase', idempotency, what, { ...fieldsOf(loaded) }),
  });

/** Numbers are text here (spec 4.6); `rejected` is our addition. */
const fieldsOf = ({
  id,
  accepted,
  rejected,
  bytes,
}: ListLoadSuccess): NonNullable<OperationSuccess['fields']> => ({
  cdlc_id: String(id),
  num_dest: String(accepted),
  base_size: String(bytes),
  rejected,
});

const refuseFailure = (
  { refuse }: BaseRequestContext,
  source: ListSource,
  { failed, why }: ListLoadFailure,
): Refused => refuse(failed === 'executable' ? 'executable' : 'notLoaded', listFaultText(source, why));
