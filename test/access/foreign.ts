/**
 * Which parameters of operations name something that belongs to an account, and what a stranger would write there.
 * Every parameter of every operation stands in one of the two tables: a new one is looked at before it is let in.
 */
import type { Tenant } from './tenant.ts';

/** What would be written to name a tenant's thing. */
type Naming = (tenant: Tenant) => readonly unknown[];

const numbered = (family: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => `${family}${from + n}`);

const audio: Naming = ({ ids }) => [ids.audio, ids.audio.slice(2)];
const leg: Naming = ({ ids }) => [`RT${ids.agent}`, `FI${ids.queue}`];
const line: Naming = ({ ids }) => Object.values(ids.line);
const call: Naming = ({ ids }) => [ids.call, ids.scheduledCall, ids.call.slice(2)];
const correlation: Naming = ({ ctid, cpid }) => [ctid, cpid];
const each = (names: readonly string[], naming: Naming): Record<string, Naming> =>
  Object.fromEntries(names.map((name) => [name, naming]));

export const naming: Readonly<Record<string, Naming>> = {
  ...each(['content', 'contentno', 'contentend', 'contentfail', 'contentdtmf', 'amd'], audio),
  ...each([...numbered('content', 1, 15), ...numbered('cont', 0, 9)], audio),
  ...each(['dest2', 'dtmf', ...numbered('dtmf', 2, 11)], leg),
  ...each(['app_id', 'v8l_id'], line),
  ...each(['cd_id', 'msg_id'], call),
  ...each(['ctid', 'cpid', 'cp_ctid'], correlation),
  ...each(['group', 'cdg_id'], ({ ids }) => [ids.group]),
  cp_id: ({ ids }) => [ids.campaign],
  cdlc_id: ({ ids }) => [ids.list],
  last_id: ({ ids }) => [Number(ids.call.slice(2)), Number(ids.scheduledCall.slice(2)) + 1],
  template_id: ({ ids }) => [ids.template],
  cwm_id: ({ ids }) => [ids.templateMedia],
  queue_id: ({ ids }) => [ids.queue, ids.agent],
  relftp: ({ ids }) => [ids.profile],
  dtmfini: ({ ids }) => [ids.agent],
  voice: ({ voice }) => [voice],
  callerid: ({ callerId }) => [callerId],
  request_id: ({ idempotencyKey }) => [idempotencyKey],
  search: ({ mark }) => [mark],
  template: ({ mark }) => [{ name: `${mark}_template`, language: { code: 'pt_BR' }, components: [] }],
  wa_business_id: ({ business }) => [business],
  wa_phone_number_id: ({ phone }) => [phone],
};

/** They name nothing of an account. */
export const plain: ReadonlySet<string> = new Set([
  ...[
    'dest',
    'text',
    ...numbered('text', 1, 11),
    'encoding',
    'setbrasil',
    'httpdup',
    'nome',
    'cod_cli',
    'type',
  ],
  ...[...numbered('extra', 1, 4), 'ndig', 'dtime', 'dtmfconf', 'fifo', 'fifolim', 'senddtmf', 'senddtmftime'],
  ...[
    'rec',
    'startrec',
    'repeat',
    'priority',
    'block',
    'ringtime',
    'timelimit',
    'answer',
    'sms_action',
    'sms_text',
  ],
  ...['sms_dtmf', 'free', 'moh', 'rurl', 'rurl_events', 'numlim', 'audiolim', 'bkddd', 'tfix'],
  ...[
    'name',
    'detail',
    'cp_type',
    'urlcontent',
    'audio64',
    'date_start',
    'date_end',
    'time_start',
    'time_end',
  ],
  ...[
    'vel',
    'resends',
    'time_resends',
    'mobile',
    'max_answered',
    'limit_name',
    'no_block',
    'xnum',
    'cp_ativo',
  ],
  ...['datajson', 'nans', 'nans2', 'ndigval', 'fdtmf', 'compw', 'active', 'lig_min', 'pas', 'model', 'date'],
  ...[
    'maxreg',
    'list',
    'setactive',
    'rate',
    'name_up',
    'nome_up',
    'speed',
    'delsilence',
    'incsilence',
    'mp3',
  ],
  ...[
    'ttswrt',
    'expires',
    'dis',
    'message',
    'msg_text',
    'cuttext',
    'from',
    'provider',
    'dini',
    'dend',
    'onlydtmf',
  ],
  ...['numtype', 'origin', 'rurl_method', 'rurl_type', 'rurl_headers', 'rurl_user', 'rurl_password'],
  ...['mtype', 'mdata', 'mcaption', 'misHSM', 'wa_api_key', 'wa_number', 'action', 'delete_mode'],
]);

/** Everything of a tenant that has an id, as any door might be asked for it. */
export const idsOf = (tenant: Tenant): (string | number)[] => {
  const { line: lines, ...ids } = tenant.ids;
  return [...new Set([...Object.values(ids), ...Object.values(lines)])];
};
