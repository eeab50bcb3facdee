/** Campaigns made, made again for those who did not answer, and closed: by the operations of the interface. */
import * as z from 'zod';
import { CreateCampaignOperation } from '../../operations/campaigns/CreateCampaign.ts';
import { toJsonSchema } from '../../operations/jsonSchema.ts';
import type { ParamDeclaration } from '../../operations/param.ts';
import { findCampaignById } from '../../store/reads/campaigns/campaigns.ts';
import {
  type UnansweredDestinationRow,
  readUnansweredDestinations,
} from '../../store/reads/campaigns/campaignFigures.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps, RequestFile } from '../deps.ts';
import { text } from '../fieldSchemas.ts';
import { runOperationAsAdmin } from '../operation.ts';
import { AdminError } from '../adminErrorsAndRequestParsing.ts';
import { requireCampaignById, type CampaignWithAccount, campaignPathLookup } from './campaignInPath.ts';
import { campaignExample, campaignSchema, show } from './campaignSchemas.ts';

const pageSize = 1_000;

/** What comes as a file has a way of its own. */
const byFile = ['datajson', 'audio64'];

/** One value of a request; the operation itself reads it. */
const scalar = z.union(
  [text(5_000), z.number(), z.boolean(), z.null()],
  'must be text of at most 5000 characters, a number, true, false or null',
);

/** The parameters of CreateCampaign under their REST names, with their sentences. */
const parameters = z.strictObject(
  Object.fromEntries(
    Object.values(CreateCampaignOperation.params as Readonly<Record<string, ParamDeclaration>>)
      .filter(({ rest }) => !byFile.includes(rest))
      .map(({ rest, schema, description }) => [
        rest,
        scalar.meta({ json: { ...toJsonSchema(schema), description } }).optional(),
      ]),
  ),
);

const refused = 'CreateCampaign refuses it; `code` is the code of the interface.';

export const campaignCreateRetryCloseRoutes = {
  'POST /accounts/:account/campaigns': defineRoute({
    role: 'admin',
    summary: 'Makes a campaign, as CreateCampaign does.',
    description: 'The parameters, rules and codes are those of the operation. Paused unless `cp_ativo` is 1.',
    scope: accountInPath,
    body: parameters,
    answer: campaignSchema,
    http: 201,
    refuses: { 400: refused },
    example: {
      body: { name: 'Reminders', cdlc_id: 1, text: 'Olá <NOME>', time_start: '09:00:00', vel: 60 },
      answer: campaignExample,
    },
    handle: ({ deps, account, body }) => made(deps, account, body),
  }),
  'POST /accounts/:account/campaigns/:campaign/retry': defineRoute({
    role: 'admin',
    summary: 'Makes a campaign like this one, for those of its destinations that did not answer.',
    description:
      'Names and extras of the list are kept. It is a clone (`cp_id` of CreateCampaign) with a list of its own, paused.',
    scope: campaignPathLookup,
    body: z.strictObject({
      name: text(200).optional().describe('Default: the name of the campaign, with 2 behind it.'),
    }),
    answer: campaignSchema,
    http: 201,
    refuses: { 400: refused, 409: 'All who were called answered.' },
    example: {
      body: { name: 'Reminders, second round' },
      answer: { ...campaignExample, cp_id: 13, state: 'paused' },
    },
    handle: async ({ deps, account, row, body }) => {
      const files = deps.files('list');
      try {
        const datajson = await unansweredOf(deps, { account, row }, files);
        const name = body.name?.trim() || `${row.name} 2`;
        return await made(deps, account, { cp_id: row.id, name }, { spilled: { datajson }, retryOf: row.id });
      } finally {
        await files.discard();
      }
    },
  }),
  'POST /accounts/:account/campaigns/:campaign/close': defineRoute({
    role: 'admin',
    summary: 'Closes a campaign before its last day: who was not called is not called any more.',
    description: 'Calls that are up go on to their end. `PATCH` with `active` opens it again within 30 days.',
    scope: campaignPathLookup,
    answer: campaignSchema,
    refuses: { 409: 'It is over.' },
    example: { answer: { ...campaignExample, active: false, state: 'expired', phase: '', reason: 'closed' } },
    handle: async ({ deps, account, row, written }) => {
      const ref = { shard: account.shard, account: account.id, id: row.id };
      if (row.finished_at !== null) throw new AdminError(409, 'the campaign is over');
      const { outcome } = await deps.engine.send(ref, { type: 'close' });
      if (outcome === 'gone') throw new AdminError(409, 'the campaign is over for good');
      return show(account.id, await requireCampaignById(deps, account, written['campaign']));
    },
  }),
};

const made = async (
  deps: AdminDeps,
  account: AccountRow,
  given: Readonly<Record<string, unknown>>,
  uploads?: Parameters<typeof runOperationAsAdmin>[4],
) => {
  const { cp_id: id } = await runOperationAsAdmin(deps, account, CreateCampaignOperation, given, uploads);
  const row = await findCampaignById(deps.pool(account.shard), account.id, Number(id));
  return show(account.id, row!);
};

/** Their records as the parameter `datajson` takes them. Throws a 409 where there are none. */
const unansweredOf = async (
  deps: AdminDeps,
  { account, row }: CampaignWithAccount,
  files: ReturnType<AdminDeps['files']>,
): Promise<RequestFile> => {
  const sink = await files.begin({ name: '', field: 'datajson', contentType: 'application/json' });
  const filter = { account: account.id, campaign: row.id, list: row.list_id, limit: pageSize };
  let count = 0;
  let page: UnansweredDestinationRow[];
  let after = 0;
  do {
    page = await readUnansweredDestinations(deps.pool(account.shard), { ...filter, after });
    const records = page.map((one) => JSON.stringify(recordOf(one)));
    if (records.length > 0) await sink.write(Buffer.from(`${count > 0 ? ',' : '['}${records.join(',')}`));
    count += page.length;
    after = page.at(-1)?.id ?? after;
  } while (page.length === pageSize);
  if (count === 0)
    throw new AdminError(
      409,
      row.made === 0 ? 'no number of it was called yet' : 'every number that was called has answered',
    );
  await sink.write(Buffer.from(']'));
  return sink.end();
};

const recordOf = (row: UnansweredDestinationRow) => ({
  phone: row.numbers.replaceAll(' ', ';'),
  ...{ name: row.name, cod_cli: row.client_code },
  ...{ extra1: row.extra_1, extra2: row.extra_2, extra3: row.extra_3, extra4: row.extra_4 },
});
