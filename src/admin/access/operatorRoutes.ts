/** Operators: people and programs that administer under their own names. A key is shown once, when it is made. */
import * as z from 'zod';
import { type AdminOperatorRow, operatorRoles } from '../../store/adminOperatorsAndSessions.ts';
import {
  at,
  byId,
  maxRecordId,
  nextPageFieldsSchema,
  pageWithCursor,
  text,
  booleanFieldSchema,
} from '../fieldSchemas.ts';
import { defineCrudRoutes } from '../defineCrudRoutes.ts';
import { AdminError, omitUndefined } from '../adminErrorsAndRequestParsing.ts';

const fields = z.strictObject({
  name: text(60)
    .trim()
    .min(1)
    // oxlint-disable-next-line no-control-regex -- they are what is refused: the name stands in the audit log
    .regex(/^[^\u0000-\u001f\u007f]*$/, 'must not contain control characters'),
  role: z.enum(operatorRoles, `must be ${operatorRoles.join(' or ')}`),
  masked_numbers: booleanFieldSchema
    .optional()
    .describe('Role operator sees telephone numbers masked: `5511•••••4321`. Default: false.'),
});

const record = z.object({
  operator_id: z.int(),
  name: z.string(),
  role: z.string().describe('operator or admin.'),
  created_at: at,
  last_used_at: at.nullable().describe('When its key was used last, to the minute; null: never.'),
  revoked_at: at.nullable().describe('Null: it is in use.'),
  masked_numbers: z
    .boolean()
    .describe('In role operator: telephone numbers are shown masked. Role admin sees them whole.'),
});

const mostOperators = 1_000;
const pageSize = 200;

/** An operator without its key. */
const show = ({ id, key_hash: _, ...operator }: AdminOperatorRow) => ({ operator_id: id, ...operator });

const example = {
  ...{ operator_id: 1, name: 'Ana', role: 'operator', created_at: 1_795_325_744_421 },
  ...{ last_used_at: null, revoked_at: null, masked_numbers: false },
};

export const operatorRoutes = defineCrudRoutes({
  at: '/operators',
  id: 'operator',
  what: 'operator',
  many: 'operators',
  record,
  example,
  show,
  find: ({ deps }, id) => deps.operators.one(id),
  create: {
    summary: 'Makes an operator; its key is shown this once.',
    body: fields,
    answer: z.object({ key: z.string(), ...record.shape }),
    refuses: { 409: 'There are 1000 operators.' },
    example: {
      body: { name: 'Ana', role: 'operator' },
      answer: { key: 'O9OclMBkAzpM4aVt5O0vkJvOQY8Ar4VgT1zCZ2iC', ...example },
    },
    handle: async ({ deps: { operators }, body }) => {
      if ((await operators.count()) >= mostOperators)
        throw new AdminError(409, `there are ${mostOperators} operators already; revoke those who left`);
      const { operator, key } = await operators.create({
        ...body,
        masked_numbers: body.masked_numbers ?? false,
      });
      return { key, ...show(operator) };
    },
  },
  list: {
    summary: 'Lists operators by id, revoked ones too.',
    query: byId(),
    beside: nextPageFieldsSchema,
    rows: async ({ deps, query }) =>
      pageWithCursor(
        await deps.operators.list(Math.min(query.cursor ?? 0, maxRecordId), pageSize + 1),
        pageSize,
      ),
  },
  change: {
    summary: 'Changes name, role, or whether numbers are masked; it counts from the next request.',
    body: fields.partial(),
    refuses: { 409: 'The operator is revoked.' },
    example: { body: { role: 'admin' } },
    handle: async ({ deps, body, row }) => {
      const { id } = await row();
      const changed = await deps.operators.change(id, omitUndefined(body));
      if (!changed)
        throw new AdminError(409, `operator ${id} is revoked, which is for good; make another one`);
      return show(changed);
    },
  },
  remove: {
    summary: 'Revokes the key of an operator for good, and ends its sessions.',
    answer: record,
    handle: async ({ deps }, { id }) => {
      const revoked = await deps.operators.revoke(id);
      return revoked ? show(revoked) : false;
    },
  },
});
