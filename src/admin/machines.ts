/** Machines: found, read, explained, and moved on by an operator. */
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import type { MachineRef, MachineView } from '../engine/contract/api.ts';
import { callbacksOf } from '../store/reads/deliveries/deliveryRecords.ts';
import {
  accountsOfMachine,
  findMachines,
  type MachineListRow,
  recordOf,
} from '../store/reads/machines/machines.ts';
import { readCallId, writeCallId } from '../wire/callId.ts';
import type { AdminDoor } from './api.ts';
import { explain, isOfSandbox } from './explain.ts';
import { heldBy } from './explained/held.ts';
import { languageOf } from './explained/language.ts';
import { readOperatorEvent } from './operatorEvent.ts';
import { AdminError, notFound } from './respond.ts';

const pageSize = 100;
/** Entries of history shown at once; the rest by `?after=<revision>`. */
const historyPage = 500;

export const machineRoutes = (router: Router, door: AdminDoor): void => {
  router.get('/machines', async (ctx) => {
    ctx.body = await list(door, ctx);
  });

  router.get('/machines/:id', async (ctx) => {
    const { ref, view } = await machineOf(door, ctx);
    const history = await door.engine.history(ref, revisionIn(ctx.query['after']), historyPage);
    const table = door.kind(view.kind)?.record?.table;
    const record = table && (await recordOf(door.pool(ref.shard), table, ref.account, ref.id));
    const callbacks = record && (await callbacksOfMachine(door, ref, view));
    ctx.body = {
      ...showView(view),
      history,
      record: record
        ? { ...record, ...sandboxOf(record), ...(callbacks && { cd_returl: callbacks.result }) }
        : null,
    };
  });

  router.get('/machines/:id/explain', async (ctx) => {
    const { ref, view } = await machineOf(door, ctx);
    const callbacks = await callbacksOfMachine(door, ref, view);
    const now = door.engine.now(view.shard);
    const account = await door.control.account(ref.account);
    const held = await heldBy({
      view,
      pool: door.pool(ref.shard),
      switchedOff: account ? await door.control.switchedOff(account) : ref.account,
      now,
    });
    const language = languageOf(ctx.query['lang'], ctx.get('accept-language'));
    const zone = account?.time_zone ?? 'UTC';
    ctx.body = explain(view, door.kind(view.kind), now, callbacks, { held, language, zone });
  });

  router.post('/machines/:id/events', async (ctx) => {
    const { ref, view } = await machineOf(door, ctx);
    const sent = readOperatorEvent(view.kind, door.engine.operatorEvents(view.kind), ctx.request.body);
    const result = await door.engine.send(ref, sent);
    if (result.outcome === 'gone')
      throw new AdminError(409, 'the machine has ended; nothing will hear the event');
    ctx.status = result.outcome === 'left' ? 202 : 200;
    ctx.body = result;
  });

  router.post('/machines/:id/effects/:effect/retry', async (ctx) => {
    const { ref } = await machineOf(door, ctx);
    const effect = ctx.params['effect'] ?? '';
    if (!(await door.engine.retryEffect(ref, effect)))
      throw new AdminError(409, `effect ${effect} is not owed, or was begun and must not be twice`);
    ctx.status = 202;
    ctx.body = { effect, outcome: 'performing' };
  });
};

/** Of a call: whether its carrier is the sandbox. A message's record says it by itself. */
const sandboxOf = (record: Readonly<Record<string, unknown>>) =>
  'route' in record ? { sandbox: isOfSandbox(record) } : {};

/** Whole ones that the database can count to; anything else is the beginning. */
const revisionIn = (text: unknown): number =>
  typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : -1;

/** How whoever wants to hear of a call or message is told; undefined for other machines. */
const callbacksOfMachine = async (door: AdminDoor, ref: MachineRef, { kind }: MachineView) =>
  kind === 'call' || kind === 'message'
    ? callbacksOf(door.pool(ref.shard), ref.account, ref.id, door.engine.now(ref.shard))
    : undefined;

