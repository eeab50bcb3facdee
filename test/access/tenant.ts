/** An account that has one of everything, each thing marked as its own; and what of it must never be seen or changed. */
import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import { addDays, toLocal } from '../../src/lib/localTime.ts';
import { aList } from '../helpers/campaigns.ts';
import { switchSandboxOn } from '../helpers/sandboxRoute.ts';
import type { RestAnswer, TestService } from '../helpers/service.ts';
import { aWav } from '../helpers/wav.ts';
import { until } from '../helpers/patience.ts';

export interface Tenant {
  account: number;
  token: string;
  /** A word that stands in everything it has written. */
  mark: string;
  /** What hooks to its Msgapp line are signed with, and what gateways show to its SMS route. */
  appSecret: string;
  verifyToken: string;
  receiptToken: string;
  /** Upstream id of its phone number, and its business. */
  phone: string;
  business: string;
  idempotencyKey: string;
  ids: {
    agent: number;
    approvedModel: number;
    audio: string;
    blocked: string;
    call: string;
    scheduledCall: string;
    campaign: number;
    delivery: string;
    group: number;
    line: { msgapp: number; pagechat: number; photodm: number };
    list: number;
    message: number;
    profile: number;
    queue: number;
    route: number;
    tariff: number;
    callerIdPool: number;
    template: number;
    templateMedia: number;
    token: number;
    voice: number;
    ledgerEntry: number;
  };
  ctid: string;
  /** Names of its voice and its group of campaigns at the customer's. */
  voice: string;
  cpid: string;
  /** The caller id that it may use. */
  callerId: string;
}

const zone = 'America/Sao_Paulo';
const tomorrow = (): string => addDays(toLocal(Date.now(), zone).date, 1);

