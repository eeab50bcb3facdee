/** Made from `src/operations` by `npm run docs`; edit there. Keys are the contract’s. */

import { Transport } from './transport.ts';

import type { RequestOptions, UploadOptions } from './options.ts';

export interface CallRecord {
  /** Call id, `<cdcs_db>_<numeric>`. */
  cd_id: string;
  /** How it ended; empty until the call has ended. */
  cd_status: '' | 'OK' | 'BUSY' | 'NOANSWER' | 'CANCEL' | 'CONGESTION' | 'CHANUNAVAIL';
  /** Who answered: MA machine, HM human, ND not determined, or detection off. */
  cd_amdasw: 'MA' | 'HM' | 'ND';
  /** Campaign id; 0: none. */
  cp_id: number;
  /** Customer-side campaign id; empty: none. */
  cpid: string;
  /** Customer-side call id. */
  ctid: string;
  /** Marker echoed from the request. */
  origin: string;
  /** Destination number, as `numtype` asks. */
  dest: string;
  /** Day of the dial, YYYY-MM-DD in the account’s time zone. */
  date: string;
  /** When it was dialled, HH:MM:SS. */
  time_dial: string;
  /** When it was answered, HH:MM:SS; the text null when it was not. */
  time_start: string;
  /** When it ended, HH:MM:SS; the text null when it was not answered, or goes on. */
  time_end: string;
  /** Seconds of talk. */
  dur: number;
  /** First digits of the callee; empty: none. */
  resp_1: string;
  /** Second digits. */
  resp_2: string;
  /** Third digits. */
  resp_3: string;
  /** Route; the text null when it was not answered. */
  route: string;
  /** Price of a minute, with a comma. */
  rate: string;
  /** Price of the call, with a comma. */
  value: string;
  /** Address of the recording; empty: none. */
  cdr_url: string;
  /** Seconds of the recording. */
  cdr_sec: number;
}

export interface CampaignRecord {
  /** Campaign id. */
  cp_id: number;
  /** Name. */
  cp_name: string;
  /** Customer-side id; the text null when there is none. */
  cp_ctid: string;
  /** Name of its group; the text null when there is none. The key ends in a blank. */
  'cp_group ': string;
  /** 1 active, 0 paused. The key ends in a blank. */
  'cp_active ': '0' | '1';
  /** 1: active, and now is within its days and hours. The key ends in a blank. */
  'cp_ontime ': '0' | '1';
  /** First day, YYYY-MM-DD. */
  cp_date_start: string;
  /** Last day, YYYY-MM-DD. */
  cp_date_end: string;
  /** From this time of day, HH:MM. */
  cp_time_start: string;
  /** To this time of day, HH:MM. */
  cp_time_end: string;
  /** Destinations that are to be called. */
  cp_destinations: number;
  /** Calls per minute, or max. */
  cp_lig_min: string;
  /** Most transfers at a time; the text null: no limit. */
  cp_pas: string;
  /** Destinations dialled at least once. */
  cp_made: number;
  /** Destinations that answered. */
  cp_answered: number;
  /** Transfers; the text null where it makes none. */
  cp_transfered: string;
  /** 1: a model, to be cloned and never dialled. */
  cp_model: 0 | 1;
  /** Its state. */
  cp_state: 'loading' | 'active' | 'paused' | 'completed' | 'limitReached' | 'expired' | 'failed';
}

export interface ListRecord {
  /** List id. */
  cdlc_id: number;
  /** 1 active, 0 inactive. */
  cdlc_active: 0 | 1;
  /** Customer-side id. */
  cdlc_ctid: string;
  /** Name. */
  cdlc_name: string;
  /** Name of the file it came from; empty: none. */
  cdlc_file: string;
  /** Day of its making, YYYY-MM-DD. */
  cdlc_date: string;
  /** Destinations. */
  cdlc_num: number;
}

export interface AudioRecord {
  /** Audio file id, as the content parameters take it. */
  cdw_file: string;
  /** Id of the sample of a ttsvar; empty: none. */
  cdw_file_test: string;
  /** Friendly name. */
  cdw_name: string;
  /** Seconds. */
  cdw_sec: string;
  /** Day of its making, YYYY-MM-DD. */
  cdw_date: string;
  /** Last day, YYYY-MM-DD; later while an active campaign plays it. */
  cdw_expires: string;
  /** Kind. */
  cdw_type: 'tts' | 'upload' | 'rec' | 'ttsvar';
}

export interface CreatedAudio {
  /** Audio file id, as the content parameters take it. */
  cdw_file: string;
  /** Id of the sample of a ttsvar; empty: none. */
  cdw_file_test: string;
  /** Friendly name. */
  cdw_name: string;
  /** Seconds. The key ends in a blank. */
  'cdw_sec ': string;
  /** Last day, YYYY-MM-DD. The key ends in a blank. */
  'cdw_expires ': string;
  /** Kind. The key ends in a blank. */
  'cdw_type ': 'tts' | 'upload' | 'rec' | 'ttsvar';
}

export interface VoiceRecord {
  /** Voice id. */
  cdwv_id: number;
  /** `Provider|VoiceName`, as the parameter `voice` takes it. */
  cdwv_name: string;
  /** Title. */
  cdwv_tit: string;
  /** Name without provider. */
  cdwv_short: string;
  /** Type, `tts`. */
  cdwv_type: string;
  /** Language, as pt-BR. */
  cdwv_language: string;
  /** F or M. */
  cdwv_genre: 'F' | 'M';
  /** Provider. */
  cdwv_company: string;
  /** Address of an MP3 sample. */
  cdwv_sample: string;
}

export interface QueueRecord {
  /** Queue id. */
  queue_id: number;
  /** Name. */
  name: string;
  /** Type, `ch` for chat. */
  type: string;
  /** Type in words. */
  type_description: string;
  /** Description. */
  description: string;
  active: boolean;
  /** Day of its making, YYYY-MM-DD in the account’s time zone. */
  created_date: string;
  /** AI that helps the agents. */
  ai_tutor: {
    /** 0: none. */
    id: number;
    /** Empty: none. */
    name: string;
  };
  /** AI that answers first. */
  ai_chatbot: {
    /** 0: none. */
    id: number;
    /** Empty: none. */
    name: string;
  };
  /** Labels; empty: unused. */
  buttons: {
    button_1: string;
    button_2: string;
    button_3: string;
    button_4: string;
    button_5: string;
    button_6: string;
    button_7: string;
    button_8: string;
  };
  /** Choices. */
  dropdowns: {
    dropdown_1: string[];
    dropdown_2: string[];
  };
  /** Ids of templates. */
  templates: string[];
}

export interface TemplateRecord {
  /** Template id, as `template_id` takes it. */
  cwt_id: number;
  /** Name. */
  cwt_name: string;
  /** Category: AUTHENTICATION, MARKETING, UTILITY, or another one of the upstream. */
  cwt_category: string;
  /** Language, as pt_BR. */
  cwt_language: string;
  /** Status of the upstream; an open set. */
  cwt_status: string;
  /** Body; placeholders are {{1}}, {{2}} and so on. */
  cwt_body_text: string;
  /** Type of the header; empty: none. */
  cwt_header_type: string;
  /** Text of the header. */
  cwt_header_text: string;
  /** Text of the footer. */
  cwt_footer_text: string;
  /** JSON text with an example for each placeholder. */
  cwt_variables_examples: string;
  /** Type of the buttons; empty: none. */
  cwt_button_type: string;
  /** JSON text of the buttons. */
  cwt_button_config: string;
}

