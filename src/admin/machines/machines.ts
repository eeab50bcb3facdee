/** Machines: found, read, explained, and moved on by an operator. */
import * as z from 'zod';
import type { MachineRef, MachineView } from '../../engine/contract/api.ts';
import { findCallbackDeliveryBySubject } from '../../store/reads/deliveries/deliveryRecords.ts';
import {
  findMachines,
  type MachineListRow,
  readMachineRecord,
  readMachineTitles,
} from '../../store/reads/machines/machines.ts';
import { writeCallId } from '../../wire/callId.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import { explainMachine, isRecordCarriedBySandbox } from '../explainMachine.ts';
import { attentionInWords } from '../explained/attentionInWords.ts';
import { explainAccountAndCampaignHolds } from '../explained/accountAndCampaignHolds.ts';
import { negotiateLanguage } from '../explained/language.ts';
import { accountsShown, accountsShownSchema } from '../accounts/accountsShown.ts';
import { anyObject, neverRefusedQueryField, nextPageFieldsSchema } from '../fieldSchemas.ts';
import { AdminError } from '../adminErrorsAndRequestParsing.ts';
import { machineAccountQueryField, machineInPath } from './machineInPath.ts';
import { type MachineListQuery, machineListFilter, machineListQuery, writeCursor } from './machineFilters.ts';
import { machineExplanationSchema, machineSchema, row, machineRowExample, sent } from './machineSchemas.ts';
import { describeSounds } from './soundRoutes.ts';
import { describeOperatorEvents, operatorEventSchema, readOperatorEvent } from './operatorEventSchemas.ts';

const pageSize = 100;
/** Entries of history shown at once; the rest by `?after=<revision>`. */
const historyPage = 500;

export const machineRoutes = {
  'GET /machines': defineRoute({
    role: 'operator',
    summary: 'Finds machines: calls, campaigns, messages, templates, deliveries and lines.',
    query: machineListQuery,
    answer: z.object({
      machines: z.array(row),
      ...nextPageFieldsSchema.shape,
      attention: z.array(z.string()).describe('Why shards are not served here, a sentence each.'),
      ...accountsShownSchema.shape,
    }),
    example: {
      query: { kind: 'call', q: '5511987650000' },
      answer: {
        ...{ machines: [machineRowExample], cursor: null, attention: [] },
        ...{ accounts: { 3: 'Demo' }, zones: { 3: 'America/Sao_Paulo' } },
      },
    },
    handle: ({ deps, query }) => list(deps, query),
  }),
  'GET /machines/:id': defineRoute({
    role: 'operator',
    summary: 'Shows a machine: its state, what it remembers, what it waits for, and what happened to it.',
    scope: machineInPath,
    query: z.object({
      account: machineAccountQueryField,
      after: neverRefusedQueryField.describe('A revision: the history from after it on.'),
    }),
    answer: machineSchema.extend({
      time_zone: z.string().describe('That of its account, in which its times are shown.'),
      events: z
        .array(
          z.object({
            type: z.string(),
            schema: anyObject.describe('JSON Schema of what it says besides its type.'),
            taken_in: z
              .array(z.string())
              .describe('States in which the machine takes it; in any other `state` it changes nothing.'),
          }),
        )
        .describe('Events that operators may send it.'),
      sounds: z
        .array(
          z.object({
            name: z.string().describe('What it is for: `opening`, `slot 3` and others.'),
            text: z.string().describe('What is said; empty: a file is played.'),
          }),
        )
        .describe('What it says and plays; heard by their places under `/machines/:id/sounds/:sound`.'),
    }),
    refuses: { 409: 'The number is that of machines of several accounts.' },
    example: {
      answer: {
        ...{ id: 'a_746512037707776', shard: 'a', account: 3, kind: 'call', version: 1, revision: 3 },
        ...{ state: 'talking', milestones: [], context: {}, pending: false, agenda: [], wakeAt: null },
        ...{ heldBy: 1, attention: null, attention_in_words: null },
        ...{ createdAt: 1_795_325_744_421, endedAt: null, history: [] },
        ...{
          record: null,
          time_zone: 'America/Sao_Paulo',
          events: [
            { type: 'cancel', schema: { type: 'object', properties: {} }, taken_in: ['answered.talking'] },
          ],
        },
        sounds: [{ name: 'opening', text: 'Olá' }],
      },
    },
    handle: async ({ deps, ref, view, query }) => {
      const table = deps.kind(view.kind)?.record?.table;
      const [history, record, callbacks, owner] = await Promise.all([
        deps.engine.history(ref, revisionIn(query.after), historyPage),
        table === undefined ? undefined : readMachineRecord(deps.pool(ref.shard), table, ref.account, ref.id),
        callbacksOfMachine(deps, ref, view),
        deps.control.account(ref.account),
      ]);
      return {
        ...toAdminMachineAnswer(view),
        history,
        time_zone: owner?.time_zone ?? 'UTC',
        events: describeOperatorEvents(
          view.kind,
          deps.engine.operatorEvents(view.kind),
          deps.kind(view.kind)?.versions[view.version],
        ),
        sounds: describeSounds(deps, view),
        record: record
          ? { ...record, ...sandboxOf(record), ...(callbacks && { cd_returl: callbacks.result }) }
          : null,
      };
    },
  }),
  'GET /machines/:id/explain': defineRoute({
    role: 'operator',
    summary: 'Says why a machine waits, or did not do what one might have expected.',
    scope: machineInPath,
    query: z.object({
      account: machineAccountQueryField,
      lang: neverRefusedQueryField.describe('`en` or `pt`; default: as the request accepts, else `en`.'),
    }),
    answer: machineExplanationSchema,
    refuses: { 409: 'The number is that of machines of several accounts.' },
    example: {
      answer: {
        ...{ id: 'a_746512037707776', kind: 'call', state: 'talking', ended: false, reasons: [] },
        ...{ waitsFor: [], attention: null, sentences: ['The call is up.'] },
      },
    },
    handle: async ({ deps, ctx, ref, view, query }) => {
      const now = deps.engine.now(view.shard);
      const [callbacks, owner] = await Promise.all([
        callbacksOfMachine(deps, ref, view),
        deps.control.account(ref.account),
      ]);
      const held = await explainAccountAndCampaignHolds({
        view,
        pool: deps.pool(ref.shard),
        switchedOff: owner ? await deps.control.switchedOff(owner) : ref.account,
        now,
      });
      const language = negotiateLanguage(query.lang, ctx.get('accept-language'));
      const zone = owner?.time_zone ?? 'UTC';
      return explainMachine(view, deps.kind(view.kind), now, callbacks, { held, language, zone });
    },
  }),
  'POST /machines/:id/events': defineRoute({
    role: 'operator',
    summary: 'Sends a machine an event that operators may send: cancel, retryNow, replay and others.',
    scope: machineInPath,
    query: z.object({ account: machineAccountQueryField }),
    body: operatorEventSchema,
    answer: sent,
    also: { 202: 'Another node holds it and hears it in a moment.' },
    refuses: { 409: 'It has ended, or several accounts have one of this number.' },
    example: { body: { type: 'cancel' }, answer: { outcome: 'stepped', state: 'ended' } },
    handle: async ({ deps, ref, view, body, status }) => {
      const event = readOperatorEvent(view.kind, deps.engine.operatorEvents(view.kind), body);
      const result = await deps.engine.send(ref, event);
      if (result.outcome === 'gone')
        throw new AdminError(409, 'the machine has ended; nothing will hear the event');
      if (result.outcome === 'left') status(202);
      return result;
    },
  }),
};

