/** An account with everything a request may name, and the words by which to name it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoAccount, startTestService, type TestService } from '../helpers/service.ts';
import { aWav } from '../helpers/wav.ts';
import type { Dictionary } from './plan.ts';

export interface FuzzWorld {
  on: TestService;
  dataDir: string;
  known: Dictionary;
  sound: Buffer;
  stop(): Promise<void>;
}

export const openWorld = async (): Promise<FuzzWorld> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'ramal-fuzz-'));
  const on = await startTestService({
    DATA_DIR: dataDir,
    // Every request comes from an address of its own: wrong tokens would have the one address blocked.
    TRUSTED_PROXIES: '127.0.0.1/32',
    MAX_BODY_BYTES: '300000',
    MAX_LIST_BYTES: '500000',
    MAX_AUDIO_BYTES: '500000',
  });
  const sound = aWav(0.5);
  return {
    ...{ on, dataDir, sound, known: await furnish(on, sound) },
    stop: async () => {
      await on.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

const furnish = async (on: TestService, sound: Buffer): Promise<Dictionary> => {
  const account = `/accounts/${demoAccount}`;
  const make = async (path: string, body: object) =>
    (await on.admin('POST', `${account}/${path}`, body)).body;
  const lines = (await on.admin('GET', `${account}/lines`)).body.lines as {
    v8l_id: number;
    v8l_class: string;
  }[];
  const lineOf = (name: string) => lines.find((line) => line.v8l_class === name)!.v8l_id;
  await make('credits', { amount: '1000000' });
  const queue = await make('queues', { name: 'Sales', members: [{ number: '11987650009' }] });
  const group = await make('groups', { name: 'spring' });
  const agent = await make('agents', { kind: 'sip', target: 'sip:ana@agents.example' });
  const templates: number[] = [];
  for (let n = 0; n < 8; n += 1) {
    const written = { cwt_category: 'UTILITY', cwt_language: 'pt_BR', cwt_body_text: 'Olá {{1}}, tudo bem?' };
    const examples = { cwt_variables_examples: '{"body_text":["Ana"]}' };
    const one = { v8l_id: lineOf('msgapp'), cwt_name: `order_ready_${n}`, ...written, ...examples };
    templates.push((await make('templates', one)).cwt_id as number);
  }
  const audio = (await on.post('CreateAudioFile', { audio64: sound.toString('base64'), name_up: 'tone.wav' }))
    .body.return.cdw_file as string;
  const records = [{ phone: '11987650000', name: 'Ana', cod_cli: '1234' }, ['11987650001', 'Bia']];
  const list = (await on.post('CreateDestinationBase', { datajson: records })).body.return.cdlc_id as string;
  const campaign = (await on.post('CreateCampaign', { name: 'base', cdlc_id: list, content: audio })).body
    .return.cp_id as string;
  const call = (await on.post('MakeTTSCall', { dest: '11987650000', text: 'Olá' })).body.return
    .cd_id as string;

  const audios = [audio, audio, audio, audio, audio, 'tf999999'];
  const slots = (family: string, from: number, to: number) =>
    Object.fromEntries(Array.from({ length: to - from + 1 }, (_, n) => [`${family}${from + n}`, audios]));
  return {
    ...slots('content', 1, 15),
    ...slots('cont', 0, 9),
    content: audios, contentno: audios, contentend: audios, contentfail: audios, contentdtmf: audios, amd: audios,
    text: ['Olá <NOME>', 'Oi', 'Seu código é 1234'],
    dest: ['11987650000', '011987650001', '5511987650002', '1133334444'],
    dest2: ['1133334444', `RT${agent.ccba_id}`, `FI${queue.queue_id}`, 'WA5511987650000'],
    dtmf: ['hangup', '1|content1', 'replay', 'optout', `FI${queue.queue_id}`], dtmf2: ['text2', 'hangup', '2'],
    dtmfini: [agent.ccba_id, '1'],
    rurl: ['http://callbacks.example/calls', 'https%3A%2F%2Fcallbacks.example%2Fcalls', 'ftp://x'],
    repeat: ['3|5|23:00|2030-01-01 10:00'],
    block: ['2026-01-01 10:00'],
    voice: ['Espeak|pt-br', 'fad', 'Acme|Ana'],
    app_id: [lineOf('msgapp')], v8l_id: [lineOf('msgapp')],
    'MakePageChat app_id': [lineOf('pagechat'), lineOf('pagechat'), lineOf('photodm')], 'MakePageChat v8l_id': [lineOf('pagechat')],
    'MakePhotoDm app_id': [lineOf('photodm')], 'MakePhotoDm v8l_id': [lineOf('photodm')],
    'MakePageChat mtype': ['text'], 'MakePhotoDm mtype': ['text'],
    'MakePageChat dest': ['7015550100'], 'MakePhotoDm dest': ['17841400000000100'],
    'MakeSMS dest': ['11987650000', '011987650001', '5511987650002'],
    'DeleteMsgappTemplate delete_mode': ['meta_only', 'meta_only', 'local_only', 'both'],
    'CreateCampaign date_start': ['2030-01-01'], 'CreateCampaign name': Array.from({ length: 200 }, (_, n) => `campaign ${n}`), 'CreateCampaign cp_ativo': [1, 1, 0],
    template_id: templates,
    action: ['create'],
    mtype: ['text', 'text', 'text', 'image', 'template', 'wabody', 'sticker', 'file'],
    mdata: ['Olá', 'Oi', 'Bom dia', 'https://files.example/a.png', '{"type":"text","text":{"body":"x"}}'],
    template: [{ name: 'order_ready', language: { code: 'pt_BR' }, components: [] }],
    message: ['Seu pedido saiu', 'x'.repeat(161)],
    cd_id: [call, 'a_1'], cp_type: ['0', '4'], nans2: [1], sms_action: ['ok', 'nae'], sms_text: ['Obrigado'],
    cp_id: [campaign], cdlc_id: [list], group: [group.id], cdg_id: [group.id],
    queue_id: [queue.queue_id], relftp: [999_999],
    urlcontent: ['http://127.0.0.1:1/a.wav', 'not an address'],
    datajson: [records, JSON.stringify(records), [], [{ phone: 'x' }], [{}], [null]],
    audio64: [sound.toString('base64'), `data:audio/wav;base64,${sound.toString('base64url')}`, 'AAAA'],
    request_id: ['request-one', 'request-two'],
    fdtmf: ['name|Ana', 'nobody|x'], compw: ['cod_cli'],
    date_start: ['2026-11-20', '2030-01-01'], date_end: ['2030-01-02'],
    httpdup: [0, 0, 0, 10],
    // A call that waits for its audio answers when it is made.
    priority: [0, -1, 5],
    wa_business_id: ['100000000000002'], wa_phone_number_id: ['100000000000001'], wa_number: ['5511900000000'],
  }; // prettier-ignore
};