export interface CallEvent {
  /** Call id, `<cdcs_db>_<numeric>`. */
  cd_id: string;
  /** How it ended; empty until the call has ended. */
  cd_status: '' | 'OK' | 'BUSY' | 'NOANSWER' | 'CANCEL' | 'CONGESTION' | 'CHANUNAVAIL';
  /** Who answered: MA machine, HM human, ND not determined, or detection off. */
  cd_amdasw: 'MA' | 'HM' | 'ND';
  /** Campaign id; 0: none. */
  cp_id: number;
  /** Customer-side campaign id; empty: none. */
  cpid: string;
  /** Customer-side call id. */
  ctid: string;
  /** Marker echoed from the request. */
  origin: string;
  /** Destination number, as `numtype` asks. */
  dest: string;
  /** Day of the dial, YYYY-MM-DD in the account’s time zone. */
  date: string;
  /** When it was dialled, HH:MM:SS. */
  time_dial: string;
  /** When it was answered, HH:MM:SS; the text null when it was not. */
  time_start: string;
  /** When it ended, HH:MM:SS; the text null when it was not answered, or goes on. */
  time_end: string;
  /** Seconds of talk. */
  dur: number;
  /** First digits of the callee; empty: none. */
  resp_1: string;
  /** Second digits. */
  resp_2: string;
  /** Third digits. */
  resp_3: string;
  /** Route; the text null when it was not answered. */
  route: string;
  /** Price of a minute, with a comma. */
  rate: string;
  /** Price of the call, with a comma. */
  value: string;
  /** Address of the recording; empty: none. */
  cdr_url: string;
  /** Seconds of the recording. */
  cdr_sec: number;
  /** What happened; completed and failed are final. */
  event: 'queued' | 'blocked' | 'dialing' | 'ringing' | 'answered' | 'amd' | 'dtmf' | 'transfer' | 'recording' | 'sms' | 'retry' | 'completed' | 'failed';
  /** Names the event; the same in every attempt to bring it, as webhook-id. */
  event_id: string;
  /** 1 is the first of this call or message. */
  seq: number;
  /** When it happened. */
  timestamp: string;
  /** Exactly one event of a call or message has true. */
  final: boolean;
  /** The dial attempt it is at. */
  attempt: number;
  /** Dial attempts that there may be in all. */
  attempts: number;
  /** Name. Of a campaign’s call. */
  name?: string;
  /** Client code. Of a campaign’s call. */
  cod_cli?: string;
  /** First extra. Of a campaign’s call. */
  extra1?: string;
  /** Second extra. Of a campaign’s call. */
  extra2?: string;
  /** Third extra. Of a campaign’s call. */
  extra3?: string;
  /** Fourth extra. Of a campaign’s call. */
  extra4?: string;
}

export interface MessageEvent {
  /** What happened; the first of delivered, failed and undelivered is final. */
  event: 'sent' | 'delivered' | 'read' | 'failed' | 'undelivered';
  /** Names the event; the same in every attempt to bring it, as webhook-id. */
  event_id: string;
  /** 1 is the first of this call or message. */
  seq: number;
  /** When it happened. */
  timestamp: string;
  /** Exactly one event of a call or message has true. */
  final: boolean;
  /** The dial attempt it is at. */
  attempt: number;
  /** Dial attempts that there may be in all. */
  attempts: number;
  /** Id in the message log. */
  cdls_id: number;
  /** Channel. */
  channel: 'sms' | 'msgapp' | 'pagechat' | 'photodm';
  /** Chat line; 0: SMS. */
  line: number;
  /** Recipient. */
  dest: string;
  /** Sender. */
  from: string;
  /** Kind of content. */
  mtype: string;
  /** Customer-side id. */
  ctid: string;
  /** Related id. */
  msg_id: string;
  /** Campaign. */
  cp_id: string;
  /** Call. */
  cd_id: string;
  /** Parts of an SMS. */
  segments: number;
  /** accepted, submitted, acknowledged, delivered, read, failed, undelivered, unknown. */
  status: string;
  /** Code of the provider. */
  status_code: string;
  /** What the provider said. */
  status_text: string;
  /** The provider’s id. */
  cdls_return_id: string;
  /** What the last receipt said; empty: none came. */
  cdls_status_delivery: string;
  /** Price, with a comma. */
  cdls_value: string;
  /** On the wall clock of the account. */
  created: string;
  /** On the wall clock of the account. */
  updated: string;
}

export interface ReceivedMessage {
  event: 'message.received';
  /** Names the message; the same in every attempt, as webhook-id. */
  event_id: string;
  /** When it was written. */
  timestamp: string;
  /** Channel. */
  channel: 'msgapp' | 'pagechat' | 'photodm';
  /** Line. */
  v8l_id: number;
  /** Who wrote. */
  from: string;
  /** Their name; empty: not told. */
  name: string;
  /** The upstream’s id of the message. */
  message_id: string;
  /** The message that it answers; empty: none. */
  related_id: string;
  /** Kind of content, as when a message is sent. */
  mtype: string;
  /** Text. */
  text: string;
  /** Address of the file, or JSON of what is neither text nor file. */
  mdata: string;
  mime_type?: string;
  file_name?: string;
  attachments?: {
    mtype: string;
    mdata: string;
  }[];
}

export interface TestEvent {
  event: 'test';
  /** Names the event; the same in every attempt to bring it, as webhook-id. */
  event_id: string;
  /** 1 is the first of this call or message. */
  seq: number;
  /** When it happened. */
  timestamp: string;
  /** Exactly one event of a call or message has true. */
  final: boolean;
  /** The dial attempt it is at. */
  attempt: number;
  /** Dial attempts that there may be in all. */
  attempts: number;
}

