/** What an SMSC says, in words: statuses of SMPP 3.4 (5.1.3) by their names, and final states of receipts. */
import type { Both } from '../language.ts';
import { both, getOwnEntry } from '../words.ts';

const route = both(
  'the settings of the SMS route do not fit this carrier',
  'as configurações da rota de SMS não servem para esta operadora',
);
const broadcast = both(
  'the carrier took it for a broadcast, which it is not',
  'a operadora a tratou como difusão, o que ela não é',
);
const field = both(
  'the carrier does not accept a field of the submission',
  'a operadora não aceita um campo da submissão',
);
const operation = both('the carrier answered as if to another operation', 'a operadora respondeu como se fosse a outra operação'); // prettier-ignore

const statuses: Readonly<Record<string, Both>> = {
  ESME_RINVMSGLEN: both('the message has a length that the carrier does not take', 'a mensagem tem um tamanho que a operadora não aceita'),
  ESME_RINVCMDLEN: route,
  ESME_RINVCMDID: route,
  ESME_RINVBNDSTS: both('the link was not open for sending', 'a conexão não estava aberta para envio'),
  ESME_RALYBND: both('the carrier has a link open with this login already', 'a operadora já tem uma conexão aberta com este login'),
  ESME_RINVPRTFLG: field,
  ESME_RINVREGDLVFLG: field,
  ESME_RSYSERR: both('the carrier has a fault of its own', 'a operadora está com uma falha interna'),
  ESME_RINVSRCADR: both('the carrier does not accept the sender', 'a operadora não aceita o remetente'),
  ESME_RINVDSTADR: both('the carrier does not accept the number', 'a operadora não aceita o número'),
  ESME_RINVMSGID: operation,
  ESME_RBINDFAIL: both('the carrier refused the login', 'a operadora recusou o login'),
  ESME_RINVPASWD: both('the carrier refused the password', 'a operadora recusou a senha'),
  ESME_RINVSYSID: both('the carrier does not know the login name', 'a operadora não conhece o nome de login'),
  ESME_RCANCELFAIL: operation,
  ESME_RREPLACEFAIL: operation,
  ESME_RMSGQFUL: both('the queue of the carrier is full', 'a fila da operadora está cheia'),
  ESME_RINVSERTYP: both('the carrier does not know the service type', 'a operadora não conhece o tipo de serviço'),
  ESME_RINVNUMDESTS: field,
  ESME_RINVDLNAME: field,
  ESME_RINVDESTFLAG: field,
  ESME_RINVSUBREP: field,
  ESME_RINVESMCLASS: field,
  ESME_RCNTSUBDL: operation,
  ESME_RSUBMITFAIL: both('the carrier could not take the message', 'a operadora não conseguiu aceitar a mensagem'),
  ESME_RINVSRCTON: both('the carrier does not accept the type of the sender', 'a operadora não aceita o tipo do remetente'),
  ESME_RINVSRCNPI: both('the carrier does not accept the numbering plan of the sender', 'a operadora não aceita o plano de numeração do remetente'),
  ESME_RINVDSTTON: both('the carrier does not accept the type of the number', 'a operadora não aceita o tipo do número'),
  ESME_RINVDSTNPI: both('the carrier does not accept the numbering plan of the number', 'a operadora não aceita o plano de numeração do número'),
  ESME_RINVSYSTYP: both('the carrier does not know the system type of the login', 'a operadora não conhece o tipo de sistema do login'),
  ESME_RINVREPFLAG: field,
  ESME_RINVNUMMSGS: field,
  ESME_RTHROTTLED: both('the carrier is sent too much at once', 'a operadora recebe mensagens demais de uma vez'),
  ESME_RINVSCHED: both('the carrier does not accept the time of sending', 'a operadora não aceita o horário de envio'),
  ESME_RINVEXPIRY: both('the carrier does not accept the validity', 'a operadora não aceita a validade'),
  ESME_RINVDFTMSGID: field,
  ESME_RX_T_APPN: both('the carrier cannot take it now', 'a operadora não pode aceitá-la agora'),
  ESME_RX_P_APPN: both('the carrier refuses it for good', 'a operadora a recusa em definitivo'),
  ESME_RX_R_APPN: both('the carrier rejects the message', 'a operadora rejeita a mensagem'),
  ESME_RQUERYFAIL: operation,
  ESME_RINVTLVSTREAM: field,
  ESME_RTLVNOTALLWD: field,
  ESME_RINVTLVLEN: field,
  ESME_RMISSINGTLV: both('the carrier misses a field of the submission', 'falta à operadora um campo da submissão'),
  ESME_RINVTLVVAL: field,
  ESME_RDELIVERYFAILURE: both('the carrier could not deliver it', 'a operadora não conseguiu entregá-la'),
  ESME_RUNKNOWNERR: both('the carrier names no reason', 'a operadora não informa o motivo'),
  ESME_RSERTYPUNAUTH: both('this login may not use the service', 'este login não pode usar o serviço'),
  ESME_RPROHIBITED: both('the carrier prohibits it', 'a operadora o proíbe'),
  ESME_RSERTYPUNAVAIL: both('the service of the carrier is not available', 'o serviço da operadora não está disponível'),
  ESME_RSERTYPDENIED: both('the carrier denies the service', 'a operadora nega o serviço'),
  ESME_RINVDCS: both('the carrier does not accept the encoding of the text', 'a operadora não aceita a codificação do texto'),
  ESME_RINVSRCADDRSUBUNIT: field,
  ESME_RINVDSTADDRSUBUNIT: field,
}; // prettier-ignore

/** Of a receipt that says no. */
const finals: Readonly<Record<string, Both>> = {
  EXPIRED: both(
    'the carrier tried until the message had expired',
    'a operadora tentou até a mensagem expirar',
  ),
  DELETED: both('the carrier deleted the message', 'a operadora excluiu a mensagem'),
  UNDELIV: both('the carrier could not deliver it', 'a operadora não conseguiu entregá-la'),
  UNKNOWN: both('the carrier does not know what became of it', 'a operadora não sabe o que houve com ela'),
  REJECTD: both('the carrier rejected the message', 'a operadora rejeitou a mensagem'),
};

/** Undefined: it is none of SMPP. */
export const describeSmppStatus = (name: string): Both | undefined =>
  getOwnEntry(statuses, name) ??
  getOwnEntry(finals, name) ??
  (name.startsWith('ESME_R') ? broadcast : undefined);
