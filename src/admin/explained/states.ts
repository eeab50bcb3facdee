/** Where a machine stands, and what to do there: a sentence for each state in which a machine of any kind rests. */
import type { Language } from './language.ts';
import { both, getOwnEntry, one, type ExplanationText } from './words.ts';

const wait = both('Nothing is left to do: it goes on by itself.', 'Não há nada a fazer: continua sozinha.');
const notAgain = both('Do not send it again.', 'Não envie de novo.');
const askProvider = both(
  'Look for it in the console of the provider, and tell this machine what you find: the guide about stuck machines says how.',
  'Procure-a no painel do provedor e informe a esta máquina o que encontrar: o guia de máquinas paradas diz como.',
);

const call: Readonly<Record<string, ExplanationText>> = {
  born: one('It is about to begin.', 'Está para começar.'),
  preparing: one('Its audio is being made.', 'O áudio está sendo gerado.', wait),
  due: one('It is about to be dialled.', 'Está para ser discada.'),
  scheduled: one('It waits for its date.', 'Aguarda a data marcada.', wait),
  awaitingTurn: one('It waits for its turn in the campaign.', 'Aguarda a vez na campanha.', wait),
  deferred: one('It waits until it may be dialled.', 'Aguarda até poder ser discada.', wait),
  clearing: one('It waits for the permission to dial, or for a free line.', 'Aguarda a permissão para discar, ou uma linha livre.', wait),
  postponed: one('It was put off.', 'Foi adiada.', wait),
  dialing: one('It is being dialled.', 'Está sendo discada.'),
  'dialing.placing': one('The carrier is asked to dial it.', 'A operadora recebe o pedido de discar.'),
  'dialing.ringing': one('It rings.', 'Está chamando.'),
  rerouting: one('A trunk refused it before it rang, and another is asked for.', 'Um tronco a recusou antes de chamar, e outro é pedido.', wait),
  checking: one('The service asks the carrier whether the call still goes on.', 'O serviço pergunta à operadora se a chamada ainda está em curso.', wait),
  answered: one('It was answered and goes on.', 'Foi atendida e continua.'),
  'answered.transferring': one('It was answered, and is being passed on.', 'Foi atendida e está sendo transferida.'),
  'answered.talking': one('It was passed on, and the two talk.', 'Foi transferida, e os dois conversam.'),
  'answered.recordingAnswer': one('It was answered, and the answer is being recorded.', 'Foi atendida, e a resposta está sendo gravada.'),
  closing: one('It is being hung up.', 'Está sendo desligada.'),
  filing: one('It has ended, and its recording is being filed.', 'Terminou, e a gravação está sendo arquivada.'),
  settling: one('It has ended, and is being accounted for.', 'Terminou e está sendo contabilizada.'),
  retrying: one('It waits for its next attempt.', 'Aguarda a próxima tentativa.', wait),
  texting: one('It has ended, and its SMS is being sent.', 'Terminou, e o SMS está sendo enviado.'),
  ended: one('It has ended.', 'Terminou.'),
}; // prettier-ignore

const line: Readonly<Record<string, ExplanationText>> = {
  idle: one('No caller waits, and no member talks.', 'Não há chamada em espera nem membro em conversa.'),
  busy: one('Callers wait, are offered to a member, or talk.', 'Há chamadas em espera, oferecidas a um membro ou em conversa.'),
  closed: one('It was deleted.', 'Foi excluída.'),
}; // prettier-ignore

const campaign: Readonly<Record<string, ExplanationText>> = {
  loading: one('Its destinations are being chosen.', 'Os destinos estão sendo escolhidos.', wait),
  active: one('It is active.', 'Está ativa.'),
  'active.dialing': one('It dials.', 'Está discando.'),
  'active.waitingWindow': one('It is active, and waits for its calling hours.', 'Está ativa e aguarda o horário permitido.', wait),
  'active.throttled': one('It is active, and one of its limits holds it back.', 'Está ativa, e um dos seus limites a segura.'),
  'active.draining': one('It has begun every destination, and its last calls go on.', 'Começou todos os destinos, e as últimas chamadas continuam.', wait),
  paused: one('It does not dial: it is paused, or a model.', 'Não disca: está pausada, ou é um modelo.'),
  completed: one('It is completed.', 'Está concluída.'),
  limitReached: one('It is over: it reached the number of answered calls that it wanted.', 'Acabou: atingiu o número de chamadas atendidas que queria.'),
  expired: one('It is over: its last day has passed.', 'Acabou: o último dia passou.'),
  failed: one('It failed before it dialled.', 'Falhou antes de discar.'),
  closed: one('It is closed.', 'Está encerrada.'),
}; // prettier-ignore