/** Parameters of MakeTTSCall. One of text, text1, text2, text3, text4, text5, text6, text7, text8, text9, text10, text11, content, nome, extra1, extra2, extra3, extra4, cod_cli is needed. */
export interface MakeTTSCallParams {
  /** Destination number; national formats with setbrasil on, else E.164 without +. */
  dest: string;
  /** Text spoken first, after `content`. */
  text?: string;
  /** Text that a dtmf action may play as slot 1. */
  text1?: string;
  /** Text that a dtmf action may play as slot 2. */
  text2?: string;
  /** Text that a dtmf action may play as slot 3. */
  text3?: string;
  /** Text that a dtmf action may play as slot 4. */
  text4?: string;
  /** Text that a dtmf action may play as slot 5. */
  text5?: string;
  /** Text that a dtmf action may play as slot 6. */
  text6?: string;
  /** Text that a dtmf action may play as slot 7. */
  text7?: string;
  /** Text that a dtmf action may play as slot 8. */
  text8?: string;
  /** Text that a dtmf action may play as slot 9. */
  text9?: string;
  /** Text that a dtmf action may play as slot 10. */
  text10?: string;
  /** Text that a dtmf action may play as slot 11. */
  text11?: string;
  /** Audio id played first. With or without the prefix tf. */
  content?: string;
  /** Audio id that a dtmf action may play as slot 1; wins over text1. */
  content1?: string;
  /** Audio id that a dtmf action may play as slot 2; wins over text2. */
  content2?: string;
  /** Audio id that a dtmf action may play as slot 3; wins over text3. */
  content3?: string;
  /** Audio id that a dtmf action may play as slot 4; wins over text4. */
  content4?: string;
  /** Audio id that a dtmf action may play as slot 5; wins over text5. */
  content5?: string;
  /** Audio id that a dtmf action may play as slot 6; wins over text6. */
  content6?: string;
  /** Audio id that a dtmf action may play as slot 7; wins over text7. */
  content7?: string;
  /** Audio id that a dtmf action may play as slot 8; wins over text8. */
  content8?: string;
  /** Audio id that a dtmf action may play as slot 9; wins over text9. */
  content9?: string;
  /** Audio id that a dtmf action may play as slot 10; wins over text10. */
  content10?: string;
  /** Audio id that a dtmf action may play as slot 11; wins over text11. */
  content11?: string;
  /** Audio id that a dtmf action may play as slot 12; wins over text12. */
  content12?: string;
  /** Audio id that a dtmf action may play as slot 13; wins over text13. */
  content13?: string;
  /** Audio id that a dtmf action may play as slot 14; wins over text14. */
  content14?: string;
  /** Audio id that a dtmf action may play as slot 15; wins over text15. */
  content15?: string;
  /** Audio id that asks for digits. */
  contentdtmf?: string;
  /** Audio id played when no digit came. */
  contentno?: string;
  /** Audio id played after a wrong digit, or when the transfer was not answered. */
  contentfail?: string;
  /** Audio id played before hanging up. */
  contentend?: string;
  /** Provider|VoiceName, or fad, the default voice. */
  voice?: string;
  /** Encoding of the texts. Default ISO-8859-1 for forms, UTF-8 for JSON. */
  encoding?: 'UTF-8' | '2UTF-8' | 'ASCII' | 'ISO-8859-1';
  /** 1 normalizes Brazilian numbers, 0 takes the number as it is. Default 1. */
  setbrasil?: 0 | 1;
  /** Caller id; the account, and a trunk that carries the call, must be allowed to show it, else the default is used. */
  callerid?: string;
  /** Customer-side id of the call. */
  ctid?: string;
  /** Customer-side campaign id. */
  cpid?: string;
  /** Seconds within which the same call is refused; 0 never. Default 10. */
  httpdup?: number;
  /** Spoken for <NOME> and <NAME>. */
  nome?: string;
  /** Spoken for <EXTRA1>. */
  extra1?: string;
  /** Spoken for <EXTRA2>. */
  extra2?: string;
  /** Spoken for <EXTRA3>. */
  extra3?: string;
  /** Spoken for <EXTRA4>. */
  extra4?: string;
  /** Spoken for <COD_CLI> and <CODCLI>. */
  cod_cli?: string;
  /** 0 play, 2 confirm, 3 menu, 22 record the answer, 100 straight to an agent. Default "0". */
  type?: '0' | '2' | '3' | '22' | '100';
  /** Digits expected. Default 1. */
  ndig?: number;
  /** Seconds to wait for them. Default 7. */
  dtime?: number;
  /** The key that confirms (type 2). Default "1". */
  dtmfconf?: string;
  /** The key that replays the opening, while it is heard and (but for type 22) for dtime seconds after it; for type 100 the agent (ccba_id). */
  dtmfini?: string;
  /** [keys|]action for key 1. Actions: content<n>, text<n>, a leg as in dest2, replay, hangup, optout. */
  dtmf?: string;
  /** [keys|]action for key 2. */
  dtmf2?: string;
  /** [keys|]action for key 3. */
  dtmf3?: string;
  /** [keys|]action for key 4. */
  dtmf4?: string;
  /** [keys|]action for key 5. */
  dtmf5?: string;
  /** [keys|]action for key 6. */
  dtmf6?: string;
  /** [keys|]action for key 7. */
  dtmf7?: string;
  /** [keys|]action for key 8. */
  dtmf8?: string;
  /** [keys|]action for key 9. */
  dtmf9?: string;
  /** [keys|]action for key 0. */
  dtmf10?: string;
  /** [keys|]action for key *. */
  dtmf11?: string;
  /** Number, RT<ccba_id>, WA<number> or FI<queue_id>. */
  dest2?: string;
  /** 1 keeps the caller with music until the second leg is free. Default 0. */
  fifo?: 0 | 1;
  /** Longest such wait, seconds. Default 300. */
  fifolim?: number;
  /** Keys sent after the second leg answers. */
  senddtmf?: string;
  /** Seconds to wait before sending them. Default 1. */
  senddtmftime?: number;
  /** Longest recording, seconds; 0 none. Type 22 records 60 seconds unless told. Default 0. */
  rec?: number;
  /** Records from the start, from confirmation, or from the agent bridge. Default ini. */
  startrec?: 'ini' | 'conf' | 'pa';
  /** tries|interval_min|until|YYYY-MM-DD HH:MM in the account’s time zone. */
  repeat?: string;
  /** Of the account’s calls higher dials first; -1 before everything; -20 makes the audio before answering the request and dials at once. Default 0. */
  priority?: number;
  /** Do not dial before: YYYY-MM-DD HH:MM[:SS] in the account’s time zone, or ISO 8601. */
  block?: string;
  /** Seconds of ringing. Default 45. */
  ringtime?: number;
  /** Seconds of the whole call after answer. Default 3600. */
  timelimit?: number;
  /** Seconds after which a call that only gives media counts as answered; 0 never. Default 0. */
  answer?: number;
  /** ok (answered), nae (not answered), oknae (either), dtmf1 (digit pressed). */
  sms_action?: string;
  /** Text of the SMS, at most 160 characters, also once placeholders are filled in; accents are stripped. */
  sms_text?: string;
  /** The key of dtmf1; default 1. */
  sms_dtmf?: string;
  /** 1 passes the block lists; default follows the account. */
  free?: 0 | 1;
  /** Audio id for answering machines; turns detection on. */
  amd?: string;
  /** While waiting: 1 dial tone, 2 music, 3 silence. Default 2. */
  moh?: number;
  /** Status callback URL; default the callback address of the account. */
  rurl?: string;
  /** Events told beside the final one: all, or a comma list of queued, blocked, dialing, ringing, answered, amd, dtmf, transfer, recording, sms, retry, completed, failed. Default that of the account. */
  rurl_events?: string;
  /** With cpid: most calls to one number in 30 days; 0 no limit. Default 0. */
  numlim?: number;
  /** With cpid: most calls with the same audio to one number in 30 days; 0 no limit. Default 0. */
  audiolim?: number;
  /** Outside the regional window: 1 refuses, 2 waits, 0 dials; default follows the account. */
  bkddd?: number;
  /** Trunks that it goes by, in this order, separated by |, and by no others; authorized accounts only. */
  tfix?: string;
}

export interface MakeTTSCallAnswer {
  return: {
    status: 'OK';
    status_code: '0';
    /** Call id, `<cdcs_db>_<numeric>`. */
    cd_id: string;
    /** What is served, but not quite as asked. */
    warning?: string;
  };
}

/** Codes under which it may fail. */
export type MakeTTSCallCode = '100' | '201' | '203' | '204' | '210' | '220' | '230' | '244' | '250' | '260' | '290' | '299' | '301' | '302' | '304' | '305' | '102' | '110' | '114' | '131' | '199' | '123' | '142' | '404' | '405' | '408' | '409' | '413' | '415' | '429' | '500' | '503';

