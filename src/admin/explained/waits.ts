/** What a machine waits for: its timers and the effects that it has asked for, in words. */
import type { Both } from './language.ts';
import { both, getOwnEntry } from './words.ts';

/** After "At … ": what it does when nothing else happens before. */
const timers: Readonly<Record<string, Readonly<Record<string, Both>>>> = {
  call: {
    audioGuard: both('it stops waiting for its audio', 'deixa de esperar o áudio'),
    notBefore: both('its date has come', 'chega a data marcada'),
    turnGuard: both('it asks the campaign again for its turn', 'pede de novo a vez à campanha'),
    resume: both('it asks again whether it may dial', 'pergunta de novo se pode discar'),
    clearanceGuard: both('it stops waiting for the permission to dial', 'deixa de esperar a permissão para discar'),
    rerouteGuard: both('it stops looking for another trunk, and the attempt ends', 'deixa de procurar outro tronco, e a tentativa termina'),
    ringGuard: both('it stops waiting for an answer', 'deixa de esperar o atendimento'),
    checkGuard: both('it stops asking how the call ended', 'deixa de perguntar como a chamada terminou'),
    timeLimit: both('its time limit is reached and it hangs up', 'atinge o tempo limite e desliga'),
    machineGuard: both('it stops listening for an answering machine', 'deixa de verificar se é caixa postal'),
    playGuard: both('it stops waiting for the end of the audio', 'deixa de esperar o fim do áudio'),
    digits: both('it stops waiting for a key', 'deixa de esperar uma tecla'),
    recordGuard: both('it stops recording the answer', 'deixa de gravar a resposta'),
    line: both('it stops waiting for the second leg', 'deixa de esperar o segundo destino'),
    targetGuard: both('it stops looking for the second leg', 'deixa de procurar o segundo destino'),
    redial: both('it dials the second leg again', 'disca de novo o segundo destino'),
    sendDigits: both('it sends the digits to the second leg', 'envia os dígitos ao segundo destino'),
    talkGuard: both('the longest conversation is over and it hangs up', 'a conversa mais longa termina e desliga'),
    closeGuard: both('it stops waiting for the end of its legs', 'deixa de esperar o fim das pernas'),
    fileGuard: both('it stops waiting for its recording', 'deixa de esperar a gravação'),
    smsGuard: both('it stops waiting for its SMS to be taken', 'deixa de esperar o aceite do SMS'),
  },
  line: { look: both('it looks again at who waits', 'verifica de novo quem espera') },
  campaign: {
    look: both('it looks again at what it may dial', 'verifica de novo o que pode discar'),
    retention: both('it is filed away', 'é arquivada'),
  },
  message: {
    answerGuard: both('it stops waiting for the answer of its provider', 'deixa de esperar a resposta do provedor'),
    smsReceipts: both('it stops waiting for a receipt', 'deixa de esperar um recibo'),
    chatReceipts: both('it stops waiting for receipts', 'deixa de esperar recibos'),
    stragglers: both('it stops waiting for the receipt of its delivery', 'deixa de esperar o recibo de entrega'),
  },
  template: {
    answerGuard: both('it stops waiting for the answer of the platform', 'deixa de esperar a resposta da plataforma'),
    nextLook: both('it is looked for again on the platform', 'é procurado de novo na plataforma'),
    nextPoll: both('its status is asked for again', 'o status é consultado de novo'),
  },
  delivery: {
    attemptGuard: both('it stops waiting for the end of the attempt', 'deixa de esperar o fim da tentativa'),
    idleGuard: both('it stops waiting for more to deliver', 'deixa de esperar mais entregas'),
    nextAttempt: both('it is tried again', 'é tentada de novo'),
    deadLetterEnd: both('it is given up', 'é abandonada'),
  },
}; // prettier-ignore

/** After "Its request ": what was asked for. */
const effects: Readonly<Record<string, Both>> = {
  originate: both('to dial', 'de discagem'),
  hangUp: both('to hang up', 'de desligamento'),
  play: both('to play audio', 'de reprodução de áudio'),
  stopPlay: both('to stop the audio', 'de parada do áudio'),
  detectMachine: both('to listen for an answering machine', 'de detecção de caixa postal'),
  hold: both('to play music on hold', 'de música de espera'),
  bridge: both('to join the two legs', 'de união das duas pernas'),
  unbridge: both('to part the two legs', 'de separação das duas pernas'),
  sendDigits: both('to send digits', 'de envio de dígitos'),
  record: both('to record', 'de gravação'),
  stopRecord: both('to stop the recording', 'de parada da gravação'),
  adopt: both('to take over the live call', 'de retomada da chamada em curso'),
  lookUp: both('to find out how the call ended', 'de consulta ao fim da chamada'),
  prepareAudio: both('to make its audio', 'de geração do áudio'),
  requestClearance: both('for the permission to dial', 'de permissão para discar'),
  withdrawClearance: both('to give its line back', 'de devolução da linha'),
  blockNumber: both('to block the number', 'de bloqueio do número'),
  restNumber: both('to leave the number alone', 'de descanso do número'),
  resolveTarget: both('to find the second leg', 'de localização do segundo destino'),
  sendSms: both('to send its SMS', 'de envio do SMS'),
  generateDestinations: both('to choose its destinations', 'de escolha dos destinos'),
  planWindows: both('for the calling hours', 'dos horários permitidos'),
  fetchDestinations: both('for its next destinations', 'dos próximos destinos'),
  findLostCalls: both('for calls that have ended unheard', 'das chamadas que terminaram sem aviso'),
  findLiveCalls: both('for the calls that go on', 'das chamadas em curso'),
  addressResults: both('for the address of its results', 'do endereço dos resultados'),
  deliver: both('to deliver', 'de entrega'),
  submitSms: both('to send the SMS', 'de envio do SMS'),
  submitChat: both('to send the chat message', 'de envio da mensagem de chat'),
  submitTemplate: both('to submit the template', 'de submissão do template'),
  findTemplate: both('to find the template on the platform', 'de busca do template na plataforma'),
  checkTemplate: both('for the status of the template', 'do status do template'),
  deleteTemplate: both('to delete the template', 'de exclusão do template'),
}; // prettier-ignore

/** Undefined: a timer that no table has. */
export const describeMachineTimer = (kind: string, timer: string): Both | undefined =>
  getOwnEntry(getOwnEntry(timers, kind) ?? {}, timer);

/** Undefined: an effect that no table has. */
export const describeMachineEffect = (effect: string): Both | undefined => getOwnEntry(effects, effect);
