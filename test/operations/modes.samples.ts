/** For the walk over `modes`: what was meant, a value of every parameter that is not its default, and what makes it act. */
import { addDays, toLocal } from '../../src/lib/localTime.ts';
import { anId } from '../helpers/campaigns.ts';
import { aWav } from '../helpers/wav.ts';

export interface Ground {
  audio: string;
  list: number;
  /** A campaign to clone. */
  source: number;
  group: number;
  profile: number;
  agent: number;
  queue: number;
  /** Where a sound can be fetched. */
  sound: string;
  /** A campaign that is a model, or none. */
  campaign(model: boolean): Promise<number>;
}

type Given = Readonly<Record<string, unknown>>;

/** `undefined` takes a parameter of the base away. */
export interface Samples {
  /** A request that is complete, in this mode. */
  base(mode: string): Given | Promise<Given>;
  /** By REST name: what is given, and what beside it does not meet the condition of its cell. */
  of: Readonly<Record<string, Given | ((mode: string) => Given)>>;
  /** What beside that meets it. */
  met: Readonly<Record<string, (mode: string) => Given>>;
  /** Refused in these modes, by their own code. */
  refused: Readonly<Record<string, readonly [code: string, ...modes: string[]]>>;
}

/** The same for every member of a numbered family. */
const family = <Value>(name: string, from: number, to: number, value: Value | ((member: string) => Value)) =>
  Object.fromEntries(
    Array.from({ length: to - from + 1 }, (_, n) => `${name}${from + n}`).map((member) => [
      member,
      typeof value === 'function' ? (value as (member: string) => Value)(member) : value,
    ]),
  ) as Record<string, Value>;

/** By operation and REST name: `+` acts, `-` does not, `?` under a condition, a sign a mode. The others always act. */
export const pins: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  MakeTTSCall: {
    ...family('text', 1, 11, '???--'),
    ...family('content', 1, 15, '???--'),
    contentno: '?++--',
    contentfail: '?+?-+',
    voice: '?????',
    nome: '????+',
    ...family('extra', 1, 4, '????+'),
    cod_cli: '????+',
    ndig: '?++--',
    dtime: '?++--',
    dtmfconf: '-+---',
    dtmf: '+++--',
    ...family('dtmf', 2, 11, '+++--'),
    dest2: '-+?--',
    fifo: '???-+',
    fifolim: '???-+',
    senddtmf: '???-+',
    senddtmftime: '???-?',
    rec: '???+?',
    startrec: '???-?',
    answer: '-----',
    sms_action: '++++?',
    sms_text: '++++?',
    sms_dtmf: '?????',
    moh: '???-+',
    rurl_events: '?????',
    numlim: '?????',
    audiolim: '?????',
  },
  CreateCampaign: {
    content: '???',
    voice: '???',
    urlcontent: '???',
    audio64: '???',
    time_resends: '???',
    queue_id: '-++',
    rurl_events: '???',
    ...family('cont', 0, 9, '-+-'),
    contentno: '-+-',
    dtmfini: '-+-',
    nans: '-+-',
    nans2: '-+-',
    dtime: '?++',
    ...family('content', 2, 5, '--+'),
    content6: '--?',
    content7: '--?',
    content8: '--+',
    contentfail: '--+',
    ndigval: '--+',
    dtmf2: '--+',
    compw: '--+',
  },
  ChangeCampaign: { active: '??' },
};

const tomorrow = (): string => addDays(toLocal(Date.now(), 'America/Sao_Paulo').date, 1);

const callsSomebody = { dtmf7: '11987650007' };
const leg = (mode: string): Given => (mode === '0' ? callsSomebody : { dest2: '11987650001' });
const sms = { sms_text: 'until then' };

