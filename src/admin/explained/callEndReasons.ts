/** Why a call ended as it did, by the reason on its record: what happened, and what to do. */
import type { Both } from './language.ts';
import { getOwnEntry, one, type ExplanationText } from './words.ts';

const later: Both = { en: 'Try again later, or with repeat.', pt: 'Tente mais tarde, ou use repeat.' };
const number: Both = {
  en: 'Check the number before you try again.',
  pt: 'Confira o número antes de tentar de novo.',
};
const audio: Both = {
  en: 'Look at the text, the voice and the audio ids, then place a new call.',
  pt: 'Confira o texto, a voz e os ids de áudio, e faça uma nova chamada.',
};
const leave: Both = {
  en: 'Do not call this number for it.',
  pt: 'Não ligue para este número por esse motivo.',
};
const target: Both = {
  en: 'Check dest2, the queue or the agent, and whether it is active.',
  pt: 'Confira dest2, a fila ou o agente, e se está ativo.',
};

export const callEndReasonTexts: Readonly<Record<string, ExplanationText>> = {
  // How the network ends a leg (machines/contracts/legOutcomeBySipAndCause.ts)
  normal: one('the call ended normally', 'a chamada terminou normalmente'),
  busy: one('the line was busy', 'a linha estava ocupada', later),
  declined: one(
    'the callee declined the call',
    'a pessoa recusou a chamada',
    {
      en: 'It is tried again as repeat says, unless the account has retry_declined off.',
      pt: 'É tentada de novo conforme repeat, a menos que retry_declined esteja desligado na conta.',
    },
  ), // prettier-ignore
  unwanted: one('the callee said that such calls are unwanted', 'a pessoa marcou a chamada como indesejada', leave),
  rejected: one("the callee's network took the call for spam", 'a rede da pessoa tratou a chamada como spam', {
    en: 'Ask the carrier about the reputation of your caller id.',
    pt: 'Consulte a operadora sobre a reputação do seu número de origem.',
  }),
  noAnswer: one('it rang, and the call was not answered', 'chamou e não foi atendida', later),
  cancelled: one('it was cancelled', 'foi cancelada', {
    en: 'Ask who cancelled it before you place it again.',
    pt: 'Pergunte quem cancelou antes de ligar de novo.',
  }),
  congestion: one('the carrier had no free line for it', 'a operadora não tinha linha livre', later),
  forbidden: one('the network refused the call', 'a rede recusou a chamada', {
    en: 'Ask the carrier whether your caller id may call this number.',
    pt: 'Pergunte à operadora se o seu número de origem pode ligar para este número.',
  }),
  unreachable: one('the number could not be reached', 'o número não pôde ser alcançado', number),
  // How a conversation ends
  completed: one('everything was said', 'tudo foi dito'),
  hungUp: one('the callee hung up', 'a pessoa desligou'),
  machine: one('an answering machine took the call', 'uma caixa postal atendeu'),
  timeLimit: one('the time limit of the call was reached', 'o tempo limite da chamada foi atingido', {
    en: 'Give a longer timelimit if that was too short.',
    pt: 'Use um timelimit maior se foi pouco.',
  }),
  optedOut: one(
    'the callee asked by key not to be called any more, and the number is on the block list',
    'a pessoa pediu pelo teclado para não receber mais ligações, e o número está na lista de bloqueio',
    leave,
  ),
  notConfirmed: one('the callee did not confirm', 'a pessoa não confirmou'),
  noAnswerByKey: one('the callee pressed no key that answers', 'a pessoa não digitou nenhuma resposta'),
  notValidated: one('the digits that were typed do not match', 'os dígitos digitados não conferem'),
  transferred: one('the callee was passed on and talked', 'a pessoa foi transferida e conversou'),
  nobody: one(
    'the callee was to be passed on, and the second leg did not answer in time',
    'a pessoa seria transferida, e o segundo destino não atendeu a tempo',
    target,
  ),
  noAgent: one('the agent it was to be passed on to does not exist', 'o agente de destino não existe', target),
  agentInactive: one('the agent it was to be passed on to is switched off', 'o agente de destino está desativado', target),
  noTrunk: one('there is no trunk for the second leg', 'não há rota para o segundo destino', target),
  noQueue: one('the queue it was to be passed on to does not exist', 'a fila de destino não existe', target),
  queueInactive: one('the queue it was to be passed on to is switched off', 'a fila de destino está desativada', target),
  targetClosed: one(
    'it was to be passed on to a number that account or trunk do not call',
    'o segundo destino é um número para o qual a conta ou o tronco não liga',
    target,
  ),
  targetSpent: one(
    'it was to be passed on, and the calls of account or trunk cost today what they may cost in a day',
    'seria transferida, e as ligações da conta ou do tronco já custaram hoje o limite do dia',
    target,
  ),
  target: one('where the second leg goes could not be found out', 'não foi possível localizar o segundo destino', target),
  // What kept it from being dialled
  audio: one('what it should say is missing or could not be made', 'o áudio não existe ou não pôde ser gerado', audio),
  blocklist: one('the number is on a block list', 'o número está em uma lista de bloqueio', leave),
  rested: one(
    'the callee, or its network, wants no more calls of this campaign',
    'a pessoa, ou a rede dela, não quer mais chamadas desta campanha',
    leave,
  ),
  route: one('no trunk may carry it to this number', 'nenhum tronco pode levá-la a este número', {
    en: 'Look at the trunks and their routes: /admin/api/trunks says what each carries.',
    pt: 'Veja os troncos e suas rotas: /admin/api/trunks diz o que cada um leva.',
  }),
  closedPrefix: one('the account calls no such numbers', 'a conta não liga para números assim', {
    en: 'To call them, open such numbers to the account.',
    pt: 'Para ligar para eles, libere números assim para a conta.',
  }),
  insufficientBalance: one('the balance of the account, or of a reseller above it, does not cover it', 'o saldo da conta, ou de uma revenda acima dela, não a cobre', {
    en: 'Book an amount to that account, and place it again.',
    pt: 'Credite um valor a essa conta e faça a chamada de novo.',
  }),
  numlim: one('the number was called as often as allowed', 'o número já recebeu o máximo de chamadas', leave),
  audiolim: one('the number heard this audio as often as allowed', 'o número já ouviu este áudio o máximo de vezes', leave),
  account: one('the account is switched off, so nothing is dialled for it', 'a conta está desativada, e nada é discado para ela', {
    en: 'Switch the account on.',
    pt: 'Ative a conta.',
  }),
  reseller: one(
    'a reseller above the account is switched off, so nothing is dialled for it',
    'um revendedor acima da conta está desativado, e nada é discado para ela',
    { en: 'Switch that reseller on.', pt: 'Ative esse revendedor.' },
  ),
  limitReached: one(
    'its campaign has as many answered calls as it wanted',
    'a campanha já tem as chamadas atendidas que queria',
  ),
  expired: one('the last day of its campaign is over', 'o último dia da campanha passou', {
    en: 'Give the campaign a later last day.',
    pt: 'Defina uma data final posterior na campanha.',
  }),
  missed: one(
    'for 60 days the time until which it might be dialled was over before its number might be called, or a trunk was free',
    'por 60 dias, o horário até o qual podia ser discada terminou antes que o número pudesse receber chamadas ou houvesse um tronco livre',
    {
      en: 'Compare the hours of repeat with the calling windows of the account.',
      pt: 'Compare o horário de repeat com as janelas de chamada da conta.',
    },
  ),
  // What went wrong between us and the carrier
  lost: one(
    'it is not known how the call ended: the connection to the carrier broke',
    'não se sabe como a chamada terminou: a conexão com a operadora caiu',
    { en: 'Do not call again at once: the telephone may have rung.', pt: 'Não ligue logo em seguida: o telefone pode ter tocado.' },
  ),
  timeout: one('the carrier did not answer in time', 'a operadora não respondeu a tempo', later),
  duplicate: one('the carrier knew this call already', 'a operadora já conhecia esta chamada', later),
  exhausted: one('the carrier could not be asked, though it was tried several times', 'a operadora não respondeu depois de várias tentativas', later),
}; // prettier-ignore

/** A reason that a carrier gives in words of its own. */
const otherwise: ExplanationText = one(
  'the carrier gave another reason',
  'a operadora deu outro motivo',
  later,
);

export const describeCallEndReason = (reason: string): ExplanationText =>
  getOwnEntry(callEndReasonTexts, reason) ?? otherwise;
