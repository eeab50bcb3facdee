/**
 * Msgapp templates (spec 2.5.1), under the names of the interface. One may be stored incomplete; what it lacks is told
 * when it is submitted. Every change goes through its machine, which has the same id.
 */
import type { Router } from '@koa/router';
import * as z from 'zod';
import type { Change, Answer } from '../../machines/template/context.ts';
import type { TemplateInput } from '../../machines/template/input.ts';
import type { TemplateDefinition } from '../../machines/contracts/template.ts';
import { askTemplate, type Wish } from '../operations/templates/ask.ts';
import type { AccountRow } from '../store/control.ts';
import {
  countTemplates,
  type TemplateRow,
  templateOf,
  templatesPage,
} from '../store/reads/templates/templates.ts';
import { templateWords, writeWholeTemplate } from '../wire/templateRecord.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { text } from './fields.ts';
import { AdminError, notFound, pathId, read } from './respond.ts';

/** JSON as text, or as it is. */
const jsonText = z
  .union([text(16_000), z.record(z.string(), z.unknown()), z.array(z.unknown()).max(20)])
  .transform((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  .pipe(text(16_000));

const changes = z
  .strictObject({
    cwt_name: text(512),
    cwt_category: text(40),
    cwt_language: text(20),
    cwt_body_text: text(4_096),
    cwt_header_type: text(20),
    cwt_header_text: text(2_000),
    cwt_footer_text: text(500),
    cwt_variables_examples: jsonText,
    cwt_button_type: text(20),
    cwt_button_config: jsonText,
  })
  .partial();
const fields = changes.extend({
  v8l_id: z
    .int()
    .min(1)
    .max(2 ** 31 - 1),
});

const mostTemplates = 2_000;
const pageSize = 200;

export const templateRoutes = (router: Router, door: AdminDoor): void => {
  const find = async ({ id, shard }: AccountRow, written: string | undefined): Promise<TemplateRow> => {
    const row = await templateOf(door.pool(shard), id, pathId(written, 'template'));
    if (!row) throw notFound(`template ${written}`);
    return row;
  };
  const path = '/accounts/:account/templates';

  router.post(path, async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const { v8l_id: line, ...written } = read(fields, ctx.request.body);
    await checkLine(door, account, line);
    if ((await countTemplates(door.pool(account.shard), account.id)) >= mostTemplates)
      throw new AdminError(409, `an account has at most ${mostTemplates} templates`);
    // Templates share the counter of campaigns, queues and agents: their machines share one table.
    const id = await door.control.reserveIds('line', 1);
    const input: TemplateInput = { line, definition: { ...nothing, ...toDefinition(written) } };
    await door.engine.start({ kind: 'template', shard: account.shard, account: account.id, id, input });
    ctx.status = 201;
    ctx.body = show(account, await find(account, String(id)));
  });

  router.get(path, async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const { cursor } = ctx.query;
    const belowId = cursor === undefined ? Number.MAX_SAFE_INTEGER : pathId(String(cursor), 'cursor');
    const rows = await templatesPage(door.pool(account.shard), account.id, { belowId, limit: pageSize + 1 });
    const page = rows.slice(0, pageSize);
    ctx.body = {
      templates: page.map((row) => show(account, row)),
      cursor: rows.length > pageSize ? String(page.at(-1)!.id) : null,
    };
  });

  router.get(`${path}/:template`, async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    ctx.body = show(account, await find(account, ctx.params['template']));
  });

  /** An edit of a submitted template makes it `stored` again. */
  router.patch(`${path}/:template`, async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const definition = toDefinition(read(changes, ctx.request.body));
    const { id } = await find(account, ctx.params['template']);
    await done(door, account, id, { type: 'edited', definition });
    ctx.body = show(account, await find(account, ctx.params['template']));
  });

  /** Upstream, what it has from before an edit: nobody else can ask for that any more. */
  router.delete(`${path}/:template/former`, async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const { id } = await find(account, ctx.params['template']);
    await done(door, account, id, { type: 'delete', mode: 'former' });
    ctx.body = show(account, await find(account, ctx.params['template']));
  });

  /** Here only: upstream keeps it. */
  router.delete(`${path}/:template`, async (ctx) => {
    const account = await accountOf(door, ctx.params['account']);
    const { id } = await find(account, ctx.params['template']);
    await done(door, account, id, { type: 'delete', mode: 'local' });
    ctx.status = 204;
  });
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
      .map(([word, value]) => [templateWords[word as keyof typeof templateWords], value]),
  );

const checkLine = async (door: AdminDoor, { id, shard }: AccountRow, line: number): Promise<void> => {
  const where = { account_id_id: { account_id: id, id: line } };
  const row = await door.database(shard).chatLine.findUnique({ where });
  if (row?.class !== 'msgapp')
    throw new AdminError(400, `v8l_id: ${line} is not a Msgapp line of this account`, { field: 'v8l_id' });
};

/** Has the machine do it. Throws a 409 when something else is under way, and a 404 for one that is gone. */
const done = async (door: AdminDoor, { shard, id: account }: AccountRow, id: number, wish: Wish) => {
  const heard = await askTemplate(door.engine, { shard, account, id }, wish);
  if (heard.outcome === 'gone') throw notFound(`template ${id}`);
  const answer: Pick<Answer, 'why' | 'text'> =
    heard.outcome === 'late' ? { why: 'busy', text: 'it takes its time; try again' } : heard.answer;
  if (answer.why !== undefined)
    throw new AdminError(409, `the template cannot be changed now: ${answer.text}`);
};

const show = ({ id }: AccountRow, row: TemplateRow) => ({
  ...writeWholeTemplate(row),
  cdcs_id: id,
  changes: (JSON.parse(row.changes) as Change[]).map(({ upstreamId = '', ...change }) => ({
    ...change,
    cwt_template_id: upstreamId,
  })),
});
