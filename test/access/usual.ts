/** Requests of an account about what is its own: each is served, and leads past the parameter that is looked at. */
import { addDays, toLocal } from '../../src/lib/localTime.ts';
import type { Tenant } from './tenant.ts';

let asked = 0;

/** `param`: what will be written in another's name beside it. */
export const usualRequest = (mine: Tenant, op: string, param: string): Record<string, unknown> => {
  asked += 1;
  const name = `walk ${asked}`;
  const number = (end: string): string => `55119844${100 + asked}${end}`;
  const { line, template, audio, list } = mine.ids;
  const bases: Readonly<Record<string, Record<string, unknown>>> = {
    MakeTTSCall: { text: 'Olá', httpdup: 0, dest: number('11'), ...modeOf(param, number) },
    CreateCampaign: { name, cdlc_id: list, content: audio, date_start: nextMonth(), ...typeOf(param) },
    ChangeCampaign: { cp_id: mine.ids.campaign, active: 1 },
    GetDestinationsList: { setactive: 0, list: 'all' },
    CreateDestinationBase: { name, datajson: [{ phone: number('00') }] },
    CreateAudioFile: { text: 'Olá', name },
    MakeSMS: { dest: number('00'), message: name },
    MakeMsgapp: {
      ...{ dest: number('00'), app_id: line.msgapp, mdata: name },
      ...(param === 'template' && { mtype: 'template' }),
    },
    ValidateMsgappNumber: {
      ...{ wa_api_key: 'alfa-api-key', wa_business_id: mine.business, wa_phone_number_id: mine.phone },
      wa_number: '15550784881',
    },
    CreateMsgappTemplate: { template_id: template, app_id: line.msgapp, action: 'create' },
    CheckTemplateStatus: { template_id: template, v8l_id: line.msgapp },
    DeleteMsgappTemplate: { template_id: template, v8l_id: line.msgapp, delete_mode: 'both' },
    GetMsgappTemplates: { app_id: line.msgapp },
    MakePageChat: { app_id: line.pagechat, dest: number('00'), mdata: name },
    MakePhotoDm: { app_id: line.photodm, dest: number('00'), mdata: name },
  };
  return bases[op] ?? {};
};

const nextMonth = (): string => addDays(toLocal(Date.now(), 'America/Sao_Paulo').date, 30);

/** The mode in which a call takes the parameter, and a callee who presses its key. */
const modeOf = (param: string, number: (end: string) => string): object => {
  const [, slot] = /^dtmf(\d*)$/.exec(param) ?? [];
  if (slot !== undefined) return { type: 3, dest: number(`1${Number(slot || '1') % 10}`) };
  if (param === 'dest2') return { type: 2 };
  return param === 'dtmfini' ? { type: 100 } : {};
};

/** The type of campaign that takes the parameter. */
const typeOf = (param: string): object => {
  if (param === 'cp_id') return { cdlc_id: '', content: '' };
  if (param === 'voice') return { text: 'Olá' };
  if (/^(cont\d|contentno|dtmfini)/.test(param)) return { cp_type: 4 };
  if (/^(content\d|contentfail|dtmf2)/.test(param)) return { cp_type: 6, ndigval: 2, compw: 'cod_cli' };
  return {};
};