/** Of one of which nothing more is heard (`done`), by what its record knows. */
const message: Readonly<Record<string, ExplanationText>> = {
  accepted: one('It is accepted and paid for, and is being handed to its provider.', 'Está aceita e paga, e está sendo entregue ao provedor.', notAgain),
  submitted: one('It was handed to its provider, which has not answered yet.', 'Foi entregue ao provedor, que ainda não respondeu.', notAgain),
  'acknowledged.sms': one('The carrier took it. A receipt may follow within 3 days.', 'A operadora a aceitou. Um recibo pode chegar em até 3 dias.', notAgain),
  'acknowledged.chat': one('The platform took it. Receipts may follow within 30 days.', 'A plataforma a aceitou. Recibos podem chegar em até 30 dias.', notAgain),
  delivered: one('It was delivered, and may still be read.', 'Foi entregue e ainda pode ser lida.'),
  read: one('It was read.', 'Foi lida.'),
  unknown: one('It is not known whether its provider took it, and it is not sent again.', 'Não se sabe se o provedor a aceitou, e ela não é enviada de novo.', askProvider),
  done: one('It went as far as it goes.', 'Foi até onde podia ir.'),
  'done.acknowledged': one('Its provider took it, and no receipt came.', 'O provedor a aceitou, e nenhum recibo chegou.', both('Ask the provider whether it sends receipts.', 'Pergunte ao provedor se ele envia recibos.')),
  'done.delivered': one('It was delivered.', 'Foi entregue.'),
  'done.read': one('It was read.', 'Foi lida.'),
  'done.unknown': one('It is not known how far it came.', 'Não se sabe até onde chegou.', both('Ask its recipient before you send it again.', 'Pergunte ao destinatário antes de enviar de novo.')),
  failed: one('It was not sent, or its provider could not bring it.', 'Não foi enviada, ou o provedor não conseguiu levá-la.'),
  undelivered: one('It did not reach its recipient.', 'Não chegou ao destinatário.'),
  lost: one('It is not known whether it was sent: nothing was heard of it for 3 days.', 'Não se sabe se foi enviada: nada se soube dela por 3 dias.', both('Ask its recipient before you send it again.', 'Pergunte ao destinatário antes de enviar de novo.')),
}; // prettier-ignore

const template: Readonly<Record<string, ExplanationText>> = {
  stored: one('It is stored here, and is not submitted.', 'Está guardado aqui e não foi submetido.', both('Submit it with CreateMsgappTemplate.', 'Submeta-o com CreateMsgappTemplate.')),
  'submitting.posting': one('It is being submitted.', 'Está sendo submetido.'),
  'submitting.looking': one('The answer to its submission was lost, and the platform is asked whether it has it.', 'A resposta à submissão se perdeu, e a plataforma é consultada se o tem.', both('Do not submit it again.', 'Não o submeta de novo.')),
  'submitting.waiting': one('The answer to its submission was lost, and it will be looked for again.', 'A resposta à submissão se perdeu, e ele será procurado de novo.', both('Do not submit it again.', 'Não o submeta de novo.')),
  submitted: one('It was submitted.', 'Foi submetido.'),
  'submitted.watched': one('It was submitted, and its status is asked for by itself.', 'Foi submetido, e o status é consultado automaticamente.'),
  'submitted.resting': one('It was submitted, and the platform has decided.', 'Foi submetido, e a plataforma decidiu.'),
  checking: one('The platform is asked for its status.', 'O status está sendo consultado na plataforma.'),
  deleting: one('It is being deleted on the platform.', 'Está sendo excluído na plataforma.'),
  deleted: one('The platform does not have it any more.', 'A plataforma não o tem mais.', both('Submit it anew, or delete it here.', 'Submeta-o de novo, ou exclua-o aqui.')),
  removed: one('It was deleted.', 'Foi excluído.'),
}; // prettier-ignore

const delivery: Readonly<Record<string, ExplanationText>> = {
  attempting: one('An attempt is under way.', 'Uma tentativa está em curso.'),
  idle: one('All that came so far was delivered, and more may come.', 'Tudo o que veio até agora foi entregue, e pode vir mais.'),
  retrying: one('It waits for its next attempt.', 'Aguarda a próxima tentativa.', wait),
  deferred: one('It waits for its receiver, and has not been tried meanwhile.', 'Aguarda o destino, e não foi tentada enquanto isso.', wait),
  deadLetter: one('It is a dead letter: it is not tried again by itself.', 'Está retida como não entregue (dead letter): não é tentada de novo sozinha.', both('Mend what is wrong, then replay it.', 'Corrija o problema e reenvie-a.')),
  delivered: one('It was delivered.', 'Foi entregue.'),
  givenUp: one('It was given up.', 'Foi abandonada.'),
}; // prettier-ignore

const states: Readonly<Record<string, Readonly<Record<string, ExplanationText>>>> = {
  ...{ call, line, campaign, message, template, delivery },
};

/** The words of a state, or of the closest one around it. */
export const describeMachineState = (kind: string, state: string): ExplanationText | undefined => {
  const table = getOwnEntry(states, kind) ?? {};
  for (let path = state; path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('.')))) {
    const words = getOwnEntry(table, path);
    if (words) return words;
  }
  return undefined;
};

/** Of a kind that is new to the tables. */
export const unknownStateText: Readonly<Record<Language, (state: string) => string>> = {
  en: (state) => `Its state is “${state}”.`,
  pt: (state) => `O estado é “${state}”.`,
};
