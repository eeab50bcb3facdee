/**
 * Block lists by file: numbers that are put on an account's list, or taken off it, as their file comes in. Of the file
 * nothing is held but a batch; each batch is in the journal before the next is read, so a file that breaks off has done what
 * came before, and may be sent again: what stands is left as it is.
 */
import type { Context } from 'koa';
import * as z from 'zod';
import { ListLoadSemaphore } from '../../operations/lists/semaphore.ts';
import { drainRequestBody } from '../../rest/drainRefusedRequestBody.ts';
import { UploadRefused } from '../../rest/upload/refused.ts';
import {
  PhoneNumberFileReader,
  type PhoneNumberFileOptions,
  type RefusedLine,
} from '../../rules/lists/numberFile.ts';
import { findBlockedNumbers } from '../../store/reads/lists/blocklist.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import { text } from '../fieldSchemas.ts';
import { AdminError } from '../adminErrorsAndRequestParsing.ts';
import { isBrokenOff, readUploadedFile } from '../readUploadedFile.ts';

/** Of a file. Five million numbers with their country code are 70 MB. */
const mostBytes = 200_000_000;
const mostLines = 5_000_000;
/** Numbers that are looked up and written together. */
const BATCH = 5_000;
/** Files at a time, and that may wait. */
const AT_ONCE = 2;
const WAITING = 8;

const whole = (most: number) => z.coerce.number().int().min(1).max(most).default(1);
const asked = z.strictObject({
  reason: text(200).default(''),
  /** Which field of a line is the number. */
  column: whole(100),
  /** Which line of the whole file the first one is, for files that are sent in pieces. */
  first_line: whole(1_000_000_000),
});
const askedToRemove = asked.omit({ reason: true });

/** What became of a batch: how many were changed, and how many stood so already. */
type Write = (numbers: readonly string[]) => Promise<{ changed: number; stood: number }>;

interface Done {
  lines: number;
  changed: number;
  stood: number;
  refused: number;
  refusals: readonly RefusedLine[];
}

/** What is answered of a file beside the counts of what was changed. */
const done = {
  lines: z.int().describe('Lines that were read.'),
  refused: z.int().describe('Lines whose number is none.'),
  refusals: z.array(z.object({ line: z.int(), why: z.string() })).describe('The first of them.'),
};

const refuses = {
  413: 'The file is too large, or has too many lines.',
  415: 'It is compressed, or JSON.',
  503: 'As many files as may be read at a time are read already.',
};

/** Files of all accounts of a service. */
const turns = new WeakMap<AdminDeps, ListLoadSemaphore>();

const turnsOf = (deps: AdminDeps): ListLoadSemaphore => {
  const known = turns.get(deps) ?? new ListLoadSemaphore(AT_ONCE, WAITING);
  turns.set(deps, known);
  return known;
};

export const blocklistFileRoutes = {
  'POST /accounts/:account/blocklist/import': defineRoute({
    role: 'admin',
    summary: 'Puts the numbers of a file on the block list.',
    scope: accountInPath,
    query: asked,
    file: 'csv',
    answer: z.object({
      added: z.int(),
      already_there: z.int(),
      ...done,
    }),
    refuses,
    example: {
      query: { reason: 'asked us' },
      answer: { added: 2, already_there: 1, lines: 3, refused: 0, refusals: [] },
    },
    handle: async ({ deps, ctx, account: { id: account, shard }, query: { reason, ...options } }) => {
      const at = deps.now();
      const rows = (numbers: readonly string[]) =>
        numbers.map((number) => ({ account, number, reason, at, replaces: false }));
      const { changed, stood, ...rest } = await turnsOf(deps).take(() =>
        readFile(ctx, options, async (numbers) => {
          const there = await findBlockedNumbers(deps.pool(shard), account, numbers);
          const fresh = [...new Set(numbers)].filter((number) => !there.has(number));
          if (fresh.length > 0) await deps.engine.keep(shard, { blocked: rows(fresh) });
          return { changed: fresh.length, stood: numbers.length - fresh.length };
        }),
      );
      return audited(ctx, { added: changed, already_there: stood, ...rest });
    },
  }),
  'POST /accounts/:account/blocklist/remove': defineRoute({
    role: 'admin',
    summary: 'Takes the numbers of a file off the block list.',
    scope: accountInPath,
    query: askedToRemove,
    file: 'csv',
    answer: z.object({ removed: z.int(), not_there: z.int(), ...done }),
    refuses,
    example: { answer: { removed: 2, not_there: 1, lines: 3, refused: 0, refusals: [] } },
    handle: async ({ deps, ctx, account: { id: account, shard }, query }) => {
      const { changed, stood, ...rest } = await turnsOf(deps).take(() =>
        readFile(ctx, query, async (numbers) => {
          const there = [...(await findBlockedNumbers(deps.pool(shard), account, numbers))];
          const unblocked = there.map((number) => ({ account, number }));
          if (there.length > 0) await deps.engine.keep(shard, { unblocked });
          return { changed: there.length, stood: numbers.length - there.length };
        }),
      );
      return audited(ctx, { removed: changed, not_there: stood, ...rest });
    },
  }),
};

/** The counts stand in the audit log too; the file does not. */
const audited = <Counts extends object>(ctx: Context, counts: Counts): Counts => {
  (ctx.request as { body?: unknown }).body = counts;
  return counts;
};

const readFile = async (
  ctx: Context,
  { column, first_line: firstLine }: { column: number; first_line: number },
  write: Write,
): Promise<Done> => {
  const counts = { changed: 0, stood: 0 };
  try {
    const file = await readNumbers(ctx, { column, firstLine }, async (numbers) => {
      const { changed, stood } = await write(numbers);
      counts.changed += changed;
      counts.stood += stood;
    });
    const { lines, refused, refusals } = file;
    if (lines === 0 && firstLine === 1)
      throw new AdminError(400, 'the file holds no numbers', { field: null });
    return { ...counts, lines, refused, refusals };
  } catch (error) {
    drainRequestBody(ctx.req, ctx.res);
    if (error instanceof AdminError)
      throw new AdminError(error.status, error.message, { ...error.more, done_before: counts.changed });
    throw error instanceof UploadRefused || isBrokenOff(error)
      ? new AdminError(400, sentences[whyOf(error)], { field: null, done_before: counts.changed })
      : error;
  }
};

const readNumbers = async (
  ctx: Context,
  options: PhoneNumberFileOptions,
  write: (numbers: readonly string[]) => Promise<void>,
): Promise<PhoneNumberFileReader> => {
  const file = new PhoneNumberFileReader(options);
  for await (const chunk of readUploadedFile(ctx, mostBytes)) {
    if (file.isWorkbook(chunk))
      throw new AdminError(
        400,
        'the file is a spreadsheet or an archive; save the sheet as CSV and send that',
      );
    file.push(chunk);
    if (file.lines > mostLines)
      throw new AdminError(413, `the file has more than ${mostLines} lines; send it in pieces`);
    if (file.waiting >= BATCH) await write(file.take());
  }
  file.end();
  const rest = file.take();
  if (rest.length > 0) await write(rest);
  return file;
};

const sentences = {
  partial: 'the body ended before its end; send the file again: what is on the list stays as it is',
  unreadable: 'the body is no readable multipart form',
};

const whyOf = (error: unknown): keyof typeof sentences =>
  error instanceof UploadRefused && error.why !== 'partial' ? 'unreadable' : 'partial';