/** Parameters of CreateCampaign. One of cdlc_id, cp_id, datajson or a file is needed. */
export interface CreateCampaignParams {
  /** Name. Default the name of its list; of a clone, that of the source’s list. */
  name?: string;
  /** Description. */
  detail?: string;
  /** Destination list; required unless a list is sent along or the campaign is a clone. */
  cdlc_id?: number;
  /** Campaign to clone: what is not given is copied from it. */
  cp_id?: number;
  /** 0 play, 4 question and answer, 6 confirmation and validation. Default "0". */
  cp_type?: '0' | '4' | '6';
  /** Customer-side campaign id. */
  cp_ctid?: string;
  /** Audio id of the main message. */
  content?: string;
  /** Text spoken instead of content. With placeholders it is filled in for each record. */
  text?: string;
  /** Provider|VoiceName of the text, or fad, the default voice. */
  voice?: string;
  /** Audio id for answering machines; turns detection on. */
  amd?: string;
  /** http or https address of an audio file, used instead of content. */
  urlcontent?: string;
  /** Base64 of an audio file, used when content is empty. */
  audio64?: string;
  /** First day, YYYY-MM-DD. Default today in the account’s time zone. */
  date_start?: string;
  /** Last day. Default date_start. */
  date_end?: string;
  /** From this time of day, in the destination’s time zone. Default "00:00:00". */
  time_start?: string;
  /** To this time of day. Default "23:59:59". */
  time_end?: string;
  /** Calls per minute, 1 to 100, or max. Default "max". */
  vel?: number | string;
  /** Retries after a failure; attempts = resends + 1. Default 0. */
  resends?: number;
  /** Minutes between retries. Default 30. */
  time_resends?: number;
  /** 0 leaves mobile numbers out. Default 1. */
  mobile?: 0 | 1;
  /** Stop after so many answered calls. */
  max_answered?: number;
  /** At most so many records of the same name; 0 no limit. Default 1. */
  limit_name?: number;
  /** 1 passes the block lists. Default 0. */
  no_block?: 0 | 1;
  /** Group id. */
  group?: number;
  /** Contact-center queue for transfers. */
  queue_id?: number;
  /** Status callback URL; default the callback address of the account. */
  rurl?: string;
  /** Events told of each call beside the final one: all, or a comma list of queued, blocked, dialing, ringing, answered, amd, dtmf, transfer, recording, sms, retry, completed, failed. Default that of the account. */
  rurl_events?: string;
  /** Trunks that it goes by, in this order, separated by |, and by no others; authorized accounts only. */
  tfix?: string;
  /** 1 tries all numbers of a record in their order. Default 0. */
  xnum?: 0 | 1;
  /** ok (answered), nae (not answered), oknae (either), dtmf1 (digit 1 pressed); cp_type 0 only. */
  sms_action?: string;
  /** Text of the SMS, at most 160 characters; accents are stripped, placeholders filled in for each record. */
  sms_text?: string;
  /** 1 starts at once, 0 keeps it paused. Default 0. */
  cp_ativo?: 0 | 1;
  /** A list sent along, as in CreateDestinationBase: records as a JSON array, or its text. Or a .csv or .json file as multipart under any name. */
  datajson?: ({
    phone?: string | number;
    name?: string | number;
    cod_cli?: string | number;
    extra1?: string | number;
    extra2?: string | number;
    extra3?: string | number;
    extra4?: string | number;
  } | (string | number | null)[])[] | string;
  /** Delivery profile to which the results go at the end. */
  relftp?: number;
  /** cp_type 4: audio id played after digit 0. */
  cont0?: string;
  /** cp_type 4: audio id played after digit 1. */
  cont1?: string;
  /** cp_type 4: audio id played after digit 2. */
  cont2?: string;
  /** cp_type 4: audio id played after digit 3. */
  cont3?: string;
  /** cp_type 4: audio id played after digit 4. */
  cont4?: string;
  /** cp_type 4: audio id played after digit 5. */
  cont5?: string;
  /** cp_type 4: audio id played after digit 6. */
  cont6?: string;
  /** cp_type 4: audio id played after digit 7. */
  cont7?: string;
  /** cp_type 4: audio id played after digit 8. */
  cont8?: string;
  /** cp_type 4: audio id played after digit 9. */
  cont9?: string;
  /** cp_type 4: audio id played when no digit came. */
  contentno?: string;
  /** cp_type 4: the key that replays the main message. */
  dtmfini?: string;
  /** cp_type 4: digits of the answer. Default 1. */
  nans?: number;
  /** cp_type 4: digits of a second answer. */
  nans2?: number;
  /** Seconds to wait for digits. Default 7. */
  dtime?: number;
  /** cp_type 6: audio id that asks for the digits. */
  content2?: string;
  /** cp_type 6: audio id played when they match. */
  content3?: string;
  /** cp_type 6: audio id played when it was not confirmed. */
  content4?: string;
  /** cp_type 6: audio id played when no digit came. */
  content5?: string;
  /** cp_type 6: audio id played before the transfer. */
  content6?: string;
  /** cp_type 6: audio id played when no member of the queue is free. */
  content7?: string;
  /** cp_type 6: audio id of the goodbye. */
  content8?: string;
  /** cp_type 6: audio id played when the digits do not match. */
  contentfail?: string;
  /** cp_type 6, required there: digits expected. */
  ndigval?: number;
  /** cp_type 6: the key that confirms. Default "1". */
  dtmf2?: string;
  /** <column>|<value>: only records whose column has this value. */
  fdtmf?: string;
  /** cp_type 6, required there: the column whose end the digits must be. */
  compw?: 'cod_cli' | 'extra1' | 'extra2' | 'extra3';
  /** As Idempotency-Key; a repeated request is answered with duplicate_request 1. */
  request_id?: string;
}

export interface CreateCampaignAnswer {
  return: {
    status: 'OK';
    status_code: '0';
    /** Campaign id. */
    cp_id: string;
    /** The request_id was used before: this is the answer of then. */
    duplicate_request?: '1';
    /** What is served, but not quite as asked. */
    warning?: string;
  };
}

/** Codes under which it may fail. */
export type CreateCampaignCode = '100' | '200' | '205' | '206' | '207' | '212' | '213' | '214' | '215' | '216' | '217' | '218' | '219' | '220' | '221' | '222' | '223' | '224' | '225' | '226' | '227' | '230' | '240' | '241' | '242' | '243' | '244' | '250' | '251' | '252' | '260' | '261' | '262' | '270' | '271' | '272' | '273' | '274' | '275' | '280' | '281' | '282' | '290' | '291' | '299' | '300' | '301' | '302' | '304' | '305' | '102' | '110' | '114' | '131' | '199' | '123' | '142' | '404' | '405' | '408' | '409' | '413' | '415' | '429' | '500' | '503';

/** Parameters of ChangeCampaign. One of active, lig_min, pas, date_start, date_end, time_start, time_end, name is needed. */
export interface ChangeCampaignParams {
  /** Campaign id. */
  cp_id: number;
  /** 0 pauses, 1 activates. */
  active?: 0 | 1;
  /** Calls per minute, or max; 0: no new dials. */
  lig_min?: number | string;
  /** Most transfers at a time, at least 1; the text null takes the limit away. */
  pas?: number | 'null';
  /** First day, YYYY-MM-DD. */
  date_start?: string;
  /** Last day. */
  date_end?: string;
  /** From this time of day, in the destination’s time zone. */
  time_start?: string;
  /** To this time of day. */
  time_end?: string;
  /** Name. */
  name?: string;
}

export interface ChangeCampaignAnswer {
  return: {
    status: 'OK';
    status_code: '0';
    /** What is served, but not quite as asked. */
    warning?: string;
  };
  campaigns: CampaignRecord[];
}

/** Codes under which it may fail. */
export type ChangeCampaignCode = '100' | '200' | '210' | '212' | '230' | '231' | '299' | '102' | '110' | '114' | '131' | '199' | '123' | '142' | '404' | '405' | '408' | '413' | '415' | '429' | '500' | '503';

/** Parameters of GetCampaignsList. */
export interface GetCampaignsListParams {
  /** One campaign. */
  cp_id?: number;
  /** Customer-side id. */
  cp_ctid?: string;
  /** Group id. */
  group?: number;
  /** on: only active campaigns. */
  type?: string;
  /** 1: only models. */
  model?: string;
  /** 1: those that end today or later; a date: those that end then or later. */
  date?: string;
  /** Text in name, description, id or audio ids, in any case, with or without accents. */
  search?: string;
  /** Most campaigns. Default 500. */
  maxreg?: number;
}

export interface GetCampaignsListAnswer {
  return: {
    status: 'OK';
    status_code: '0';
    /** What is served, but not quite as asked. */
    warning?: string;
  };
  campaigns: CampaignRecord[];
}

/** Codes under which it may fail. */
export type GetCampaignsListCode = '100' | '299' | '102' | '110' | '114' | '131' | '199' | '123' | '142' | '404' | '405' | '408' | '413' | '415' | '429' | '500' | '503';

