/**
 * What the demo account begins with at the sandboxes, so that each example has something to work on: an agent, a queue
 * that rings a number, a list, an audio, a campaign that is a model, an approved template and one that is to be submitted.
 * Operations make it as they would for a customer.
 */
import { join } from 'node:path';
import type { QueueLineInput } from '../../machines/callQueue/context.ts';
import type { TemplateMachineInput } from '../../machines/template/input.ts';
import type { Config } from '../config.ts';
import type { RamalEngine } from '../engine/engine.ts';
import type { Log } from '../log.ts';
import { CreateAudioFileOperation } from '../operations/audio/CreateAudioFile.ts';
import { CreateCampaignOperation } from '../operations/campaigns/CreateCampaign.ts';
import { CreateDestinationBaseOperation } from '../operations/lists/CreateDestinationBase.ts';
import { CreateMsgappTemplateOperation } from '../operations/templates/CreateMsgappTemplate.ts';
import type { AnyOperation } from '../operations/declare.ts';
import { runOperation } from '../operations/run.ts';
import type { Services } from '../operations/services.ts';
import type { AccountRow, ControlDatabase, TokenOwner } from '../store/controlDatabase.ts';
import { type AccountContents, readAccountContentFlags } from '../store/demoFurniture.ts';
import type { Database } from '../store/database.ts';
import { createSpilledRequestParams } from '../rest/upload/spilledParams.ts';

export interface DemoContentDeps {
  config: Config;
  control: ControlDatabase;
  engine: RamalEngine;
  services: Services;
  demoToken: string;
  shard(name: string): Pick<Database, 'pool' | 'prisma'>;
  log: Log;
}

/**
 * Makes what is missing, in an account that nothing was called, sent or run for. Only where calls and chat go to the
 * sandboxes. A failure is logged: the service is of use without it.
 */
export const createDemoContent = async (needs: DemoContentDeps): Promise<void> => {
  const { config, control, demoToken, log } = needs;
  if (config.carrier.kind !== 'sandbox' || config.graphUrl !== undefined) return;
  try {
    const owner = await control.tokenOwner(demoToken);
    if (owner) await furnish(needs, owner);
  } catch (error) {
    log.warn({ err: error }, 'the demo account could not be furnished');
  }
};

/** One start at a time. In this order: a campaign that is there says that the rest is. */
const furnish = async (needs: DemoContentDeps, owner: TokenOwner): Promise<void> => {
  const { account } = owner;
  const { pool } = needs.shard(account.shard);
  const before = await readAccountContentFlags(pool, account.id);
  if (isDone(before)) return;
  const client = await pool.connect();
  try {
    const lock = `hashtextextended('demo furniture ' || ${account.id}, 0)`;
    await client.query(`SELECT pg_advisory_lock(${lock})`);
    try {
      await makeMissing(needs, owner, await readAccountContentFlags(pool, account.id));
    } finally {
      await client.query(`SELECT pg_advisory_unlock(${lock})`);
    }
  } finally {
    client.release();
  }
};

const isDone = ({ used, campaigns, templates }: AccountContents): boolean =>
  used || (campaigns && templates >= writtenTemplates.length);

const makeMissing = async (
  needs: DemoContentDeps,
  owner: TokenOwner,
  has: AccountContents,
): Promise<void> => {
  if (isDone(has)) return;
  const { account } = owner;
  if (!has.agents) await makeAgent(needs, account);
  if (!has.queues) await makeQueue(needs, account);
  if (!has.lists) await makeList(needs, owner);
  if (needs.services.cannotSpeak === undefined) await makeSpoken(needs, owner, has);
  for (const written of writtenTemplates.slice(has.templates)) await makeTemplate(needs, owner, written);
};

const makeSpoken = async (needs: DemoContentDeps, owner: TokenOwner, has: AccountContents): Promise<void> => {
  if (!has.audios)
    await ask(needs, owner, CreateAudioFileOperation, { name: 'Aviso', text: 'Olá, esta é uma mensagem.' });
  if (!has.campaigns) await makeModel(needs, owner);
};

/** Has an operation do it. Throws what it refuses. */
const ask = async (
  { services, config }: DemoContentDeps,
  owner: TokenOwner,
  operation: AnyOperation,
  given: Record<string, unknown>,
  datajson?: object,
): Promise<Record<string, string>> => {
  const held = createSpilledRequestParams({
    folder: join(config.dataDir, 'tmp', config.nodeName),
    maxBytes: { list: 10_000 },
  });
  try {
    const spilled = datajson ? { datajson: await held.keep(JSON.stringify(datajson)) } : {};
    const { http, body } = await runOperation(
      operation,
      { ...owner, provided: given, uploads: { spilled } },
      services,
    );
    const { return: fields } = body as { return: Record<string, string> };
    if (http >= 400) throw new Error(`${operation.name} refused it: ${fields['status']}`);
    return fields;
  } finally {
    await held.discard();
  }
};

