/** Media files for headers of templates (`cwm_id`): public addresses (spec 2.5.1). */
import * as z from 'zod';
import type { TemplateMedia } from '../../generated/prisma/client.ts';
import { parseUrl } from '../../lib/parseUrl.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { accountScopedTable } from '../accountScopedQueries.ts';
import { at, text } from '../fieldSchemas.ts';
import { defineCrudRoutes } from '../defineCrudRoutes.ts';
import { omitUndefined } from '../adminErrorsAndRequestParsing.ts';

/** It is shown and never fetched from here. */
const address = text(2_000).refine(
  (value) => /^https?:\/\/[^\s/]/i.test(value) && parseUrl(value) !== undefined,
  'must be an http or https address',
);
const fields = z.strictObject({ cwm_file_path: address, name: text(120).optional() });

const mostMedia = 1_000;

const table = accountScopedTable((database) => database.templateMedia);

const show = ({ account_id, id, file_path, ...row }: TemplateMedia) => ({
  cwm_id: id,
  cdcs_id: account_id,
  cwm_file_path: file_path,
  ...row,
});

export const templateMediaRoutes = defineCrudRoutes({
  at: '/accounts/:account/media',
  id: 'media',
  what: 'media file',
  many: 'media',
  scope: accountInPath,
  record: z.object({
    cwm_id: z.int(),
    cdcs_id: z.int(),
    cwm_file_path: z.string().describe('A public address.'),
    name: z.string(),
    created_at: at,
  }),
  example: {
    ...{ cwm_id: 1, cdcs_id: 3, cwm_file_path: 'https://files.example/logo.png', name: 'logo' },
    created_at: 1_795_325_744_421,
  },
  show,
  find: table.find,
  create: {
    summary: 'Names a file for headers of templates.',
    body: fields,
    refuses: { 409: 'The account has 1000 media files.' },
    example: { body: { cwm_file_path: 'https://files.example/logo.png', name: 'logo' } },
    handle: async (request) => {
      const { deps, account, body } = request;
      const { cwm_file_path: file_path, name = '' } = body;
      await table.checkRoom(request, mostMedia, 'media files');
      const id = await deps.control.reserveIds('templateMedia', 1);
      const data = { account_id: account.id, id, file_path, name, created_at: deps.now() };
      return show(await deps.database(account.shard).templateMedia.create({ data }));
    },
  },
  list: {
    summary: 'Lists the media files of an account by id.',
    rows: async (request) => ({ rows: await table.rows(request) }),
  },
  change: {
    summary: 'Changes the address or the name of a media file.',
    body: fields.partial(),
    example: { body: { name: 'logo' } },
    handle: async ({ deps, account, body, row }) => {
      const { cwm_file_path: file_path, name } = body;
      const { id } = await row();
      const where = { account_id_id: { account_id: account.id, id } };
      const data = omitUndefined({ file_path, name });
      return show(await deps.database(account.shard).templateMedia.update({ where, data }));
    },
  },
  remove: {
    summary: 'Forgets a media file; the file itself stays where it is.',
    handle: async (request, { id }) => {
      await table.remove(request, id);
      return true;
    },
  },
});