/** Parameters of CreateDestinationBase. One of datajson or a file is needed. */
export interface CreateDestinationBaseParams {
  /** Name. Default API_<file|json>_<cdcs_id>_<timestamp>. */
  name?: string;
  /** Customer-side list id. */
  ctid?: string;
  /** Records: objects with phone (tel, telefone, numero, number), name (nome), cod_cli (codcli), extra1 to extra4, or arrays in this order; as JSON, or as text. Or send a file, .csv or .json, as multipart under any name. */
  datajson?: ({
    phone?: string | number;
    name?: string | number;
    cod_cli?: string | number;
    extra1?: string | number;
    extra2?: string | number;
    extra3?: string | number;
    extra4?: string | number;
  } | (string | number | null)[])[] | string;
}

export interface CreateDestinationBaseAnswer {
  return: {
    status: 'OK';
    status_code: '0';
    /** List id. */
    cdlc_id: string;
    /** Destinations that are valid. */
    num_dest: string;
    /** Bytes stored. */
    base_size: string;
    /** Records that were refused; the admin API shows them with their reasons. */
    rejected: number;
    /** What is served, but not quite as asked. */
    warning?: string;
  };
}

/** Codes under which it may fail. */
export type CreateDestinationBaseCode = '205' | '210' | '230' | '299' | '404' | '405' | '408' | '409' | '413' | '415' | '429' | '500' | '503';

/** Parameters of GetDestinationsList. */
export interface GetDestinationsListParams {
  /** One list; wins over search. */
  cdlc_id?: number;
  /** Customer-side list id; wins over cdlc_id and search. */
  ctid?: string;
  /** Text in name or file name, whatever its case and accents; only without ctid and cdlc_id. */
  search?: string;
  /** 1 active lists, 0 inactive ones, all. Absent with setactive=1 and one of ctid, cdlc_id, search: all. Default "1". */
  list?: '1' | '0' | 'all';
  /** 1 or 0: sets the flag of every list that matches, whatever maxreg says, and answers with the new flags. */
  setactive?: 0 | 1;
  /** Lists at most. Default 100. */
  maxreg?: number;
}

export interface GetDestinationsListAnswer {
  return: {
    status: 'OK';
    status_code: '0';
    /** What is served, but not quite as asked. */
    warning?: string;
  };
  lists: ListRecord[];
}

/** Codes under which it may fail. */
export type GetDestinationsListCode = '100' | '299' | '102' | '110' | '114' | '131' | '199' | '123' | '142' | '404' | '405' | '408' | '413' | '415' | '429' | '500' | '503';

/** Parameters of CreateAudioFile. One of text, audio64 or a file is needed. */
export interface CreateAudioFileParams {
  /** Text to speak. With placeholders it is kept as a text (type ttsvar), and a sample is spoken. */
  text?: string;
  /** Provider|VoiceName of the text, or fad, the default voice. */
  voice?: string;
  /** Encoding of the text. Default ISO-8859-1 for forms, UTF-8 for JSON. */
  encoding?: 'UTF-8' | '2UTF-8' | 'ASCII' | 'ISO-8859-1';
  /** Pace of the speech, -6 (slow) to 6 (fast). Default 0. */
  rate?: number;
  /** A sound file in base64, of either alphabet, behind `data:audio/<type>;base64,` or not. */
  audio64?: string;
  /** Friendly name. Default the name of the file, or the beginning of the text. */
  name?: string;
  /** Stored file name. Default the name of the upload. */
  name_up?: string;
  /** tts or ttsvar for a text, upload or rec for a file. Default by what is given. */
  type?: 'tts' | 'upload' | 'rec' | 'ttsvar';
  /** Group of assets. */
  cdg_id?: number;
  /** How many times as fast, at the same pitch; 0.5 to 2. Default 1. */
  speed?: number;
  /** Cuts silence: 1 at the start, 2 at the end, 3 both. Default 0. */
  delsilence?: number;
  /** Milliseconds of silence put at the start. Default 0. */
  incsilence?: number;
  /** `no`: only the WAV is made. */
  mp3?: string;
  /** 1 keeps a text for five years instead of a day. Default 0. */
  ttswrt?: 0 | 1;
  /** Last day, YYYY-MM-DD, in the account’s time zone. Default: a text a day, files five years. */
  expires?: string;
  /** `NO` hides it from GetAudiosList. */
  dis?: string;
}

export interface CreateAudioFileAnswer {
  return: {
    status: 'OK';
    status_code: '0';
    /** Audio file id, as the content parameters take it. */
    cdw_file: string;
    /** Id of the sample of a ttsvar; empty: none. */
    cdw_file_test: string;
    /** Friendly name. */
    cdw_name: string;
    /** Seconds. The key ends in a blank. */
    'cdw_sec ': string;
    /** Last day, YYYY-MM-DD. The key ends in a blank. */
    'cdw_expires ': string;
    /** Kind. The key ends in a blank. */
    'cdw_type ': 'tts' | 'upload' | 'rec' | 'ttsvar';
    /** What is served, but not quite as asked. */
    warning?: string;
  };
}

/** Codes under which it may fail. */
export type CreateAudioFileCode = '100' | '205' | '220' | '221' | '222' | '223' | '224' | '226' | '281' | '299' | '102' | '110' | '114' | '131' | '199' | '123' | '142' | '404' | '405' | '408' | '409' | '413' | '415' | '429' | '500' | '503';

/** Parameters of GetAudiosList. */
export interface GetAudiosListParams {
  /** Kind of asset; todas is all of them. Default "todas". */
  type?: 'todas' | 'tts' | 'upload' | 'rec' | 'ttsvar';
  /** In name, id and text, whatever case and accents. */
  search?: string;
  /** Most assets of the answer. Default 100. */
  maxreg?: number;
}

export interface GetAudiosListAnswer {
  return: {
    status: 'OK';
    status_code: '0';
    /** What is served, but not quite as asked. */
    warning?: string;
  };
  audios: AudioRecord[];
}

/** Codes under which it may fail. */
export type GetAudiosListCode = '100' | '299' | '102' | '110' | '114' | '131' | '199' | '123' | '142' | '404' | '405' | '408' | '413' | '415' | '429' | '500' | '503';

/** Parameters of GetTTSVoices. */
export type GetTTSVoicesParams = Record<string, never>;

export interface GetTTSVoicesAnswer {
  return: {
    status: 'OK';
    status_code: '0';
    /** What is served, but not quite as asked. */
    warning?: string;
  };
  voices: VoiceRecord[];
}

/** Codes under which it may fail. */
export type GetTTSVoicesCode = '100' | '299' | '102' | '110' | '114' | '131' | '199' | '123' | '142' | '404' | '405' | '408' | '413' | '415' | '429' | '500' | '503';

/** Parameters of GetCenterQueues. */
export type GetCenterQueuesParams = Record<string, never>;

export interface GetCenterQueuesAnswer {
  return: {
    status: 'OK';
    status_code: '0';
    /** What is served, but not quite as asked. */
    warning?: string;
  };
  queues: QueueRecord[];
}

/** Codes under which it may fail. */
export type GetCenterQueuesCode = '100' | '299' | '102' | '110' | '114' | '131' | '199' | '123' | '142' | '404' | '405' | '408' | '413' | '415' | '429' | '240' | '500' | '503';

