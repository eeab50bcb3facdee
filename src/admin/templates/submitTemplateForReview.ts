/** A template submitted for review: what it lacks is told at once, what upstream says of it when it has said it. */
import * as z from 'zod';
import { TemplateFault } from '../../rules/templates/definition.ts';
import { buildTemplateSubmissionJson } from '../../rules/templates/payload.ts';
import { type TemplateRow, findTemplateById } from '../../store/reads/templates/templates.ts';
import { templateDefinitionOfRow } from '../../wire/templateRecord.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute } from '../routeDeclaration.ts';
import { idIn } from '../fieldSchemas.ts';
import { AdminError, notFound } from '../adminErrorsAndRequestParsing.ts';
import {
  sendTemplateMachineCommand,
  templateExample,
  templateSchema,
  readTemplateForAdminAnswer,
} from './templates.ts';

export const templateSubmissionRoutes = {
  'POST /accounts/:account/templates/:template/review': defineRoute({
    role: 'admin',
    summary: 'Submits a template for review.',
    scope: accountInPath,
    path: z.object({ template: idIn('template', Number.MAX_SAFE_INTEGER) }),
    answer: templateSchema,
    refuses: { 409: 'It lacks something, upstream refuses it, or something else is under way with it.' },
    example: { answer: templateExample },
    handle: async ({ deps, account, path, written }) => {
      const row = await findTemplateById(deps.pool(account.shard), account.id, path.template);
      if (!row) throw notFound(`template ${written['template']}`, account.shard);
      const payloads = payloadsFor(row);
      await sendTemplateMachineCommand(deps, account, row.id, {
        type: 'submit',
        editedAt: row.updated_at,
        ...payloads,
      });
      return readTemplateForAdminAnswer(deps, account, row.id);
    },
  }),
};

const payloadsFor = (row: TemplateRow) => {
  try {
    return buildTemplateSubmissionJson(templateDefinitionOfRow(row), undefined);
  } catch (error) {
    throw error instanceof TemplateFault ? new AdminError(409, error.message) : error;
  }
};
