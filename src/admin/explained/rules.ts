/** Why a call or campaign waits, or was held back, by the rule that did it; beside those that are reasons as well. */
import type { Both } from './language.ts';
import { callEndReasonTexts } from './callEndReasons.ts';
import { getOwnEntry, one, type ExplanationText } from './words.ts';

/** Of what waits for its time, unless something outside holds it. */
export const goesOnByItselfText: Both = { en: 'It goes on by itself.', pt: 'Continua sozinha.' };
const activate: Both = {
  en: 'Activate the campaign with ChangeCampaign, active=1.',
  pt: 'Ative a campanha com ChangeCampaign, active=1.',
};

const own: Readonly<Record<string, ExplanationText>> = {
  // A call
  schedule: one('it waits for its date', 'aguarda a data marcada', goesOnByItselfText),
  repeat: one('the last moment of the day is over', 'o horário limite do dia passou', goesOnByItselfText),
  retry: one('it waits for its next attempt', 'aguarda a próxima tentativa', goesOnByItselfText),
  late: one('its dial could not be made in time, and is asked for anew', 'a discagem não pôde ser feita a tempo e será pedida de novo', goesOnByItselfText),
  sms: one('it is not certain that its SMS was taken', 'não há certeza de que o SMS foi aceito', {
    en: 'Look at the message log before you send another.',
    pt: 'Consulte o registro de mensagens antes de enviar outro.',
  }),
  reroute: one('a trunk refused it before it rang, and another was asked for', 'um tronco a recusou antes de chamar, e outro foi pedido', goesOnByItselfText),
  busyNumber: one('another call to the same number is going on', 'outra chamada para o mesmo número está em curso', goesOnByItselfText),
  turn: one('it waits for its turn in the campaign', 'aguarda a vez na campanha', goesOnByItselfText),
  dayLimit: one('its account has spent what its calls may cost in a day', 'a conta já gastou o que as ligações podem custar em um dia', {
    en: 'It goes on by itself the next day. For more today, raise the limit of the account.',
    pt: 'Continua sozinha no dia seguinte. Para mais hoje, aumente o limite da conta.',
  }),
  callerId: one('all caller ids of its pool have had their calls of the hour', 'todos os números exibidos do grupo já fizeram as ligações da hora', {
    en: 'It goes on by itself. For more an hour, add caller ids to the pool, or raise its limit.',
    pt: 'Continua sozinha. Para mais por hora, acrescente números ao grupo ou aumente o limite.',
  }),
  capacity: one('the carrier has no free line', 'a operadora não tem linha livre', goesOnByItselfText),
  holiday: one('it is a holiday where it rings', 'é feriado no destino', goesOnByItselfText),
  window: one('it is outside the calling hours', 'está fora do horário permitido', goesOnByItselfText),
  // A campaign
  paused: one('the campaign is paused, or a model', 'a campanha está pausada, ou é um modelo', activate),
  loading: one('its destinations are being chosen', 'os destinos estão sendo escolhidos', goesOnByItselfText),
  completed: one('all of its destinations have ended', 'todos os destinos terminaram'),
  max_answered: one('the wanted number of answered calls is reached, or may be', 'o total desejado de chamadas atendidas foi ou pode ser atingido'),
  date_end: one('its last day is over', 'o último dia passou', callEndReasonTexts['expired']!.todo),
  closed: one('it was closed before its last day', 'foi encerrada antes do último dia', {
    en: 'Switch it on again to call who is left.',
    pt: 'Ative de novo para ligar para quem falta.',
  }),
  failed: one('its destinations could not be chosen', 'os destinos não puderam ser escolhidos', {
    en: 'Look at the list, then send the campaign the event reload.',
    pt: 'Confira a lista e envie o evento reload à campanha.',
  }),
  draining: one('every destination was begun, and the last calls go on', 'todos os destinos começaram, e as últimas chamadas continuam', goesOnByItselfText),
  pace: one('it dials as fast as it was told to, no faster', 'disca na velocidade definida, não mais', {
    en: 'Change its calls per minute for another pace.',
    pt: 'Altere as chamadas por minuto para outra velocidade.',
  }),
  lig_min: one('its calls per minute are 0', 'as chamadas por minuto são 0', {
    en: 'Give it calls per minute with ChangeCampaign.',
    pt: 'Defina as chamadas por minuto com ChangeCampaign.',
  }),
  pas: one('as many transfers as it may have are under way', 'há tantas transferências em curso quantas são permitidas', goesOnByItselfText),
  silent: one('a call has its turn to dial and does not answer', 'uma chamada tem a vez de discar e não responde', {
    en: 'Tell the operator of the service.',
    pt: 'Avise o operador do serviço.',
  }),
  'skipped:filter': one('records have another value in the filtered column', 'registros têm outro valor na coluna filtrada'),
  'skipped:mobile': one('mobile numbers are left out', 'números móveis ficam de fora'),
  'skipped:blocklist': one('numbers of the list are on a block list', 'números da lista estão bloqueados'),
  'skipped:duplicate': one('numbers stand in the list more than once', 'números aparecem mais de uma vez na lista'),
  'skipped:name': one('too many records have the same name', 'há registros demais com o mesmo nome'),
}; // prettier-ignore

/** Undefined for a rule that neither calls nor campaigns have. */
export const describeCallRule = (rule: string): ExplanationText | undefined =>
  getOwnEntry(own, rule) ?? getOwnEntry(callEndReasonTexts, rule);