/** Of a call: whether its carrier is the sandbox. A message's record says it by itself. */
const sandboxOf = (record: Readonly<Record<string, unknown>>) =>
  'route' in record ? { sandbox: isRecordCarriedBySandbox(record) } : {};

/** Whole ones that the database can count to; anything else is the beginning. */
const revisionIn = (text: unknown): number =>
  typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : -1;

/** How the events of a call or message are delivered; undefined for other machines. */
const callbacksOfMachine = async (deps: AdminDeps, ref: MachineRef, { kind }: MachineView) =>
  kind === 'call' || kind === 'message'
    ? findCallbackDeliveryBySubject(deps.pool(ref.shard), ref.account, ref.id, deps.engine.now(ref.shard))
    : undefined;

const list = async (deps: AdminDeps, asked: MachineListQuery) => {
  const filter = machineListFilter(deps, asked);
  const { cursor } = asked;
  const from = cursor ? deps.shards.indexOf(cursor.shard) : 0;
  const found: (MachineListRow & { shard: string })[] = [];
  for (const shard of deps.shards.slice(Math.max(from, 0))) {
    const after = cursor?.shard === shard ? { after: cursor } : {};
    const limit = pageSize + 1 - found.length;
    const rows = await findMachines(deps.pool(shard), { ...filter, ...after, limit });
    found.push(...rows.map((row) => ({ ...row, shard })));
    if (found.length > pageSize) break;
  }
  const page = found.slice(0, pageSize);
  const last = page.at(-1);
  return {
    machines: await showRows(deps, page),
    cursor: found.length > pageSize && last ? writeCursor({ ...last, account: last.account_id }) : null,
    // Of a shard that is closed no machine moves, whatever its own attention says.
    attention: deps.shardSentences(),
    ...accountsShown(await deps.control.everyAccount(), page),
  };
};

/** Each with the number or the name by which people know it. */
const showRows = async (deps: AdminDeps, page: readonly (MachineListRow & { shard: string })[]) => {
  const shards = [...new Set(page.map(({ shard }) => shard))];
  const rows = await Promise.all(
    shards.map(async (name) => {
      const own = page.filter(({ shard }) => shard === name);
      const titles = await readMachineTitles(deps.pool(name), own);
      return own.map(({ id, shard, account_id, kind, ...row }, nth) => ({
        ...{ id: writeCallId(shard, id), account: account_id, kind, title: titles[nth] ?? null },
        ...row,
        attention_in_words: row.attention === null ? null : attentionInWords(row.attention),
      }));
    }),
  );
  return rows.flat();
};

/** A machine as the admin API shows it. */
export const toAdminMachineAnswer = ({ shard, id, ...view }: MachineView) => ({
  id: writeCallId(shard, id),
  shard,
  ...view,
  context: view.context as Record<string, unknown>,
  attention_in_words: view.attention === null ? null : attentionInWords(view.attention),
});