/** Parameters of MakeSMS. */
export interface MakeSMSParams {
  /** Mobile number: 0DDD9XXXXYYYY, DDD9XXXXYYYY or 55DDD9XXXXYYYY; with setbrasil off, international without +. */
  dest: string;
  /** The text, at most 160 characters; cuttext cuts a longer one. */
  message: string;
  /** Customer-side id of the message. */
  ctid?: string;
  /** 1 normalizes Brazilian mobiles, 0 takes the number as it is. Default 1. */
  setbrasil?: 0 | 1;
  /** 1 or yes cuts a text at 160 characters instead of refusing it. Default "0". */
  cuttext?: '1' | 'yes' | '0' | 'no';
  /** Seconds within which the same text to the same number is refused; 0 never. Default 10. */
  httpdup?: number;
  /** Sender id, for providers that support it. */
  from?: string;
  /** Campaign id, kept in the message log. */
  cp_id?: string;
  /** The call it belongs to, <cdcs_db>_<cd_id>; kept in the message log. */
  cd_id?: string;
  /** prov_b, prov_c or prov_d; honoured only for the administrative account. */
  provider?: string;
}

export interface MakeSMSAnswer {
  return: {
    /** WR: taken, and not acknowledged yet. */
    status: 'OK' | 'WR';
    status_code: '0' | '1';
    /** Id in the message log. */
    cdls_id: string;
    /** What is served, but not quite as asked. */
    warning?: string;
  };
}

/** Codes under which it may fail. */
export type MakeSMSCode = '100' | '220' | '230' | '235' | '238' | '240' | '244' | '245' | '250' | '255' | '260' | '270' | '299' | '300' | '102' | '110' | '114' | '131' | '199' | '123' | '142' | '404' | '405' | '408' | '409' | '413' | '415' | '429' | '500' | '503';

/** Parameters of GetCallStatus. */
export interface GetCallStatusParams {
  /** One call, <cdcs_db>_<numeric>. */
  cd_id?: string;
  /** Customer-side id; the text null finds calls without one. Wins over cd_id. */
  ctid?: string;
  /** Campaign id. */
  cp_id?: number;
  /** Customer-side campaign id: the newest campaign with it, else calls placed with it. */
  cpid?: string;
  /** First day, YYYY-MM-DD in the account’s time zone. */
  date_start?: string;
  /** Last day, YYYY-MM-DD. */
  date_end?: string;
  /** Records a page; -1 all of them. Default 1000. */
  maxreg?: number;
  /** Cursor: next_id of the page before; 0 the first page. Default 0. */
  last_id?: number;
  /** 1 only calls with captured digits. Default 0. */
  onlydtmf?: 0 | 1;
  /** Empty: country, area, number; 0DDD: 0, area, number; DDD: area, number. */
  numtype?: '0DDD' | 'DDD';
  /** Echoed in every record; what is not [a-zA-Z0-9_-]{1,32} becomes api. Default "api". */
  origin?: string;
  /** Where the records are posted instead of answered; return.queued tells how many. Signed like status callbacks. */
  rurl?: string;
  /** POST or GET; the account’s by default. GET is a request for each call, its record in the query. */
  rurl_method?: 'POST' | 'GET';
  /** json for one JSON body, the answer itself; else a form for each call. The account’s by default. */
  rurl_type?: string;
  /** Extra headers, one a line, Header: value. With these or rurl_user the account’s own are not sent. */
  rurl_headers?: string;
  /** Basic user. */
  rurl_user?: string;
  /** Basic password. */
  rurl_password?: string;
}

export interface GetCallStatusAnswer {
  return: {
    status: 'OK';
    status_code: '0';
    pagination: {
      /** There are more. */
      has_more: boolean;
      /** The last_id of the next page; 0: there is none. */
      next_id: number;
    };
    /** With rurl: how many records will be posted there, counted up to 100000. */
    queued?: number;
    /** What is served, but not quite as asked. */
    warning?: string;
  };
  calls: CallRecord[];
}

/** Codes under which it may fail. */
export type GetCallStatusCode = '100' | '299' | '102' | '110' | '114' | '131' | '199' | '123' | '142' | '404' | '405' | '408' | '413' | '415' | '429' | '500' | '503';

/** Parameters of MakeMsgapp. */
export interface MakeMsgappParams {
  /** Destination number in international format, at least 6 digits. */
  dest: string;
  /** Line that sends. */
  app_id: number;
  /** Customer-side id of the message. */
  ctid?: string;
  /** What it is; wabody is a whole upstream message. Default "text". */
  mtype?: 'text' | 'audio' | 'image' | 'video' | 'file' | 'sticker' | 'wabody' | 'wa_template' | 'template';
  /** Text, or http(s) address of the file; the JSON of the message without `to` for wabody. Templates need none. */
  mdata?: string;
  /** Caption of an image or a video; the name of a file. */
  mcaption?: string;
  /** true for a template that opens a session; always so for templates, also as wabody. Charges price_2. Default "false". */
  misHSM?: 'true' | 'false';
  /** The template: name, language {code}, components. For mtype wa_template and template. */
  template?: Record<string, unknown>;
  /** Related call id. */
  msg_id?: string;
  /** Seconds within which the same message is refused; 0 never. Default 10. */
  httpdup?: number;
}

export interface MakeMsgappAnswer {
  return: {
    /** WR: taken, and not acknowledged yet. */
    status: 'OK' | 'WR';
    status_code: '0' | '1';
    /** Id in the message log. */
    cdls_id: string;
    /** What is served, but not quite as asked. */
    warning?: string;
  };
}

/** Codes under which it may fail. */
export type MakeMsgappCode = '100' | '220' | '230' | '231' | '232' | '233' | '235' | '236' | '250' | '260' | '299' | '102' | '110' | '114' | '131' | '199' | '123' | '142' | '404' | '405' | '408' | '409' | '413' | '415' | '429' | '500' | '503' | (string & {});

/** Parameters of ValidateMsgappNumber. */
export interface ValidateMsgappNumberParams {
  /** Access token with a scope for business management or messaging. */
  wa_api_key: string;
  /** Id of the business account. */
  wa_business_id: string;
  /** Id of the phone number; not the number. */
  wa_phone_number_id: string;
  /** The number registered under that id: international, digits only, the first 1 to 9. */
  wa_number: string;
}

export interface ValidateMsgappNumberAnswer {
  return: {
    status: 'OK';
    status_code: '0';
    result: {
      valid: true;
      /** Name of the business account. */
      business_name: string;
      /** The number as the upstream writes it. */
      phone_display_number: string;
      /** Name that was verified. */
      phone_verified_name: string;
      /** GREEN, YELLOW, RED or another word of the upstream. */
      phone_quality_rating: string;
      token_is_valid: true;
      /** Scopes as the upstream names them. */
      token_scopes: string[];
      configuration_status: 'OK';
    };
    /** What is served, but not quite as asked. */
    warning?: string;
  };
}

/** Codes under which it may fail. */
export type ValidateMsgappNumberCode = '100' | '230' | '231' | '232' | '233' | '234' | '240' | '245' | '246' | '251' | '299' | '102' | '110' | '114' | '131' | '199' | '123' | '142' | '404' | '405' | '408' | '413' | '415' | '429' | '500' | '503';

/** Parameters of CreateMsgappTemplate. */
export interface CreateMsgappTemplateParams {
  /** Stored template. */
  template_id: number;
  /** Line whose business account it goes to, with provider cloud. */
  app_id: number;
  /** `create`. */
  action: 'create';
  /** Media file; its address stands in the place of the upload handle in cwt_meta_json_with_urls only. */
  cwm_id?: number;
}

export interface CreateMsgappTemplateAnswer {
  return: {
    status: 'OK';
    status_code: '0';
    /** Template id; 0: none was found. */
    template_id: string;
    /** The upstream’s id; 0: it has none. */
    meta_template_id: string;
    /** What the upstream answered. */
    meta_raw_response: string;
    meta_status: 'OK';
    /** JSON text of what was sent upstream. */
    json_generated: string;
    /** What is served, but not quite as asked. */
    warning?: string;
  };
}

/** Codes under which it may fail. */
export type CreateMsgappTemplateCode = '100' | '230' | '231' | '232' | '233' | '234' | '235' | '236' | '237' | '238' | '239' | '240' | '241' | '242' | '243' | '245' | '247' | '248' | '249' | '250' | '260' | '299' | '102' | '110' | '114' | '131' | '199' | '123' | '142' | '404' | '405' | '408' | '409' | '413' | '415' | '429' | '500' | '503';