/** Makes the account and all it has, through the doors. `digit`: one of its own, for numbers. */
export const furnish = async (on: TestService, mark: string, digit: number): Promise<Tenant> => {
  const good = async (asked: Promise<RestAnswer>): Promise<RestAnswer['body']> => {
    const { http, body } = await asked;
    if (http >= 300) throw new Error(`${mark}: ${http} ${JSON.stringify(body)}`);
    return body;
  };
  const callerId = `1130${digit}${digit}${digit}000`;
  const { cdcs_id: account } = await good(
    on.admin('POST', '/accounts', { name: `${mark} account`, balance: 500, caller_ids: [callerId] }),
  );
  const make = (path: string, body: object) => good(on.admin('POST', `/accounts/${account}${path}`, body));
  const every = { telephony: true, sms: true, msgapp: true, pagechat: true, photodm: true };
  const permissions = { enabled: true, apis: every };
  const { token, token_id } = await make('/tokens', { label: `${mark} token`, permissions });
  const post = (operation: string, body: object, headers?: Record<string, string>) =>
    good(on.post(operation, { tsid: token, ...body }, headers));

  const { cdg_id: group } = await make('/groups', { name: `${mark} group` });
  const sip = `sip:${mark}@pbx.example.com`;
  const { ccba_id: agent } = await make('/agents', { name: `${mark} agent`, kind: 'sip', target: sip });
  const { queue_id: queue } = await make('/queues', {
    ...{
      name: `${mark} queue`,
      description: `${mark} desk`,
      members: [{ member: `${mark}-1`, target: sip }],
    },
  });
  const voiceName = `pt-br+${mark}`;
  const { cdwv_id: voice } = await make('/voices', {
    ...{ provider: 'Espeak', name: voiceName, language: 'pt-BR', title: `${mark} voice` },
  });
  const blocked = `551198${digit}${digit}${digit}0099`;
  await make('/blocklist', { number: blocked, reason: `${mark} reason` });
  const { profile_id: profile } = await make('/delivery-profiles', {
    ...{ name: `${mark} profile`, kind: 'folder', settings: { folder: mark } },
  });
  const receiptToken = `${mark}-receipt-token`;
  const { route_id: route } = await make('/sms-routes', {
    ...{ name: `${mark} route`, kind: 'http', prefix: '999', secret: { receipt_token: receiptToken } },
    settings: {
      url: `https://${mark}.example.com/send`,
      receipts: { id: { path: 'id' }, status: { path: 'status' } },
    },
  });
  // Its first real route has switched the sandbox's off, by which its messages go.
  await switchSandboxOn(on, account);
  const trunks = [{ trunk: 'sandbox' }];
  await good(on.admin('POST', '/trunk-routes', { cdcs_id: account, prefix: '999', trunks }));
  const { id: tariff } = await make('/tariffs', { prefix: `99${digit}`, price: '0.5' });
  const { id: approvedModel } = await make('/approved-models', { name: mark, text: `${mark} bank *` });
  const shown = [`1131${digit}${digit}${digit}000`];
  const { pool_id: callerIdPool } = await make('/caller-id-pools', { caller_ids: shown });
  await make('/credits', { amount: 5, note: `${mark} note` });
  const { credits } = (await on.admin('GET', `/accounts/${account}/credits`)).body;

  const appSecret = `${mark}-app-secret`;
  const verifyToken = `${mark}-verify-token`;
  const phone = `10654035224${digit}${digit}${digit}${digit}`;
  const business = `10229012934${digit}${digit}${digit}${digit}`;
  const secrets = { v8l_wa_api_key: `${mark}-api-key`, app_secret: appSecret, verify_token: verifyToken };
  const line = async (body: object): Promise<number> =>
    (await make('/lines', { ...secrets, ...body })).v8l_id;
  const msgapp = await line({
    ...{
      v8l_class: 'msgapp',
      v8l_wa_provider: 'cloud',
      v8l_wa_app_name: phone,
      v8l_wa_number: `1555078${digit}881`,
    },
    v8l_wa_business_id: business,
  });
  const pagechat = await line({ v8l_class: 'pagechat', v8l_fb_page_id: `20${phone}` });
  const photodm = await line({ v8l_class: 'photodm', v8l_ig_account_id: `30${phone}` });
  const { cwt_id: template } = await make('/templates', {
    ...{ v8l_id: msgapp, cwt_name: `${mark}_template`, cwt_category: 'UTILITY', cwt_language: 'pt_BR' },
    cwt_body_text: `Olá, ${mark}`,
  });
  const { cwm_id: templateMedia } = await make('/media', {
    ...{ cwm_file_path: `https://${mark}.example.com/a.png`, name: mark },
  });

  const audio64 = aWav(0.5).toString('base64');
  const { cdw_file: audio } = (
    await post('CreateAudioFile', { audio64, name: `${mark} audio`, name_up: `${mark}.wav` })
  ).return;
  const dest = (end: string): string => `551198${digit}${digit}${digit}${digit}0${end}`;
  const records = ['00', '01'].map((end) => ({
    ...{ phone: dest(end), name: `${mark} person ${end}`, cod_cli: `${mark}-code`, extra1: `${mark} extra` },
  }));
  const datajson = [...records, records[0], { phone: `${mark} no number` }];
  const ctid = `${mark}-ctid`;
  const { cdlc_id } = (await post('CreateDestinationBase', { datajson, name: `${mark} list`, ctid })).return;
  const campaigns = { cdlc_id, content: audio, relftp: profile, group, cp_ctid: ctid };
  const { cp_id } = (
    await post('CreateCampaign', {
      ...{
        ...campaigns,
        name: `${mark} campaign`,
        detail: `${mark} detail`,
        date_start: tomorrow(),
        queue_id: queue,
      },
    })
  ).return;
  const over = await aList(on, { account, numbers: [dest('10')], name: `${mark} short list` });
  const { cp_id: ending } = (
    await post('CreateCampaign', { ...campaigns, cdlc_id: over, name: `${mark} ends`, cp_ativo: 1, amd: '' })
  ).return;

  const cpid = `${mark}-cpid`;
  const idempotencyKey = `${mark}-idempotency-key`;
  const call = { text: `Olá, ${mark}`, ctid, cpid, nome: `${mark} name` };
  const { cd_id } = (
    await post('MakeTTSCall', { ...call, dest: dest('11') }, { 'Idempotency-Key': idempotencyKey })
  ).return;
  const far = { block: `${addDays(tomorrow(), 30)} 10:00`, dest2: `FI${queue}` };
  const { cd_id: scheduledCall } = (await post('MakeTTSCall', { ...call, ...far, dest: dest('20') })).return;
  const sms = { dest: `119${digit}${digit}${digit}${digit}0000`, message: `${mark} sms`, ctid };
  const { cdls_id: message } = (await post('MakeSMS', sms)).return;
  const chat = { dest: `551198${digit}${digit}${digit}0011`, mdata: `${mark} chat`, ctid };
  // Lines with credentials of their own go to a GRAPH_URL; these go to the sandbox's upstream.
  await on.database.pool.query('UPDATE chat_lines SET sandbox = true WHERE account_id = $1', [account]);
  await post('MakeMsgapp', { app_id: msgapp, ...chat });
  await post('MakePageChat', { app_id: pagechat, ...chat });
  await post('MakePhotoDm', { app_id: photodm, ...chat });

  const pool = on.database.pool;
  await until(() => isAtRest(pool, account, Number(ending)));
  const { rows } = await pool.query<{ id: number }>('SELECT id FROM deliveries WHERE account_id = $1', [
    account,
  ]);
  await markAll(pool, account, mark);
  const tenant: Tenant = {
    ...{
      account,
      token,
      mark,
      appSecret,
      verifyToken,
      receiptToken,
      phone,
      business,
      idempotencyKey,
      ctid,
      cpid,
    },
    ...{ callerId, voice: `Espeak|${voiceName}` },
    ids: {
      ...{
        agent,
        approvedModel,
        audio,
        blocked,
        call: cd_id,
        scheduledCall,
        group,
        profile,
        queue,
        route,
        tariff,
        callerIdPool,
      },
      ...{ template, templateMedia, voice, message: Number(message), token: token_id },
      campaign: Number(cp_id),
      delivery: `a_${rows[0]!.id}`,
      line: { msgapp, pagechat, photodm },
      list: Number(cdlc_id),
      ledgerEntry: credits[0].id,
    },
  };
  const nameless = Object.entries(tenant.ids).filter(([, id]) => JSON.stringify(id) === undefined);
  if (nameless.length > 0) throw new Error(`${mark}: no id of ${JSON.stringify(nameless)}`);
  return tenant;
};

