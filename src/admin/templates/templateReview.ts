/** A template submitted for review: what it lacks is told at once, what upstream says of it when it has said it. */
import * as z from 'zod';
import { TemplateFault } from '../../rules/templates/definition.ts';
import { payloadsOf } from '../../rules/templates/payload.ts';
import { type TemplateRow, templateOf } from '../../store/reads/templates/templates.ts';
import { readDefinition } from '../../wire/templateRecord.ts';
import { ofAccount } from '../accounts/ofAccount.ts';
import { route } from '../declare.ts';
import { idIn } from '../fields.ts';
import { AdminError, notFound } from '../respond.ts';
import { doTemplate, example, record, shown } from './templates.ts';

export const templateReviewRoutes = {
  'POST /accounts/:account/templates/:template/review': route({
    role: 'admin',
    summary: 'Submits a template for review.',
    scope: ofAccount,
    path: z.object({ template: idIn('template', Number.MAX_SAFE_INTEGER) }),
    answer: record,
    refuses: { 409: 'It lacks something, upstream refuses it, or something else is under way with it.' },
    example: { answer: example },
    handle: async ({ deps, account, path, written }) => {
      const row = await templateOf(deps.pool(account.shard), account.id, path.template);
      if (!row) throw notFound(`template ${written['template']}`, account.shard);
      const payloads = payloadsFor(row);
      await doTemplate(deps, account, row.id, { type: 'submit', editedAt: row.updated_at, ...payloads });
      return shown(deps, account, row.id);
    },
  }),
};

const payloadsFor = (row: TemplateRow) => {
  try {
    return payloadsOf(readDefinition(row), undefined);
  } catch (error) {
    throw error instanceof TemplateFault ? new AdminError(409, error.message) : error;
  }
};