/** Parameters of CheckTemplateStatus. */
export interface CheckTemplateStatusParams {
  /** Stored template. */
  template_id: number;
  /** Line of the template. */
  v8l_id: number;
}

export interface CheckTemplateStatusAnswer {
  return: {
    status: 'OK';
    status_code: '0';
    /** Template id. */
    template_id: string;
    result: {
      /** The upstream’s id. */
      meta_template_id: string;
      /** PENDING, APPROVED, REJECTED, or another word of the upstream. */
      meta_status: string;
      /** What the caller was told last. */
      previous_status: string;
      /** meta_status is another one than previous_status. */
      status_changed: boolean;
      /** Name of the template. */
      meta_name: string;
    };
    /** What is served, but not quite as asked. */
    warning?: string;
  };
}

/** Codes under which it may fail. */
export type CheckTemplateStatusCode = '100' | '230' | '233' | '234' | '235' | '236' | '238' | '239' | '260' | '299' | '102' | '110' | '114' | '131' | '199' | '123' | '142' | '404' | '405' | '408' | '413' | '415' | '429' | '500' | '503';

/** Parameters of DeleteMsgappTemplate. */
export interface DeleteMsgappTemplateParams {
  /** Stored template. */
  template_id: number;
  /** Line of the template. */
  v8l_id: number;
  /** meta_only deletes it upstream and keeps the row as DELETED, local_only removes the row only, both does both. Default "meta_only". */
  delete_mode?: 'meta_only' | 'local_only' | 'both';
}

export interface DeleteMsgappTemplateAnswer {
  return: {
    status: 'OK';
    status_code: '0';
    /** Template id. */
    template_id: string;
    result: {
      /** Template id; 0: none was found. */
      template_id: number;
      /** The upstream’s id. */
      meta_template_id: string;
      /** Name of the template. */
      template_name: string;
      /** What was done. */
      message: string;
      /** As it was asked. */
      delete_mode: 'meta_only' | 'local_only' | 'both';
      deleted: true;
    };
    /** What is served, but not quite as asked. */
    warning?: string;
  };
}

/** Codes under which it may fail. */
export type DeleteMsgappTemplateCode = '100' | '230' | '233' | '234' | '235' | '236' | '238' | '239' | '260' | '270' | '299' | '102' | '110' | '114' | '131' | '199' | '123' | '142' | '404' | '405' | '408' | '413' | '415' | '429' | '500' | '503';

/** Parameters of GetMsgappTemplates. */
export interface GetMsgappTemplatesParams {
  /** Active Msgapp line of the account. */
  app_id: number;
}

export interface GetMsgappTemplatesAnswer {
  return: {
    status: 'OK';
    status_code: '0';
    /** What is served, but not quite as asked. */
    warning?: string;
  };
  templates: TemplateRecord[];
}

/** Codes under which it may fail. */
export type GetMsgappTemplatesCode = '100' | '201' | '202' | '299' | '102' | '110' | '114' | '131' | '199' | '123' | '142' | '404' | '405' | '408' | '413' | '415' | '429' | '500' | '503';

/** Parameters of MakePageChat. */
export interface MakePageChatParams {
  /** Line that sends. */
  app_id: number;
  /** The recipient’s id, as the upstream scopes it to the line. */
  dest: string;
  /** Text, or public http(s) address of the file. */
  mdata: string;
  /** Related id, kept in the log. */
  msg_id?: string;
  /** What it is; file and document are the same. Default "text". */
  mtype?: 'text' | 'image' | 'audio' | 'video' | 'file' | 'document';
  /** Taken, and not sent: pages show none. */
  mcaption?: string;
}

export interface MakePageChatAnswer {
  return: {
    /** WR: taken, and not acknowledged yet. */
    status: 'OK' | 'WR';
    status_code: 200 | 1;
    /** The upstream’s id of the message; empty: it gave none. */
    messageId: string;
    /** Id in the message log; 0: nothing was sent. */
    cdls_id: number;
    /** What is served, but not quite as asked. */
    warning?: string;
  };
}

/** Codes under which it may fail. */
export type MakePageChatCode = 100 | 210 | 220 | 225 | 230 | 233 | 234 | 299 | 400 | 102 | 110 | 114 | 131 | 199 | 123 | 142 | 404 | 405 | 408 | 409 | 413 | 415 | 429 | 500 | 503;

/** Parameters of MakePhotoDm. */
export interface MakePhotoDmParams {
  /** Line that sends. */
  app_id: number;
  /** The recipient’s id, as the upstream scopes it to the line. */
  dest: string;
  /** Text, or public http(s) address of the file. */
  mdata: string;
  /** Related id, kept in the log. */
  msg_id?: string;
  /** What it is. Default "text". */
  mtype?: 'text' | 'image' | 'audio' | 'video';
}

export interface MakePhotoDmAnswer {
  return: {
    /** WR: taken, and not acknowledged yet. */
    status: 'OK' | 'WR';
    status_code: 200 | 1;
    /** The upstream’s id of the message; empty: it gave none. */
    messageId: string;
    /** Id in the message log; 0: nothing was sent. */
    cdls_id: number;
    /** What is served, but not quite as asked. */
    warning?: string;
  };
}

/** Codes under which it may fail. */
export type MakePhotoDmCode = 100 | 210 | 220 | 225 | 230 | 233 | 299 | 400 | 102 | 110 | 114 | 131 | 199 | 123 | 142 | 404 | 405 | 408 | 409 | 413 | 415 | 429 | 500 | 503;

/** What each operation takes and answers, by its name. */
export interface Operations {
  MakeTTSCall: { params: MakeTTSCallParams; answer: MakeTTSCallAnswer; code: MakeTTSCallCode };
  CreateCampaign: { params: CreateCampaignParams; answer: CreateCampaignAnswer; code: CreateCampaignCode };
  ChangeCampaign: { params: ChangeCampaignParams; answer: ChangeCampaignAnswer; code: ChangeCampaignCode };
  GetCampaignsList: { params: GetCampaignsListParams; answer: GetCampaignsListAnswer; code: GetCampaignsListCode };
  CreateDestinationBase: { params: CreateDestinationBaseParams; answer: CreateDestinationBaseAnswer; code: CreateDestinationBaseCode };
  GetDestinationsList: { params: GetDestinationsListParams; answer: GetDestinationsListAnswer; code: GetDestinationsListCode };
  CreateAudioFile: { params: CreateAudioFileParams; answer: CreateAudioFileAnswer; code: CreateAudioFileCode };
  GetAudiosList: { params: GetAudiosListParams; answer: GetAudiosListAnswer; code: GetAudiosListCode };
  GetTTSVoices: { params: GetTTSVoicesParams; answer: GetTTSVoicesAnswer; code: GetTTSVoicesCode };
  GetCenterQueues: { params: GetCenterQueuesParams; answer: GetCenterQueuesAnswer; code: GetCenterQueuesCode };
  MakeSMS: { params: MakeSMSParams; answer: MakeSMSAnswer; code: MakeSMSCode };
  GetCallStatus: { params: GetCallStatusParams; answer: GetCallStatusAnswer; code: GetCallStatusCode };
  MakeMsgapp: { params: MakeMsgappParams; answer: MakeMsgappAnswer; code: MakeMsgappCode };
  ValidateMsgappNumber: { params: ValidateMsgappNumberParams; answer: ValidateMsgappNumberAnswer; code: ValidateMsgappNumberCode };
  CreateMsgappTemplate: { params: CreateMsgappTemplateParams; answer: CreateMsgappTemplateAnswer; code: CreateMsgappTemplateCode };
  CheckTemplateStatus: { params: CheckTemplateStatusParams; answer: CheckTemplateStatusAnswer; code: CheckTemplateStatusCode };
  DeleteMsgappTemplate: { params: DeleteMsgappTemplateParams; answer: DeleteMsgappTemplateAnswer; code: DeleteMsgappTemplateCode };
  GetMsgappTemplates: { params: GetMsgappTemplatesParams; answer: GetMsgappTemplatesAnswer; code: GetMsgappTemplatesCode };
  MakePageChat: { params: MakePageChatParams; answer: MakePageChatAnswer; code: MakePageChatCode };
  MakePhotoDm: { params: MakePhotoDmParams; answer: MakePhotoDmAnswer; code: MakePhotoDmCode };
}

