/** Destination lists by file, and the records of them that were refused, corrected and sent again. */
import * as z from 'zod';
import { CreateDestinationBaseOperation } from '../../operations/lists/CreateDestinationBase.ts';
import { loadUploadedList } from '../../operations/lists/loadUploadedList.ts';
import { defaultListName, listFaultText } from '../../operations/lists/source.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { findDestinationLists } from '../../store/reads/lists/lists.ts';
import { correctListRecords } from '../../store/sql/correctRejectedListRecords.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps, RequestFile } from '../deps.ts';
import { optionalQueryField, text } from '../fieldSchemas.ts';
import { AdminError, notFound } from '../adminErrorsAndRequestParsing.ts';
import { listPathLookup } from './lists.ts';
import {
  destinationListExample,
  destinationListSchema,
  rejectedRowSchema,
  toDestinationListAnswer,
  toRejectedRowAnswer,
} from './destinationListSchemas.ts';
import { receiveUploadedFile } from '../readUploadedFile.ts';

const { errors } = CreateDestinationBaseOperation;

/** Records corrected by one request. */
const mostMended = 500;

const other = text(1_000).default('');

const correction = z.strictObject({
  row: z.int().min(1).max(1_000_000_000),
  phone: text(400),
  ...{ name: other, cod_cli: other, extra1: other, extra2: other, extra3: other, extra4: other },
});

export const listFileRoutes = {
  'POST /accounts/:account/lists': defineRoute({
    role: 'admin',
    summary: 'Makes a destination list of a CSV or JSON file.',
    description:
      'As CreateDestinationBase does, but a list is also made of a file of which no record can be taken. Records that cannot be taken are kept with their reasons (`…/rejects`) and can be corrected (`…/mended`).',
    scope: accountInPath,
    query: z.object({
      name: optionalQueryField(text(200)).describe('Of the list. Default: made of the account and the time.'),
      file: optionalQueryField(text(200)).describe('Name of the file; `.json` or `.csv` says what it is.'),
    }),
    file: 'csv',
    answer: destinationListSchema,
    http: 201,
    refuses: {
      413: 'The file is too large.',
      415: 'It is compressed, or JSON that does not say so in its name.',
    },
    example: { query: { name: 'March', file: 'march.csv' }, answer: destinationListExample },
    handle: async ({ deps, ctx, account, query }) => {
      const files = deps.files('list');
      try {
        const file = await receiveUploadedFile(deps, ctx, files, { name: query.file ?? '', limit: 'list' });
        const id = await load(deps, account, file, query.name);
        const [list] = await findDestinationLists(deps.pool(account.shard), {
          ...{ account: account.id, id, limit: 1 },
        });
        const shown = toDestinationListAnswer(list!);
        // The counts stand in the audit log; the file does not.
        (ctx.request as { body?: unknown }).body = { records: shown.cdlc_num, rejected: shown.rejected };
        return shown;
      } finally {
        await files.discard();
      }
    },
  }),
  'POST /accounts/:account/lists/:list/mended': defineRoute({
    role: 'admin',
    summary: 'Takes refused records of a list that were corrected.',
    description:
      'Those that still cannot be taken stay refused, with their reasons of now. Campaigns that were made before do not call them.',
    scope: listPathLookup,
    body: z.strictObject({ records: z.array(correction).min(1).max(mostMended) }),
    answer: z.object({
      mended: z.int().describe('Records that were taken.'),
      list: destinationListSchema,
      rejects: z.array(rejectedRowSchema).describe('Of those that were sent: what is refused still.'),
    }),
    example: {
      body: { records: [{ row: 4, phone: '11987650004', name: 'Ana' }] },
      answer: { mended: 1, list: destinationListExample, rejects: [] },
    },
    handle: async ({ deps, list, account: { id: account, shard }, body: { records } }) => {
      const pool = deps.pool(shard);
      const read = records.map((one) => ({ row: one.row, fields: fieldsOf(one) }));
      const mended = await correctListRecords(pool, { account, id: list.id }, read);
      if (!mended) throw notFound(`list ${list.id}`);
      const [now] = await findDestinationLists(pool, { account, id: list.id, limit: 1 });
      return {
        mended: mended.taken,
        list: toDestinationListAnswer(now ?? list),
        rejects: mended.rejects.map((one) => toRejectedRowAnswer(list.file, one)),
      };
    },
  }),
};

/** In the order of a list's columns. */
const fieldsOf = (one: z.output<typeof correction>): string[] => [
  ...[one.phone, one.name, one.cod_cli],
  ...[one.extra1, one.extra2, one.extra3, one.extra4],
];

/** A person who mends the file looks for the line in it, and not for the record. */
const withFileLine = (fault: string, line: number | undefined): string =>
  line === undefined ? fault : fault.replace(/^record \d+: /, `line ${line}: `);

/** Stores the list and answers its id. Throws a 400 with the operation's code for a file that is no list. */
const load = async (
  { services }: Pick<AdminDeps, 'services'>,
  account: AccountRow,
  file: RequestFile,
  name: string | undefined,
): Promise<number> => {
  const source = { file, as: 'file' } as const;
  const loaded = await loadUploadedList(services, {
    account,
    name: name?.trim() || defaultListName(account.id, source, services.engine.now(account.shard)),
    correlation: '',
    source,
    keepsAllRefused: true,
  });
  if (!('failed' in loaded)) return loaded.id;
  const code = loaded.failed === 'executable' ? errors.executable.code : errors.notLoaded.code;
  throw new AdminError(400, withFileLine(listFaultText(source, loaded.why), loaded.line), {
    field: null,
    code,
  });
};
