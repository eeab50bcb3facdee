/** As frases que só a página de uma máquina diz, em português. */
import type { en } from './en.ts';

export const pt: Record<keyof typeof en, string> = {
  sounds: 'Para ouvir',
  recording: 'Gravação, {time}',
  recordingGone: 'A gravação foi apagada: gravações ficam pelo tempo que RECORDING_DAYS diz.',
  hearingAudited: 'Que você a ouviu fica no registro de auditoria.',
  listenTo: 'Ouvir: {name}',
  notHeard: 'Não é possível ouvir.',
  file: 'um arquivo',
  playsNow: 'Tocado então',
  sendConfirm: 'A máquina está em {state} agora. Ela recebe {event} na hora, e isso não se desfaz.',
  eventIgnored: '{event} não mudou nada: em {state} a máquina não o aceita.',
  retryNamed: 'Repetir {effect}',
  triedAgain: '{effect} é tentado de novo.',
  orderLeft: 'O nó que tem a máquina recebe a ordem em instantes: acompanhe {effect} nesta página.',
  giveUpNamed: 'Desistir de {effect}',
  giveUpTitle: 'Desistir de {effect}?',
  giveUpText:
    'Ele espera para ser tentado de novo. Se você desistir, não há novas tentativas, e a máquina segue como após a falha dele.',
  givenUp: '{effect} não será mais tentado.',
  retryTitle: 'Repetir {effect} agora?',
  retryText:
    'O que o efeito pede é pedido mais uma vez, na hora. Se a tentativa anterior chegou mesmo assim, acontece duas vezes.',
  opening: 'Abertura',
  slot: 'Texto ou áudio {number}',
  ask: 'Pede dígitos',
  noDigit: 'Nenhum dígito veio',
  wrong: 'Dígito errado',
  ending: 'Encerramento',
  machine: 'Para secretárias eletrônicas',
  beforeTransfer: 'Antes da transferência',
  nobodyFree: 'Nenhum agente livre',
  code: 'Pede o código',
  match: 'O código confere',
  notConfirmed: 'Não confirmado',
  unconfirmed: 'Nenhum código veio',
};