export const operationFacts = {
  MakeTTSCall: { repeats: 'byKey', encodes: true },
  CreateCampaign: { repeats: 'byKey', encodes: false },
  ChangeCampaign: { repeats: 'never', encodes: false },
  GetCampaignsList: { repeats: 'freely', encodes: false },
  CreateDestinationBase: { repeats: 'byKey', encodes: false },
  GetDestinationsList: { repeats: 'freely', encodes: false },
  CreateAudioFile: { repeats: 'byKey', encodes: true },
  GetAudiosList: { repeats: 'freely', encodes: false },
  GetTTSVoices: { repeats: 'freely', encodes: false },
  GetCenterQueues: { repeats: 'freely', encodes: false },
  MakeSMS: { repeats: 'byKey', encodes: false },
  GetCallStatus: { repeats: 'freely', encodes: false },
  MakeMsgapp: { repeats: 'byKey', encodes: false },
  ValidateMsgappNumber: { repeats: 'freely', encodes: false },
  CreateMsgappTemplate: { repeats: 'byKey', encodes: false },
  CheckTemplateStatus: { repeats: 'freely', encodes: false },
  DeleteMsgappTemplate: { repeats: 'never', encodes: false },
  GetMsgappTemplates: { repeats: 'freely', encodes: false },
  MakePageChat: { repeats: 'byKey', encodes: false },
  MakePhotoDm: { repeats: 'byKey', encodes: false },
} as const satisfies Record<keyof Operations, { repeats: 'byKey' | 'freely' | 'never'; encodes: boolean }>;

/** A Ramal service, one method an operation. Keep one for as long as you like. */
export class Ramal extends Transport {
  /** Place one outbound voice call with synthesized speech or recorded audio. Section 4.2. */
  makeTTSCall(params: MakeTTSCallParams, options: RequestOptions = {}): Promise<MakeTTSCallAnswer> {
    return this.call('MakeTTSCall', params, options);
  }

  /** Create a campaign that calls every number of a list. Section 4.3. */
  createCampaign(params: CreateCampaignParams = {}, options: UploadOptions = {}): Promise<CreateCampaignAnswer> {
    return this.call('CreateCampaign', params, options);
  }

  /** Pause, resume, throttle, reschedule or rename a campaign. Section 4.4. */
  changeCampaign(params: ChangeCampaignParams, options: RequestOptions = {}): Promise<ChangeCampaignAnswer> {
    return this.call('ChangeCampaign', params, options);
  }

  /** Campaigns with their counts, newest first. Section 4.5. */
  getCampaignsList(params: GetCampaignsListParams = {}, options: RequestOptions = {}): Promise<GetCampaignsListAnswer> {
    return this.call('GetCampaignsList', params, options);
  }

  /** Uploads a destination list, as JSON or as a CSV or JSON file. Section 4.6. */
  createDestinationBase(params: CreateDestinationBaseParams = {}, options: UploadOptions = {}): Promise<CreateDestinationBaseAnswer> {
    return this.call('CreateDestinationBase', params, options);
  }

  /** Destination lists, newest first; setactive switches all that match on or off. Section 4.7. */
  getDestinationsList(params: GetDestinationsListParams = {}, options: RequestOptions = {}): Promise<GetDestinationsListAnswer> {
    return this.call('GetDestinationsList', params, options);
  }

  /** Make an audio asset: synthesize a text, or take a sound file. Section 4.8. */
  createAudioFile(params: CreateAudioFileParams = {}, options: UploadOptions = {}): Promise<CreateAudioFileAnswer> {
    return this.call('CreateAudioFile', params, options);
  }

  /** Audio assets, newest first. Section 4.9. */
  getAudiosList(params: GetAudiosListParams = {}, options: RequestOptions = {}): Promise<GetAudiosListAnswer> {
    return this.call('GetAudiosList', params, options);
  }

  /** The voices that may be named; MakeTTSCall refuses those of third parties. Section 4.10. */
  getTTSVoices(params: GetTTSVoicesParams = {}, options: RequestOptions = {}): Promise<GetTTSVoicesAnswer> {
    return this.call('GetTTSVoices', params, options);
  }

  /** The active contact-centre queues, sorted by name. Section 4.11. */
  getCenterQueues(params: GetCenterQueuesParams = {}, options: RequestOptions = {}): Promise<GetCenterQueuesAnswer> {
    return this.call('GetCenterQueues', params, options);
  }

  /** Send one SMS, and tell what the provider said to it. Section 4.12. */
  makeSMS(params: MakeSMSParams, options: RequestOptions = {}): Promise<MakeSMSAnswer> {
    return this.call('MakeSMS', params, options);
  }

  /** Records of calls, one or a page, newest first. Section 4.13. */
  getCallStatus(params: GetCallStatusParams = {}, options: RequestOptions = {}): Promise<GetCallStatusAnswer> {
    return this.call('GetCallStatus', params, options);
  }

  /** Send a chat-app message: text, a file, a template, or a whole upstream message. Section 4.14. */
  makeMsgapp(params: MakeMsgappParams, options: RequestOptions = {}): Promise<MakeMsgappAnswer> {
    return this.call('MakeMsgapp', params, options);
  }

  /** Check a chat-app number and its token against the upstream; changes nothing. Section 4.15. */
  validateMsgappNumber(params: ValidateMsgappNumberParams, options: RequestOptions = {}): Promise<ValidateMsgappNumberAnswer> {
    return this.call('ValidateMsgappNumber', params, options);
  }

  /** Submit a stored template for approval. Section 4.16. */
  createMsgappTemplate(params: CreateMsgappTemplateParams, options: RequestOptions = {}): Promise<CreateMsgappTemplateAnswer> {
    return this.call('CreateMsgappTemplate', params, options);
  }

  /** Read the upstream status of a submitted template. Section 4.17. */
  checkTemplateStatus(params: CheckTemplateStatusParams, options: RequestOptions = {}): Promise<CheckTemplateStatusAnswer> {
    return this.call('CheckTemplateStatus', params, options);
  }

  /** Delete a template upstream, here, or in both places. Section 4.18. */
  deleteMsgappTemplate(params: DeleteMsgappTemplateParams, options: RequestOptions = {}): Promise<DeleteMsgappTemplateAnswer> {
    return this.call('DeleteMsgappTemplate', params, options);
  }

  /** The approved templates of a line. Section 4.19. */
  getMsgappTemplates(params: GetMsgappTemplatesParams, options: RequestOptions = {}): Promise<GetMsgappTemplatesAnswer> {
    return this.call('GetMsgappTemplates', params, options);
  }

  /** Send a message to a person who wrote to a page within 24 hours. Section 4.20. */
  makePageChat(params: MakePageChatParams, options: RequestOptions = {}): Promise<MakePageChatAnswer> {
    return this.call('MakePageChat', params, options);
  }

  /** Send a message to a person who wrote to a photo account within 24 hours. Section 4.21. */
  makePhotoDm(params: MakePhotoDmParams, options: RequestOptions = {}): Promise<MakePhotoDmAnswer> {
    return this.call('MakePhotoDm', params, options);
  }
}

