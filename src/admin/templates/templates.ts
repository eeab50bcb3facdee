/**
 * Msgapp templates (spec 2.5.1), under the names of the interface. One may be stored incomplete; what it lacks is told
 * when it is submitted. Every change goes through its machine, which has the same id.
 */
import * as z from 'zod';
import type { TemplateRequestAnswer, TemplateStatusChange } from '../../../machines/template/context.ts';
import type { TemplateMachineInput } from '../../../machines/template/input.ts';
import type { TemplateDefinition } from '../../../machines/contracts/template.ts';
import { askTemplateMachine, type Wish } from '../../operations/templates/askTemplateMachine.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import {
  countTemplates,
  type TemplateRow,
  findTemplateById,
  readTemplatePage,
} from '../../store/reads/templates/templates.ts';
import {
  templateRecordSchema,
  templateFieldsByRestName,
  formatFullTemplateRecord,
} from '../../wire/templateRecord.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import { at, byId, idIn, nextPageFieldsSchema, pageWithCursor, referenceTo, text } from '../fieldSchemas.ts';
import { defineCrudRoutes } from '../defineCrudRoutes.ts';
import { AdminError, notFound } from '../adminErrorsAndRequestParsing.ts';

/** JSON as text, or as it is. */
const jsonText = z
  .union(
    [text(16_000), z.record(z.string(), z.unknown()), z.array(z.unknown()).max(20)],
    'must be JSON: text of at most 16000 characters, an object, or a list of at most 20',
  )
  .transform((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  .pipe(text(16_000));

/** Under this name forms read which field's text each part has examples of. */
const examplesOf = { 'x-examples-of': { body_text: 'cwt_body_text', header_text: 'cwt_header_text' } };

const changes = z
  .strictObject({
    cwt_name: text(512),
    cwt_category: text(40),
    cwt_language: text(20),
    cwt_body_text: text(4_096),
    cwt_header_type: text(20),
    cwt_header_text: text(2_000),
    cwt_footer_text: text(500),
    cwt_variables_examples: jsonText.meta(examplesOf),
    cwt_button_type: text(20),
    cwt_button_config: jsonText,
  })
  .partial();
const fields = changes.extend({
  v8l_id: referenceTo(
    { list: '/accounts/{account}/lines', value: 'v8l_id', only: { v8l_class: 'msgapp' } },
    z
      .int()
      .min(1)
      .max(2 ** 31 - 1),
  ),
});

const mostTemplates = 2_000;
const pageSize = 200;

export const templateSchema = templateRecordSchema.extend({
  v8l_id: z.int(),
  cwt_template_id: z.string(),
  former_template_id: z
    .string()
    .describe('The id under which upstream still has what was edited; empty: none.'),
  cwt_rejection_reason: z.string(),
  upstream_category: z
    .string()
    .describe('What upstream takes it for by now, in its own words; empty: it has not said.'),
  quality: z.string(),
  cwt_meta_json: z.string(),
  cwt_meta_json_with_urls: z.string(),
  state: z.string().describe('stored, submitting, submitted, deleting or deleted.'),
  created_at: at,
  updated_at: at,
  checked_at: at.nullable(),
  cdcs_id: z.int(),
  changes: z
    .array(
      z.object({
        at,
        status: z.string().describe("Upstream's word; empty: it is only stored."),
        by: z.string().describe('Who changed it.'),
        reason: z.string(),
        cwt_template_id: z.string().describe('The id upstream; empty: it had none.'),
      }),
    )
    .describe('How it came to stand as it does, oldest first.'),
});

const show = ({ id }: AccountRow, row: TemplateRow) => ({
  ...formatFullTemplateRecord(row),
  cdcs_id: id,
  changes: (JSON.parse(row.changes) as TemplateStatusChange[]).map(({ upstreamId = '', ...change }) => ({
    ...change,
    cwt_template_id: upstreamId,
  })),
});

/** A template as it stands. Throws a 404 when it is gone. */
export const readTemplateForAdminAnswer = async (deps: AdminDeps, account: AccountRow, id: number) => {
  const row = await findTemplateById(deps.pool(account.shard), account.id, id);
  if (!row) throw notFound(`template ${id}`, account.shard);
  return show(account, row);
};

export const templateExample = {
  ...{ cwt_id: 9, cwt_name: 'order_ready', cwt_category: 'UTILITY', cwt_language: 'pt_BR' },
  ...{ cwt_status: 'APPROVED', cwt_body_text: 'Olá {{1}}', cwt_header_type: '', cwt_header_text: '' },
  ...{ cwt_footer_text: '', cwt_variables_examples: '{"body_text":["Ana"]}', cwt_button_type: '' },
  ...{ cwt_button_config: '', v8l_id: 1, cwt_template_id: '594425479261596', former_template_id: '' },
  ...{ cwt_rejection_reason: '', upstream_category: 'UTILITY', quality: '', cwt_meta_json: '' },
  ...{ cwt_meta_json_with_urls: '', state: 'submitted', created_at: 1_795_325_744_421 },
  ...{ updated_at: 1_795_325_744_421, checked_at: null, cdcs_id: 3, changes: [] },
};

const templates = defineCrudRoutes({
  at: '/accounts/:account/templates',
  id: 'template',
  what: 'template',
  mostId: Number.MAX_SAFE_INTEGER,
  many: 'templates',
  scope: accountInPath,
  record: templateSchema,
  example: templateExample,
  show: (row: TemplateRow, { account }) => show(account, row),
  find: ({ deps, account }, id) => findTemplateById(deps.pool(account.shard), account.id, id),
  create: {
    summary: 'Stores a template; what it lacks is told when it is submitted.',
    body: fields,
    refuses: { 409: 'The account has 2000 templates.' },
    example: { body: { v8l_id: 1, cwt_name: 'order_ready', cwt_body_text: 'Olá {{1}}' } },
    handle: async ({ deps, account, body }) => {
      const { v8l_id: line, ...written } = body;
      await checkLine(deps, account, line);
      if ((await countTemplates(deps.pool(account.shard), account.id)) >= mostTemplates)
        throw new AdminError(409, `an account has at most ${mostTemplates} templates`);
      // Templates share the counter of campaigns, queues and agents: their machines share one table.
      const id = await deps.control.reserveIds('line', 1);
      const input: TemplateMachineInput = { line, definition: { ...nothing, ...toDefinition(written) } };
      await deps.engine.start({ kind: 'template', shard: account.shard, account: account.id, id, input });
      return readTemplateForAdminAnswer(deps, account, id);
    },
  },
  list: {
    summary: 'Lists the templates of an account, newest first.',
    query: byId(),
    beside: nextPageFieldsSchema,
    rows: async ({ deps, account, query }) => {
      const filter = { belowId: query.cursor ?? Number.MAX_SAFE_INTEGER, limit: pageSize + 1 };
      return pageWithCursor(await readTemplatePage(deps.pool(account.shard), account.id, filter), pageSize);
    },
  },
  change: {
    summary: 'Edits a template; one that was submitted is stored again.',
    body: changes,
    refuses: { 409: 'Something else is under way with it.' },
    example: { body: { cwt_body_text: 'Olá {{1}}' } },
    handle: async ({ deps, account, body, row }) => {
      const definition = toDefinition(body);
      const { id } = await row();
      await sendTemplateMachineCommand(deps, account, id, { type: 'edited', definition });
      return readTemplateForAdminAnswer(deps, account, id);
    },
  },
  remove: {
    summary: 'Deletes a template here; upstream keeps it.',
    refuses: { 409: 'Something else is under way with it.' },
    handle: async ({ deps, account }, { id }) => {
      await sendTemplateMachineCommand(deps, account, id, { type: 'delete', mode: 'local' });
      return true;
    },
  },
});

export const templateRoutes = {
  ...templates,
  'DELETE /accounts/:account/templates/:template/former': defineRoute({
    role: 'admin',
    summary: 'Deletes upstream what it has of a template from before an edit.',
    scope: accountInPath,
    path: z.object({ template: idIn('template', Number.MAX_SAFE_INTEGER) }),
    refuses: { 409: 'Something else is under way with it.' },
    answer: templateSchema,
    example: { answer: templateExample },
    handle: async ({ deps, account, path, written }) => {
      const row = await findTemplateById(deps.pool(account.shard), account.id, path.template);
      if (!row) throw notFound(`template ${written['template']}`, account.shard);
      await sendTemplateMachineCommand(deps, account, row.id, { type: 'delete', mode: 'former' });
      return readTemplateForAdminAnswer(deps, account, row.id);
    },
  }),
};

const nothing: TemplateDefinition = {
  name: '',
  category: '',
  language: '',
  bodyText: '',
  headerType: '',
  headerText: '',
  footerText: '',
  variablesExamples: '',
  buttonType: '',
  buttonConfig: '',
};

const toDefinition = (written: z.output<typeof changes>): Partial<TemplateDefinition> =>
  Object.fromEntries(
    Object.entries(written)
      .filter(([, value]) => value !== undefined)
      .map(([word, value]) => [
        templateFieldsByRestName[word as keyof typeof templateFieldsByRestName],
        value,
      ]),
  );

const checkLine = async (deps: AdminDeps, { id, shard }: AccountRow, line: number): Promise<void> => {
  const where = { account_id_id: { account_id: id, id: line } };
  const row = await deps.database(shard).chatLine.findUnique({ where });
  if (row?.class !== 'msgapp')
    throw new AdminError(400, `v8l_id: ${line} is not a Msgapp line of this account`, { field: 'v8l_id' });
};

/** Has the machine do it. Throws a 409 when something else is under way, and a 404 for one that is gone. */
export const sendTemplateMachineCommand = async (
  deps: AdminDeps,
  { shard, id: account }: AccountRow,
  id: number,
  wish: Wish,
) => {
  const heard = await askTemplateMachine(deps.engine, { shard, account, id }, wish);
  if (heard.outcome === 'gone') throw notFound(`template ${id}`, shard);
  const answer: Pick<TemplateRequestAnswer, 'why' | 'text'> =
    heard.outcome === 'late' ? { why: 'busy', text: 'it takes its time; try again' } : heard.answer;
  if (answer.why !== undefined)
    throw new AdminError(409, `the template cannot be changed now: ${answer.text}`);
};