/** The calls wait for tomorrow. */
export const callSamples = ({ audio, agent }: Ground): Samples => ({
  base: (mode) => ({
    ...{ dest: '11987650000', text: `call ${anId()}`, type: mode, block: `${tomorrow()} 10:00` },
    ...(mode === '100' && { dtmfini: agent }),
  }),
  of: {
    dest: { dest: '11987650009' },
    text: { text: `another ${anId()}`, httpdup: 0 },
    ...family('text', 1, 11, (name) => ({ [name]: 'numbered' })),
    content: { content: audio },
    ...family('content', 1, 15, (name) => ({ [name]: audio })),
    contentdtmf: { contentdtmf: audio },
    contentno: { contentno: audio },
    contentfail: { contentfail: audio },
    contentend: { contentend: audio },
    voice: { voice: 'Espeak|en-us', text: undefined, content: audio, httpdup: 0 },
    encoding: { encoding: 'UTF-8' },
    setbrasil: { setbrasil: 0, dest: '5511987650000' },
    callerid: { callerid: '551140000000' },
    ctid: { ctid: 'order-17' },
    cpid: { cpid: 'spring' },
    httpdup: { httpdup: 20 },
    nome: { nome: 'Ana' },
    ...family('extra', 1, 4, (name) => ({ [name]: 'more' })),
    cod_cli: { cod_cli: '77' },
    type: {},
    ndig: { ndig: 3 },
    dtime: { dtime: 9 },
    dtmfconf: { dtmfconf: '5' },
    dtmfini: (mode) => ({ dtmfini: mode === '100' ? agent : '9' }),
    dtmf: { dtmf: '1|hangup', dtmfconf: '5' },
    ...family('dtmf', 2, 11, (name) => ({ [name]: 'hangup' })),
    // Where there is an action, the keys of type 3 do not lead to dest2.
    dest2: (mode) => ({ dest2: '11987650001', ...(mode === '3' && { dtmf2: 'hangup' }) }),
    fifo: { fifo: 1 },
    fifolim: { fifolim: 60 },
    senddtmf: { senddtmf: '12#' },
    senddtmftime: { senddtmftime: 3 },
    rec: { rec: 30, startrec: 'conf' },
    startrec: { startrec: 'pa' },
    repeat: { repeat: '2|10' },
    priority: { priority: 5 },
    block: { block: `${tomorrow()} 11:00` },
    ringtime: { ringtime: 20 },
    timelimit: { timelimit: 60 },
    answer: { answer: 9 },
    sms_action: (mode) => ({
      ...sms,
      sms_action: 'dtmf1',
      ...(mode === '100' && { text: undefined, nome: 'Ana', httpdup: 0 }),
    }),
    sms_text: (mode) => ({
      ...sms,
      sms_action: 'dtmf1',
      ...(mode === '100' && { text: undefined, nome: 'Ana', httpdup: 0 }),
    }),
    sms_dtmf: { ...sms, sms_action: 'ok', sms_dtmf: '5' },
    free: { free: 1 },
    amd: { amd: audio },
    moh: { moh: 1 },
    rurl: { rurl: 'https://example.com/hook' },
    rurl_events: { rurl_events: 'all' },
    numlim: { numlim: 3 },
    audiolim: { audiolim: 3 },
    bkddd: { bkddd: 2 },
    tfix: { tfix: 'sandbox' },
  },
  met: {
    ...family('text', 1, 11, (name) => () => ({ dtmf3: name })),
    ...family('content', 1, 15, (name) => () => ({ dtmf3: name })),
    contentno: () => ({ dtmf: 'hangup' }),
    contentfail: (mode) => (mode === '3' ? { dest2: '11987650001' } : { dtmf: 'hangup' }),
    voice: () => ({ text: `spoken ${anId()}` }),
    nome: () => ({ text: `<NAME> ${anId()}` }),
    ...family('extra', 1, 4, (name) => () => ({ text: `<${name.toUpperCase()}> ${anId()}` })),
    cod_cli: () => ({ ...sms, sms_action: 'ok', sms_text: 'code <CODCLI>' }),
    ndig: () => ({ ...sms, sms_action: 'dtmf1' }),
    dtime: () => ({ dtmfini: '9' }),
    dest2: () => ({ dtmf2: undefined }),
    fifo: leg,
    fifolim: (mode) => (mode === '0' ? { dtmf7: 'FI7' } : { ...leg(mode), fifo: 1 }),
    senddtmf: leg,
    senddtmftime: (mode) => ({ ...(mode !== '100' && leg(mode)), senddtmf: '1' }),
    rec: (mode) => (mode === '100' ? { startrec: 'pa' } : { dtmf2: 'text2', text2: 'two' }),
    startrec: (mode) => ({ ...(mode !== '100' && leg(mode)), rec: 20 }),
    sms_action: () => ({ text: `first ${anId()}` }),
    sms_text: () => ({ text: `first ${anId()}` }),
    sms_dtmf: () => ({ sms_action: 'dtmf1' }),
    moh: leg,
    rurl_events: () => ({ rurl: 'https://example.com/hook' }),
    numlim: () => ({ cpid: 'spring' }),
    audiolim: () => ({ cpid: 'spring' }),
  },
  refused: {},
});

