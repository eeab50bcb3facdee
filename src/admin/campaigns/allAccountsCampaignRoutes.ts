/** Campaigns of all accounts, one of them with its figures, and its results as a file. */
import { Readable } from 'node:stream';
import * as z from 'zod';
import type { CampaignInput } from '../../../machines/campaign/input.ts';
import type { Delimiter } from '../../rules/deliveries/csvLine.ts';
import { resultsFileName } from '../../rules/deliveries/resultsFileName.ts';
import { countSkippedDestinations } from '../../store/reads/campaigns/skippedAndDialledRecords.ts';
import { readRetriesOfCampaign } from '../../store/reads/campaigns/campaignFigures.ts';
import {
  campaignsOfAllAccounts,
  type CampaignRow,
  readStoredCampaignDefinition,
} from '../../store/reads/campaigns/campaigns.ts';
import { findDestinationLists } from '../../store/reads/lists/lists.ts';
import { markReadForAudit } from '../admitAndAuditAdministrator.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import {
  at,
  accountIdField,
  idCursorField,
  nextPageFieldsSchema,
  pageWithCursor,
  optionalQueryField,
  text,
} from '../fieldSchemas.ts';
import { omitUndefined } from '../adminErrorsAndRequestParsing.ts';
import {
  destinationListExample,
  destinationListSchema,
  toDestinationListAnswer,
} from '../lists/destinationListSchemas.ts';
import { campaignInPathOfAnyAccount, campaignPathLookup } from './campaignInPath.ts';
import { campaignRefWithRate } from './cachedCampaignFigures.ts';
import {
  campaignExample,
  campaignFiguresSchema,
  campaignFiguresExample,
  campaignSchema,
  show,
} from './campaignSchemas.ts';

const pageSize = 100;

const prompt = z.object({
  text: z.string().describe('Spoken for each person; empty: it is a file.'),
  url: z.string().describe('Where the file can be heard; empty: it is a text.'),
});

