/** What an account hears that names another's thing: the declared code, or OK where nothing of the other is touched. */

const numbered = (family: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, n) => `${family}${from + n}`);
const all = (names: readonly string[], code: string): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, code]));

const lines = ['app_id', 'v8l_id'];

/** By operation and parameter. OK: an empty list, a text of the customer's own, a leg that is not opened. */
export const told: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  MakeTTSCall: {
    ...all(['content', ...numbered('content', 1, 15), 'contentdtmf', 'contentno', 'contentfail'], '204'),
    ...all(['contentend', 'amd'], '204'),
    ...{ voice: '299', dtmfini: '290' },
    ...all(['callerid', 'ctid', 'cpid', 'dest2', 'dtmf', ...numbered('dtmf', 2, 11)], 'OK'),
  },
  CreateCampaign: {
    ...{ cdlc_id: '251', cp_id: '282', content: '240', amd: '241', contentno: '243', contentfail: '244' },
    ...all([...numbered('cont', 0, 9), ...numbered('content', 2, 8)], '242'),
    ...{ group: '250', queue_id: '299', relftp: '200', voice: '299', dtmf2: '299' },
    ...{ cp_ctid: 'OK', dtmfini: 'OK', request_id: 'OK' },
  },
  ChangeCampaign: { cp_id: '212' },
  GetCampaignsList: all(['cp_id', 'cp_ctid', 'group', 'search'], 'OK'),
  CreateDestinationBase: { ctid: 'OK' },
  GetDestinationsList: all(['cdlc_id', 'ctid', 'search'], 'OK'),
  CreateAudioFile: { voice: '299', cdg_id: '299' },
  GetAudiosList: { search: 'OK' },
  MakeSMS: all(['ctid', 'cp_id', 'cd_id'], 'OK'),
  GetCallStatus: all(['cd_id', 'ctid', 'cp_id', 'cpid', 'last_id'], 'OK'),
  MakeMsgapp: { ...all(lines, '236'), ctid: 'OK', template: '132001', msg_id: 'OK' },
  ValidateMsgappNumber: all(['wa_business_id', 'wa_phone_number_id'], '251'),
  CreateMsgappTemplate: { ...all(lines, '235'), template_id: '238', cwm_id: '299' },
  CheckTemplateStatus: { ...all(lines, '235'), template_id: '238' },
  DeleteMsgappTemplate: { ...all(lines, '235'), template_id: '238' },
  GetMsgappTemplates: all(lines, '202'),
  MakePageChat: { ...all(lines, '230'), msg_id: 'OK' },
  MakePhotoDm: { ...all(lines, '230'), msg_id: 'OK' },
};