const lineOf = (member: string, endpoint: QueueLineInput['members'][number]['endpoint']): QueueLineInput => ({
  strategy: 'ringall',
  active: true,
  members: [{ member, endpoint, penalty: 0, active: true, capacity: 1 }],
});

const startLine = async (
  { engine, services }: DemoContentDeps,
  account: AccountRow,
  input: (id: number) => QueueLineInput,
) => {
  const id = await services.newMachineId();
  await engine.start({ kind: 'line', shard: account.shard, account: account.id, id, input: input(id) });
  return { account_id: account.id, id, created_at: BigInt(Date.now()) };
};

/** At a SIP address that is nowhere: the sandbox reads its last two digits. */
const makeAgent = async (needs: DemoContentDeps, account: AccountRow): Promise<void> => {
  const uri = 'sip:ana00@sandbox.invalid';
  const started = await startLine(needs, account, (id) => lineOf(String(id), { kind: 'sip', uri }));
  await needs.shard(account.shard).prisma.agent.create({
    data: { ...started, name: 'Ana', kind: 'sip', target: uri },
  });
};

const makeQueue = async (needs: DemoContentDeps, account: AccountRow): Promise<void> => {
  const number = '5511987650030';
  const started = await startLine(needs, account, () => lineOf(number, { kind: 'number', number }));
  const members = [{ member: number, target: number, penalty: 0, active: true }];
  await needs.shard(account.shard).prisma.queue.create({
    data: { ...started, name: 'Sales', description: 'New customers', members },
  });
};

const makeList = async (needs: DemoContentDeps, owner: TokenOwner): Promise<void> => {
  await ask(needs, owner, CreateDestinationBaseOperation, { name: 'Customers' }, [
    { phone: '11987650000', name: 'Ana', cod_cli: '17', extra1: 'R$ 20,00' },
    { phone: '11987650001', name: 'Bia', cod_cli: '18', extra1: 'R$ 35,00' },
    { phone: '11987650012', name: 'Caio', cod_cli: '19', extra1: 'R$ 50,00' },
  ]);
};

/** Of the account's newest list, for as long as a date can be written. */
const makeModel = async (needs: DemoContentDeps, owner: TokenOwner): Promise<void> => {
  const { account } = owner;
  const list = await needs.shard(account.shard).prisma.list.findFirstOrThrow({
    where: { account_id: account.id },
    orderBy: { id: 'desc' },
  });
  const { cp_id } = await ask(needs, owner, CreateCampaignOperation, {
    ...{ name: 'Model', cdlc_id: list.id, text: 'Olá <NOME>, o seu pedido está pronto.' },
    date_end: '2099-12-31',
  });
  const ref = { shard: account.shard, account: account.id, id: Number(cp_id) };
  await needs.engine.send(ref, { type: 'changed', changes: { model: true } });
};

const nothing = { headerType: '', headerText: '', footerText: '', buttonType: '', buttonConfig: '' };

interface WrittenTemplate {
  submitted: boolean;
  definition: TemplateMachineInput['definition'];
}

const writtenTemplates: readonly WrittenTemplate[] = [
  {
    submitted: true,
    definition: {
      ...{ ...nothing, name: 'order_ready', category: 'UTILITY', language: 'pt_BR' },
      bodyText: 'Olá {{1}}, o seu pedido está pronto.',
      variablesExamples: '{"body_text":["Ana"]}',
    },
  },
  {
    submitted: false,
    definition: {
      ...{ ...nothing, name: 'order_late', category: 'UTILITY', language: 'pt_BR' },
      bodyText: 'Olá {{1}}, o seu pedido atrasa um dia.',
      variablesExamples: '{"body_text":["Ana"]}',
    },
  },
];

/** On the account's Msgapp line; without one there is none. The sandbox approves what was submitted after 5 s. */
const makeTemplate = async (
  needs: DemoContentDeps,
  owner: TokenOwner,
  { submitted, definition }: WrittenTemplate,
): Promise<void> => {
  const { shard, id: account } = owner.account;
  const line = await needs.shard(shard).prisma.chatLine.findFirst({
    where: { account_id: account, class: 'msgapp' },
    orderBy: { id: 'asc' },
  });
  if (!line) return;
  const id = await needs.services.newMachineId();
  const input: TemplateMachineInput = { line: line.id, definition };
  await needs.engine.start({ kind: 'template', shard, account, id, input });
  if (submitted)
    await ask(needs, owner, CreateMsgappTemplateOperation, {
      template_id: id,
      app_id: line.id,
      action: 'create',
    });
};
