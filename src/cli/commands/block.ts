/** `ramal block`: numbers that an account never calls, by file. */
import { open, stat } from 'node:fs/promises';
import type { Command } from 'commander';
import type { AdminRouteAnswer } from '../../admin/client.ts';
import { wrongUsageFailure } from '../failure.ts';
import type { ServiceClient } from '../http.ts';
import { formatHelpExamples } from '../help.ts';
import {
  resolveAccountOption,
  type WrapCommandAction,
  type CommandContext,
  parseWholeNumberOption,
  accountOption,
} from '../commandActionWrapper.ts';
import { openProgressDisplay } from '../progress.ts';
import { type TerminalTableColumn, formatTerminalTable } from '../formatTerminalTable.ts';
import { formatThousands } from '../format.ts';

interface Options {
  account?: string;
  reason?: string;
  column: string;
}

export const blocklistCommands = (program: Command, act: WrapCommandAction): void => {
  const block = program.command('block').description('block list: numbers that are never called');
  block
    .command('import <file>')
    .description('put the numbers of a file on the block list; needs the admin token')
    .option(...accountOption)
    .option('--reason <text>', 'why they are on it')
    .option(...ofColumn)
    .addHelpText(
      'after',
      `${ofFile}\n${formatHelpExamples('block import do-not-call.csv --reason "asked us"')}`,
    )
    .action(act((job, options: Options, file) => bring(job, options, { file, way: 'import' })));
  block
    .command('remove <file>')
    .description('take the numbers of a file off the block list; needs the admin token')
    .option(...accountOption)
    .option(...ofColumn)
    .addHelpText('after', `${ofFile}\n${formatHelpExamples('block remove mistaken.csv')}`)
    .action(act((job, options: Options, file) => bring(job, options, { file, way: 'remove' })));
};

const ofColumn = ['--column <n>', 'which field of a line is the number', '1'] as const;

const ofFile = `
A line holds a number, as it is written or as it is dialled; other fields of the
line are passed over, and so is a first line without digits. A line that is no
number is counted and named; the others are taken. The same file may be sent
again: numbers that stand stay as they are.`;

type Refusal = AdminRouteAnswer<'POST /accounts/:account/blocklist/import'>['refusals'][number];

/** Lines that are named. */
const mostNamed = 20;

const bring = async (
  job: CommandContext,
  options: Options,
  { file, way }: { file: string; way: 'import' | 'remove' },
): Promise<void> => {
  const { client, out, shell } = job;
  const column = parseWholeNumberOption(options.column, '--column');
  const size = await sizeOf(file);
  const path = { account: await resolveAccountOption(job, options) };
  const progress = openProgressDisplay(shell, out.json);
  const total = { lines: 0, changed: 0, stood: 0, refused: 0, refusals: [] as Refusal[] };
  try {
    for await (const { bytes, firstLine, upTo } of piecesOf(file)) {
      const query = { column, first_line: firstLine };
      const answer = await bringPiece(client, way, { path, query, body: bytes }, options.reason);
      total.lines += answer.lines;
      total.changed += answer.changed;
      total.stood += answer.stood;
      total.refused += answer.refused;
      total.refusals.push(...answer.refusals.slice(0, mostNamed - total.refusals.length));
      progress.step(`${formatThousands(total.lines)} lines`, upTo, size);
    }
  } finally {
    progress.end();
  }
  const { lines, changed, stood, refused, refusals } = total;
  const counts =
    way === 'import' ? { added: changed, already_there: stood } : { removed: changed, not_there: stood };
  out.tell({ lines, ...counts, refused, refusals });
  out.say(
    way === 'import'
      ? `${formatThousands(changed)} numbers were added, ${formatThousands(stood)} were there already.`
      : `${formatThousands(changed)} numbers were taken off, ${formatThousands(stood)} were not there.`,
  );
  if (refused === 0) return;
  out.say(
    refused > refusals.length
      ? `${formatThousands(refused)} lines are no numbers; the first of them:`
      : `${formatThousands(refused)} ${refused === 1 ? 'line is no number' : 'lines are no numbers'}:`,
    ...formatTerminalTable(refusals, refusalColumns, { paint: out.paint, width: out.columns }),
  );
};

interface Sent {
  path: { account: number };
  query: { column: number; first_line: number };
  body: Uint8Array<ArrayBuffer>;
}

/** Sends a piece; how many numbers were changed, and how many stood so already. */
const bringPiece = async (client: ServiceClient, way: 'import' | 'remove', sent: Sent, reason?: string) => {
  if (way === 'import') {
    const query = { ...sent.query, reason };
    const done = await client.admin('POST /accounts/:account/blocklist/import', { ...sent, query });
    return { ...done, changed: done.added, stood: done.already_there };
  }
  const done = await client.admin('POST /accounts/:account/blocklist/remove', sent);
  return { ...done, changed: done.removed, stood: done.not_there };
};

const refusalColumns: TerminalTableColumn<Refusal>[] = [
  { title: 'line', cell: ({ line }) => String(line), right: true },
  { title: 'reason', cell: ({ why }) => why },
];

const sizeOf = async (file: string): Promise<number> => {
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) throw wrongUsageFailure(`there is no file ${file}`);
  if (found.size === 0) throw wrongUsageFailure(`the file ${file} is empty`);
  return found.size;
};

/** Of a piece. A request is answered when its numbers are written: some seconds for so many. */
const pieceBytes = 4 * 1024 * 1024;
const newline = 0x0a;

interface Piece {
  bytes: Uint8Array<ArrayBuffer>;
  /** Which line of the file its first one is. */
  firstLine: number;
  /** Where it ends. */
  upTo: number;
}

/** A file in pieces of whole lines; a line that is longer than a piece is cut, and refused as it would be whole. */
async function* piecesOf(file: string): AsyncGenerator<Piece> {
  const handle = await open(file);
  try {
    let firstLine = 1;
    for (let at = 0; ;) {
      const memory = new Uint8Array(pieceBytes);
      const { bytesRead } = await handle.read(memory, 0, pieceBytes, at);
      if (bytesRead === 0) return;
      const isLast = bytesRead < pieceBytes;
      const end = isLast ? bytesRead : memory.lastIndexOf(newline) + 1 || bytesRead;
      const bytes = memory.subarray(0, end);
      at += end;
      yield { bytes, firstLine, upTo: at };
      firstLine += linesIn(bytes);
    }
  } finally {
    await handle.close();
  }
}

const linesIn = (bytes: Uint8Array): number => {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return lines;
};
