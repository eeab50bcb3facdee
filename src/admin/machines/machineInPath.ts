/** Which machine a path names. */
import type { Context } from 'koa';
import * as z from 'zod';
import type { MachineRef, MachineView } from '../../engine/contract/api.ts';
import { accountsOfMachine } from '../../store/reads/machines/machines.ts';
import { readCallId } from '../../wire/callId.ts';
import type { PathResourceLookup } from '../routeDeclaration.ts';
import { noteAccountOfRequest } from '../admitAndAuditAdministrator.ts';
import type { AdminDeps } from '../deps.ts';
import { neverRefusedQueryField } from '../fieldSchemas.ts';
import { AdminError, notFound } from '../adminErrorsAndRequestParsing.ts';

export const machineAccountQueryField = neverRefusedQueryField.describe(
  'Whose; tells small ids apart, which several accounts have.',
);

/** The machine that a path names. */
export const machineInPath: PathResourceLookup<{ ref: MachineRef; view: MachineView }> = {
  params: {
    id: z.string().describe('`<shard>_<number>`, or the number where only one machine has it.'),
  },
  find: ({ deps, ctx, written }) => machineOf(deps, ctx, written['id'] ?? ''),
};

/** The machine a path names: `<shard>_<id>`, or a bare number when only one machine has it. `?account=` tells small ids apart. */
const machineOf = async (deps: AdminDeps, ctx: Context, text: string): Promise<FoundMachine> => {
  const found = await requireMachineById(deps, text, ctx.query['account']);
  noteAccountOfRequest(ctx, found.ref.account);
  return found;
};

interface FoundMachine {
  ref: MachineRef;
  view: MachineView;
}

/** The machine of a name, as paths name it. Throws a 404, or a 409 where several have it and no account tells them apart. */
export const requireMachineById = async (
  deps: AdminDeps,
  text: string,
  account: unknown,
): Promise<FoundMachine> => {
  const named = readCallId(text, '');
  const shards = deps.shards.filter((shard) => named && (named.shard === '' || named.shard === shard));
  const refs = (await Promise.all(shards.map((shard) => refsOf(deps, shard, named!.id, account)))).flat();
  if (refs.length > 1) throw new AdminError(409, `${text} names machines of several accounts; add ?account=`);
  const view = refs[0] && (await deps.engine.view(refs[0]));
  if (!view) throw notFound(`machine ${text}`, ...shards);
  return { ref: refs[0]!, view };
};

const refsOf = async (
  deps: AdminDeps,
  shard: string,
  id: number,
  account: unknown,
): Promise<MachineRef[]> => {
  if (typeof account === 'string' && /^\d{1,9}$/.test(account))
    return [{ shard, account: Number(account), id }];
  const accounts = await accountsOfMachine(deps.pool(shard), id);
  return accounts.map((found) => ({ shard, account: found, id }));
};
