/** Which machines a list shows: what `GET /machines` takes in its query, and what the database is asked for then. */
import * as z from 'zod';
import type { MachineQuery } from '../../store/reads/machines/machines.ts';
import { readCallId } from '../../wire/callId.ts';
import type { AdminDeps } from '../deps.ts';
import { accountIdField, listQueryField, optionalQueryField, queryMoment, text } from '../fieldSchemas.ts';
import { AdminError, omitUndefined } from '../adminErrorsAndRequestParsing.ts';
import { isMachineState } from './machineStateNames.ts';

const kinds = ['call', 'campaign', 'message', 'template', 'delivery', 'line'] as const;

const onlyTrue = z
  .enum(['1', '0', 'true', 'false'], 'must be true or false')
  .transform((written) => written === '1' || written === 'true')
  .meta({ json: { type: 'boolean' } });

const several = 'Several stand with commas between them.';

export const machineListQuery = z.object({
  kind: optionalQueryField(z.enum(kinds, `must be one of ${kinds.join(', ')}`)),
  state: listQueryField.describe(`A state, or one that contains it. ${several}`),
  except: listQueryField.describe(`States that are left out, and those that they contain. ${several}`),
  account: optionalQueryField(accountIdField),
  attention: optionalQueryField(onlyTrue).describe('true: only those that an operator should look at.'),
  campaign: optionalQueryField(
    z
      .string()
      .regex(/^\d{1,9}$/, 'must be a number')
      .transform(Number)
      .meta({ json: { type: 'integer', minimum: 0 } }),
  ).describe('Only calls of this campaign.'),
  channel: optionalQueryField(text(60)).describe(
    'Only messages of this channel, or deliveries of this purpose: sms, whatsapp, callback and others.',
  ),
  outcome: listQueryField.describe(
    `Only messages and deliveries whose record stands in one of these states: delivered, failed and others. ${several}`,
  ),
  happened: optionalQueryField(
    z.enum(['attempts', 'answers', 'drops', 'failed'], 'must be one of attempts, answers, drops, failed'),
  ).describe(
    'Only calls that were dialled (attempts), were answered (answers), were to be passed on and not taken (drops), or' +
      ' found no way to the person (failed), from `since` until `until`.',
  ),
  since: optionalQueryField(queryMoment).describe(
    'Only those that began then or later; beside `happened`, whose calls did.',
  ),
  until: optionalQueryField(queryMoment).describe('Only those that began, or whose calls did, before.'),
  q: optionalQueryField(z.string()).describe("A machine's id, or a call's destination or correlation id."),
  cursor: optionalQueryField(
    z.string().transform((written, context) => {
      const cursor = readCursor(written);
      if (cursor) return cursor;
      context.addIssue({ code: 'custom', message: 'is not one of ours' });
      return z.NEVER;
    }),
  ),
});

export type MachineListQuery = z.output<typeof machineListQuery>;

/** What the database of a shard is asked for. Throws a 400 for a state that no machine of the kind has. */
export const machineListFilter = (deps: AdminDeps, asked: MachineListQuery): Omit<MachineQuery, 'limit'> => {
  const { kind, state, except, account, campaign, channel, outcome } = asked;
  checkStates(deps, 'state', state, kind);
  checkStates(deps, 'except', except, kind);
  return {
    ...omitUndefined({ kind, states: state, except, account, campaign, channel, outcomes: outcome }),
    ...momentsOf(asked),
    ...(asked.attention === true && { attention: true as const }),
    ...textFilter(deps, asked.q),
  };
};

const momentsOf = ({ happened: what, since, until }: MachineListQuery): Partial<MachineQuery> =>
  what === undefined
    ? omitUndefined({ since, until })
    : { happened: { what, from: since ?? 0, until: until ?? Number.MAX_SAFE_INTEGER } };

const checkStates = (
  { kind: kindOf }: AdminDeps,
  field: 'state' | 'except',
  states: readonly string[] | undefined,
  kind: (typeof kinds)[number] | undefined,
): void => {
  const asked = (kind === undefined ? kinds : [kind]).flatMap((name) => kindOf(name) ?? []);
  const wrong = states?.find((state) => !asked.some((one) => isMachineState(one, state)));
  if (wrong === undefined) return;
  const whose = kind === undefined ? 'machine' : kind;
  throw new AdminError(400, `${field}: no ${whose} has the state ${wrong.slice(0, 60)}`, { field });
};

/** A full name finds the machine of that number. */
const textFilter = (deps: AdminDeps, written: string | undefined): { text?: string } => {
  if (written === undefined) return {};
  const named = readCallId(written, '');
  return { text: named && deps.shards.includes(named.shard) ? String(named.id) : written };
};

/** After which row of which shard a page goes on. */
type Cursor = { shard: string; account: number; id: number };

export const writeCursor = ({ shard, account, id }: Cursor): string =>
  Buffer.from(`${shard} ${account} ${id}`).toString('base64url');

const readCursor = (written: string): Cursor | undefined => {
  const match = /^(\S+) (\d{1,9}) (\d{1,16})$/.exec(Buffer.from(written, 'base64url').toString());
  return match ? { shard: match[1]!, account: Number(match[2]), id: Number(match[3]) } : undefined;
};
