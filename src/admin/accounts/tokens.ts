/** Access tokens of an account. The secret is shown once, when it is made. */
import * as z from 'zod';
import type { Prisma } from '../../generated/prisma/client.ts';
import type { TokenPermission } from '../../operations/declare.ts';
import { sqlNullForJsonColumn, type TokenRow } from '../../store/controlDatabase.ts';
import { defineRoute } from '../routeDeclaration.ts';
import {
  anyObject,
  at,
  dateTimeFieldSchema,
  networkListFieldSchema,
  text,
  booleanFieldSchema,
} from '../fieldSchemas.ts';
import { defineCrudRoutes } from '../defineCrudRoutes.ts';
import { AdminError, omitUndefined, notFound } from '../adminErrorsAndRequestParsing.ts';
import { accountInPath } from './accountInPath.ts';

/** Truth values and no words for them: only an explicit `false` denies, and only an explicit `true` opens tools. */
const permission = z.boolean().optional();

const permissionsField = z.strictObject({
  enabled: permission.describe('False: tools stay shut. REST does not look at it.'),
  apis: z
    .strictObject({
      telephony: permission,
      sms: permission,
      msgapp: permission,
      pagechat: permission,
      photodm: permission,
    } satisfies Record<TokenPermission, unknown>)
    .optional()
    .describe('False: REST refuses it (123). True: its tools are open. Absent: REST only.'),
});

const tokenFields = z.strictObject({
  label: text(120).optional(),
  permissions: permissionsField.nullable().optional(),
  allowed_ips: networkListFieldSchema.optional(),
  requests_per_second: z.int().min(1).max(100_000).optional(),
  rest: booleanFieldSchema.optional(),
  expires: dateTimeFieldSchema.nullable().optional(),
});

const record = z.object({
  token_id: z.int(),
  cdcs_id: z.int(),
  label: z.string(),
  permissions: anyObject.nullable().describe('Null: tools stay shut, and REST is open.'),
  allowed_ips: z.array(z.string()).describe('Addresses and networks; empty: any.'),
  rest: z.boolean().describe('False: for tools only.'),
  requests_per_second: z.int(),
  created_at: at,
  last_used_at: at.nullable().describe('To the minute; null: never.'),
  revoked_at: at.nullable().describe('Null: it is in use.'),
  expires: at.nullable().describe('Null: never.'),
});

const mostTokens = 10_000;

const toColumns = ({ permissions, expires, ...body }: z.output<typeof tokenFields>) =>
  omitUndefined({
    ...body,
    expires_at: expires,
    permissions:
      permissions === null ? sqlNullForJsonColumn : (permissions as Prisma.InputJsonObject | undefined),
  });

/** A token without what would open a door. */
const show = ({ hash: _, account_id, id, expires_at, ...token }: TokenRow) => ({
  token_id: id,
  cdcs_id: account_id,
  ...token,
  permissions: token.permissions as Record<string, unknown> | null,
  allowed_ips: token.allowed_ips as string[],
  expires: expires_at,
});

const example = {
  ...{ token_id: 2, cdcs_id: 3, label: 'shop', permissions: null, allowed_ips: ['127.0.0.0/8'], rest: true },
  ...{ requests_per_second: 50, created_at: 1_795_325_744_421 },
  ...{ last_used_at: null, revoked_at: null, expires: null },
};

const tokens = defineCrudRoutes({
  at: '/accounts/:account/tokens',
  id: 'token',
  what: 'token',
  many: 'tokens',
  scope: accountInPath,
  record,
  example,
  show,
  find: ({ deps, account }, id) => deps.control.token(account.id, id),
  create: {
    summary: 'Makes a token; its secret is shown this once.',
    body: tokenFields,
    answer: z.object({ token: z.string(), ...record.shape }),
    refuses: { 409: 'The account has 10000 tokens, revoked ones included.' },
    example: {
      body: { label: 'shop', allowed_ips: ['127.0.0.0/8'] },
      answer: { token: '1GgERuWKoBWYAs5W6GL0mnRDMDIKt0', ...example },
    },
    handle: async ({ deps, account, body }) => {
      if ((await deps.control.countTokens(account.id)) >= mostTokens)
        throw new AdminError(409, `an account has at most ${mostTokens} tokens, revoked ones included`);
      // No permissions given: tools stay shut, REST opens (decisions "permissions").
      const fields = toColumns({ permissions: null, ...body });
      const made = await deps.control.createToken(account.id, fields);
      return { token: made.secret, ...show(made.token) };
    },
  },
  list: {
    summary: 'Lists the tokens of an account by id, revoked ones too.',
    rows: async ({ deps, account }) => ({ rows: await deps.control.tokens(account.id) }),
  },
  change: {
    summary: 'Changes a token; it counts at once here, and within three seconds at other nodes.',
    body: tokenFields,
    refuses: { 409: 'The token is revoked.' },
    example: { body: { allowed_ips: [] } },
    handle: async ({ deps, account, body, row }) => {
      const fields = toColumns(body);
      const { id } = await row();
      const changed = await deps.control.updateToken(account.id, id, fields);
      if (!changed) throw new AdminError(409, `token ${id} is revoked, which is for good; make another one`);
      return show(changed);
    },
  },
  remove: {
    summary: 'Revokes a token for good.',
    answer: record,
    handle: async ({ deps, account }, { id }) => {
      const revoked = await deps.control.revokeToken(account.id, id);
      return revoked ? show(revoked) : false;
    },
  },
});

export const tokenRoutes = {
  ...tokens,
  // The token stands in a header: addresses end up in the logs of proxies.
  'GET /token-owner': defineRoute({
    role: 'operator',
    summary: 'Says whose the token in the header `X-Account-Token` is.',
    refuses: { 404: 'No account has this token.' },
    answer: z.object({ cdcs_id: z.int(), name: z.string(), token_id: z.int() }),
    example: { answer: { cdcs_id: 3, name: 'Demo', token_id: 2 } },
    handle: async ({ deps, ctx }) => {
      const shown = ctx.get('x-account-token');
      const owner = shown === '' ? undefined : await deps.control.tokenOwner(shown);
      if (!owner) throw notFound('an account with the token in X-Account-Token');
      const { account, token } = owner;
      return { cdcs_id: account.id, name: account.name, token_id: token.id };
    },
  }),
};