/** The campaigns stay paused. */
export const campaignSamples = ({ audio, ...ground }: Ground): Samples => ({
  base: (mode) => ({
    ...{ name: `campaign ${anId()}`, cdlc_id: ground.list, content: audio, cp_type: mode },
    ...(mode === '6' && { compw: 'cod_cli', ndigval: 4 }),
  }),
  of: {
    name: {},
    detail: { detail: 'eggs' },
    cdlc_id: {},
    cp_id: { cp_id: ground.source },
    cp_type: {},
    cp_ctid: { cp_ctid: 'spring-7' },
    content: { text: 'Olá <NOME>' },
    text: { text: 'Olá <NOME>', content: undefined },
    voice: { voice: 'Espeak|en-us' },
    amd: { amd: audio },
    urlcontent: { urlcontent: ground.sound, content: undefined, text: 'Olá <NOME>' },
    audio64: { audio64: aWav(1).toString('base64') },
    date_start: { date_start: tomorrow() },
    date_end: { date_end: tomorrow() },
    time_start: { time_start: '09:00' },
    time_end: { time_end: '18:00' },
    vel: { vel: 60 },
    resends: { resends: 2 },
    time_resends: { time_resends: 5 },
    mobile: { mobile: 0 },
    max_answered: { max_answered: 9 },
    limit_name: { limit_name: 2 },
    no_block: { no_block: 1 },
    group: { group: ground.group },
    queue_id: { queue_id: ground.queue },
    rurl: { rurl: 'https://example.com/hook' },
    rurl_events: { rurl_events: 'all' },
    tfix: { tfix: 'sandbox' },
    xnum: { xnum: 1 },
    sms_action: { ...sms, sms_action: 'ok' },
    sms_text: { ...sms, sms_action: 'ok' },
    cp_ativo: { cp_ativo: 1 },
    datajson: { datajson: [{ phone: '11987650000' }], cdlc_id: undefined },
    relftp: { relftp: ground.profile },
    ...family('cont', 0, 9, (name) => ({ [name]: audio })),
    contentno: { contentno: audio },
    dtmfini: { dtmfini: '*' },
    nans: { nans: 2 },
    nans2: { nans2: 2 },
    dtime: { dtime: 9 },
    ...family('content', 2, 8, (name) => ({ [name]: audio })),
    contentfail: { contentfail: audio },
    ndigval: { ndigval: 5 },
    dtmf2: { dtmf2: 5 },
    fdtmf: { fdtmf: 'nome|person 1' },
    compw: { compw: 'extra1' },
    request_id: (mode) => ({ request_id: `request-${mode}-${anId()}` }),
  },
  met: {
    content: () => ({ text: undefined }),
    voice: () => ({ text: 'Olá <NOME>' }),
    urlcontent: () => ({ text: undefined }),
    audio64: () => ({ content: undefined }),
    time_resends: () => ({ resends: 1 }),
    rurl_events: () => ({ rurl: 'https://example.com/hook' }),
    dtime: () => ({ ...sms, sms_action: 'dtmf1' }),
    content6: () => ({ queue_id: ground.queue }),
    content7: () => ({ queue_id: ground.queue }),
  },
  refused: { sms_action: ['300', '4', '6'], sms_text: ['300', '4', '6'] },
});

/** Every request has a campaign of its own. */
export const changeSamples = ({ campaign }: Ground): Samples => ({
  base: async (mode) => ({ cp_id: await campaign(mode === 'model'), lig_min: 7 }),
  of: {
    cp_id: {},
    active: (mode) => ({
      active: 1,
      ...(mode === 'campaign' && { date_start: '2020-01-01', date_end: '2020-01-02' }),
    }),
    lig_min: { lig_min: 9 },
    pas: { pas: 3 },
    date_start: { date_start: '2020-01-01' },
    date_end: { date_end: '9999-12-31' },
    time_start: { time_start: '09:00' },
    time_end: { time_end: '18:00' },
    name: { name: 'renamed' },
  },
  met: { active: (mode) => (mode === 'model' ? { active: 0 } : { date_end: '9999-12-31' }) },
  refused: {},
});