export const allAccountsCampaignRoutes = {
  'GET /campaigns': defineRoute({
    role: 'operator',
    summary: 'Lists the campaigns of all accounts, newest first.',
    query: z.object({
      which: optionalQueryField(
        z.enum(['running', 'over', 'model'], 'must be running, over or model'),
      ).describe('Those that are not over, those that are, or models. Default: all.'),
      q: optionalQueryField(text(200)).describe('Text in name, description, id or audio ids.'),
      account: optionalQueryField(accountIdField),
      cursor: idCursorField(),
    }),
    answer: z.object({
      campaigns: z.array(campaignSchema),
      ...nextPageFieldsSchema.shape,
      accounts: z.record(z.string(), z.string()).describe('Names of accounts by their ids.'),
      zones: z.record(z.string(), z.string()).describe('Time zones (IANA) of accounts by their ids.'),
    }),
    example: {
      query: { which: 'running' },
      answer: {
        ...{ campaigns: [campaignExample], cursor: null, accounts: { 3: 'Demo' } },
        zones: { 3: 'America/Sao_Paulo' },
      },
    },
    handle: async ({ deps, query: { which, q, account, cursor } }) => {
      const query = { ...omitUndefined({ which, search: q, account, belowId: cursor }), limit: pageSize + 1 };
      const [accounts, ...found] = await Promise.all([
        deps.control.everyAccount(),
        ...deps.shards.map((shard) => campaignsOfAllAccounts(deps.pool(shard), query)),
      ]);
      const newest = found.flat().toSorted((one, other) => other.id - one.id);
      const { rows, cursor: next } = pageWithCursor(newest, pageSize);
      const shown = new Set(rows.map((row) => row.account_id));
      const owners = accounts.filter(({ id }) => shown.has(id));
      return {
        campaigns: rows.map(({ account_id: owner, ...row }) => show(owner, row)),
        cursor: next,
        accounts: Object.fromEntries(owners.map(({ id, name }) => [id, name])),
        zones: Object.fromEntries(owners.map(({ id, time_zone }) => [id, time_zone])),
      };
    },
  }),
  'GET /campaigns/:campaign': defineRoute({
    role: 'operator',
    summary:
      'Shows a campaign of any account: how it stands, what was left out, where its calls are, how they ended.',
    scope: campaignInPathOfAnyAccount,
    answer: campaignSchema.extend({
      account: z.object({ name: z.string(), time_zone: z.string() }),
      shard: z.string(),
      skipped_by_reason: z.record(z.string(), z.int()).describe('Records left out, by reason.'),
      list: destinationListSchema.nullable().describe('Null: it was deleted.'),
      heard: z.array(prompt).describe('What is heard first.'),
      attempts: z.int().describe('At most so many for each destination.'),
      retry_minutes: z.int().describe('Between two of them.'),
      call_chart: z.int().describe('Version of the chart of its calls.'),
      figures: campaignFiguresSchema,
      retries: z
        .array(z.object({ cp_id: z.int(), name: z.string(), created_at: at }))
        .describe('Campaigns made for those of it who did not answer, newest first, 10 at most.'),
    }),
    example: {
      answer: {
        ...campaignExample,
        account: { name: 'Demo', time_zone: 'America/Sao_Paulo' },
        ...{ shard: 'a', skipped_by_reason: { duplicate: 3 }, list: destinationListExample, attempts: 2 },
        ...{ retry_minutes: 30, call_chart: 1 },
        ...{ heard: [{ text: 'Olá', url: '' }], figures: campaignFiguresExample },
        retries: [{ cp_id: 13, name: 'Reminders 2', created_at: 1_795_412_144_421 }],
      },
    },
    handle: async ({ deps, account, row }) => {
      const { id, shard, name, time_zone } = account;
      const pool = deps.pool(shard);
      const [skipped, definition, [list], read, retries] = await Promise.all([
        countSkippedDestinations(pool, id, row.id),
        readStoredCampaignDefinition(pool, id, row.id) as Promise<Partial<CampaignInput>>,
        findDestinationLists(pool, { account: id, id: row.list_id, limit: 1 }),
        deps.campaigns.read(campaignRefWithRate(account, row.id)),
        readRetriesOfCampaign(pool, id, row.id),
      ]);
      return {
        ...show(id, row),
        ...{ account: { name, time_zone }, shard, skipped_by_reason: skipped },
        list: list ? toDestinationListAnswer(list) : null,
        heard: heardIn(deps, id, definition),
        attempts: definition.call?.schedule.tries ?? 1,
        retry_minutes: Math.round((definition.call?.schedule.intervalMs ?? 0) / 60_000),
        call_chart: deps.kind('call')?.current ?? 1,
        figures: read,
        retries: retries.map(({ id: cp_id, ...retry }) => ({ cp_id, ...retry })),
      };
    },
  }),
  'GET /accounts/:account/campaigns/:campaign/results': defineRoute({
    role: 'operator',
    summary: 'Answers the results of a campaign so far, a line for each call, as a CSV file.',
    description:
      'UTF-8, with a byte order mark, as delivery profiles write them. Each download is in the audit log.',
    scope: campaignPathLookup,
    query: z.object({
      delimiter: optionalQueryField(z.enum([',', ';', '\t'] satisfies Delimiter[])).describe(
        'Between the fields: `,` (default), `;` as spreadsheets in Portuguese read a file, or a tab.',
      ),
    }),
    answer: z.string().describe('CSV; the first line names the fields.'),
    media: 'text/csv',
    example: { answer: 'cd_id,cd_status,…\r\n' },
    handle: async ({ deps, ctx, account, row, query }) => {
      markReadForAudit(ctx);
      ctx.attachment(resultsFileName(row.id, row.name));
      return downloaded(deps, account, row, query.delimiter ?? ',') as never;
    },
  }),
};

/** A file that breaks off must look broken: Koa closes the connection when a stream fails. */
const downloaded = (
  deps: AdminDeps,
  { shard, id }: { shard: string; id: number },
  row: CampaignRow,
  delimiter: Delimiter,
): Readable => Readable.from(deps.results({ shard, account: id }, row.id, delimiter), { objectMode: false });

/** Texts stand as they are written, with their placeholders. */
const heardIn = ({ audios }: AdminDeps, account: number, { call }: Partial<CampaignInput>) =>
  (call?.prompts.opening ?? []).map((one) =>
    'text' in one ? { text: one.text, url: '' } : { text: '', url: audios.urlOf(account, one.media) },
  );