const whileMs = 300_000;

/** Nothing of it moves by itself for a while, and all that it began has come to its end. */
const isAtRest = async (pool: Pool, account: number, ending: number): Promise<boolean> => {
  const { rows } = await pool.query<{ rest: boolean }>(
    `SELECT NOT EXISTS (SELECT FROM machines WHERE account_id = $1 AND wake_at < $2)
      AND EXISTS (SELECT FROM campaigns WHERE account_id = $1 AND id = $3 AND finished_at IS NOT NULL)
      AND EXISTS (SELECT FROM deliveries WHERE account_id = $1 AND finished)
      AND EXISTS (SELECT FROM inbound_messages WHERE account_id = $1) AS rest`,
    [account, Date.now() + whileMs, ending],
  );
  return rows[0]!.rest;
};

/** Columns in which an empty text says something, or any text but a few would be no answer. */
const keptEmpty = new Set([
  'secret',
  'status',
  'prefix',
  'callback_login',
  'webhook_secret_before',
  'caller_id',
  'agenda',
  'pricing',
  'button_config',
]);

/** Writes its mark into every text that is empty, so that every column has something that must not be seen. */
const markAll = async (pool: Pool, account: number, mark: string): Promise<void> => {
  for (const { table, key } of await tablesOf(pool)) {
    const { rows } = await pool.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = $1 AND data_type = 'text'`,
      [table],
    );
    for (const { name } of rows.filter((column) => !keptEmpty.has(column.name)))
      await pool.query(`UPDATE ${table} SET "${name}" = $2 WHERE ${key} = $1 AND "${name}" = ''`, [
        account,
        `${mark}-${table}-${name}`,
      ]);
  }
};

interface OwnedTable {
  table: string;
  key: 'id' | 'account_id';
}

/** Every table whose rows belong to accounts. What administrators did with one is not its own. */
const tablesOf = async (pool: Pool): Promise<OwnedTable[]> => {
  const { rows } = await pool.query<{ table: string }>(
    `SELECT c.table_name AS table FROM information_schema.columns c
      JOIN pg_class k ON k.relname = c.table_name AND k.relnamespace = current_schema()::regnamespace
      WHERE c.table_schema = current_schema() AND c.column_name = 'account_id' AND NOT k.relispartition
        AND c.table_name <> 'audit_log' ORDER BY 1`,
  );
  return [
    { table: 'accounts', key: 'id' },
    ...rows.map(({ table }) => ({ table, key: 'account_id' as const })),
  ];
};

const hourMs = 3_600_000;

export type Snapshot = Readonly<Record<string, string[]>>;

/** All its rows, table by table. */
export const snapshotOf = async (pool: Pool, account: number): Promise<Snapshot> => {
  const tables: Record<string, string[]> = {};
  for (const { table, key } of await tablesOf(pool)) {
    // What is over within the hour is swept by whoever keeps house.
    const kept = table === 'claims' ? `AND until > ${Date.now() + hourMs}` : '';
    const { rows } = await pool.query<{ row: string }>(
      `SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE ${key} = $1 ${kept} ORDER BY 1`,
      [account],
    );
    tables[table] = rows.map(({ row }) => row);
  }
  return tables;
};

const shortest = 8;

/** Every text that stands in the rows, also inside texts that are JSON, and is long enough to be nobody else's. */
export const wordsOf = (snapshot: Snapshot): Set<string> => {
  const words = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
    if (typeof value !== 'string') return;
    const inner = /^\s*[[{]/.test(value) ? parsed(value) : undefined;
    if (inner !== undefined) collect(inner);
    else if (value.length >= shortest && !isMoment(value)) words.add(value);
  };
  for (const rows of Object.values(snapshot)) for (const row of rows) collect(parsed(row));
  return words;
};

/** Seconds or milliseconds of about now: two accounts may have been at something in the same one. */
const isMoment = (text: string): boolean =>
  /^\d{10}(\d{3})?$/.test(text) && Math.abs(Number(text.padEnd(13, '0')) - Date.now()) < 24 * hourMs;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** What its upstream would sign a hook with. */
export const signedBy = ({ appSecret }: Tenant, body: string): string =>
  `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