const list = async (door: AdminDoor, { query }: Context) => {
  const asked = (name: string): string | undefined =>
    typeof query[name] === 'string' && query[name] !== '' ? query[name] : undefined;
  const account = asked('account');
  if (account !== undefined && !/^\d{1,9}$/.test(account))
    throw new AdminError(400, 'account: must be a number', { field: 'account' });
  const filter = {
    ...(asked('kind') && { kind: asked('kind')! }),
    ...(asked('state') && { state: asked('state')! }),
    ...(account && { account: Number(account) }),
    ...(asked('attention') === '1' && { attention: true as const }),
    ...textFilter(door, asked('q')),
  };
  const cursor = readCursor(asked('cursor'));
  const from = cursor ? door.shards.indexOf(cursor.shard) : 0;
  const found: (MachineListRow & { shard: string })[] = [];
  for (const shard of door.shards.slice(Math.max(from, 0))) {
    const after = cursor?.shard === shard ? { after: cursor } : {};
    const limit = pageSize + 1 - found.length;
    const rows = await findMachines(door.pool(shard), { ...filter, ...after, limit });
    found.push(...rows.map((row) => ({ ...row, shard })));
    if (found.length > pageSize) break;
  }
  const page = found.slice(0, pageSize);
  const last = page.at(-1);
  return {
    machines: page.map(showRow),
    cursor: found.length > pageSize && last ? writeCursor(last) : null,
    // Of a shard that is closed no machine moves, whatever its own attention says.
    attention: door.shardSentences(),
  };
};

/** A full name finds the machine of that number. */
const textFilter = (door: AdminDoor, text: string | undefined): { text?: string } => {
  if (text === undefined) return {};
  const named = readCallId(text, '');
  return { text: named && door.shards.includes(named.shard) ? String(named.id) : text };
};

/** The machine a path names: `<shard>_<id>`, or a bare number when only one machine has it. `?account=` tells small ids apart. */
const machineOf = async (door: AdminDoor, ctx: Context): Promise<{ ref: MachineRef; view: MachineView }> => {
  const text = (ctx as Context & { params: Record<string, string> }).params['id'] ?? '';
  const named = readCallId(text, '');
  const shards = door.shards.filter((shard) => named && (named.shard === '' || named.shard === shard));
  const refs = (
    await Promise.all(shards.map((shard) => refsOf(door, shard, named!.id, ctx.query['account'])))
  ).flat();
  if (refs.length > 1) throw new AdminError(409, `${text} names machines of several accounts; add ?account=`);
  const view = refs[0] && (await door.engine.view(refs[0]));
  if (!view) throw notFound(`machine ${text}`);
  return { ref: refs[0]!, view };
};

const refsOf = async (
  door: AdminDoor,
  shard: string,
  id: number,
  account: unknown,
): Promise<MachineRef[]> => {
  if (typeof account === 'string' && /^\d{1,9}$/.test(account))
    return [{ shard, account: Number(account), id }];
  const accounts = await accountsOfMachine(door.pool(shard), id);
  return accounts.map((found) => ({ shard, account: found, id }));
};

const showRow = ({ id, shard, account_id, ...row }: MachineListRow & { shard: string }) => ({
  id: writeCallId(shard, id),
  account: account_id,
  ...row,
});

const showView = ({ shard, id, ...view }: MachineView) => ({ id: writeCallId(shard, id), shard, ...view });

const writeCursor = ({ shard, account_id, id }: MachineListRow & { shard: string }): string =>
  Buffer.from(`${shard} ${account_id} ${id}`).toString('base64url');

const readCursor = (text: string | undefined): { shard: string; account: number; id: number } | undefined => {
  if (text === undefined) return undefined;
  const match = /^(\S+) (\d{1,9}) (\d{1,16})$/.exec(Buffer.from(text, 'base64url').toString());
  if (!match) throw new AdminError(400, 'cursor: is not one of ours', { field: 'cursor' });
  return { shard: match[1]!, account: Number(match[2]), id: Number(match[3]) };
};
