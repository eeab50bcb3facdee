/** HTTP statuses in words, and how a network failed. */
import type { Both } from '../language.ts';
import { both, getOwnEntry } from '../words.ts';

const statuses: Readonly<Record<string, Both>> = {
  400: both('bad request', 'pedido inválido'),
  401: both('not logged in', 'não autenticado'),
  402: both('payment required', 'pagamento necessário'),
  403: both('forbidden', 'proibido'),
  404: both('not found', 'não encontrado'),
  405: both('method not allowed', 'método não permitido'),
  406: both('not acceptable', 'formato não aceito'),
  408: both('request timed out', 'tempo do pedido esgotado'),
  409: both('conflict', 'conflito'),
  410: both('gone for good', 'removido em definitivo'),
  411: both('length required', 'tamanho obrigatório'),
  413: both('body too large', 'corpo grande demais'),
  414: both('address too long', 'endereço longo demais'),
  415: both('unknown type of content', 'tipo de conteúdo desconhecido'),
  422: both('content not accepted', 'conteúdo não aceito'),
  423: both('locked', 'bloqueado'),
  425: both('too early', 'cedo demais'),
  429: both('too many requests', 'pedidos demais'),
  451: both('refused for legal reasons', 'recusado por motivos legais'),
  500: both('fault of the server', 'falha do servidor'),
  501: both('not implemented', 'não implementado'),
  502: both('bad gateway', 'falha de um intermediário'),
  503: both('service unavailable', 'serviço indisponível'),
  504: both('gateway timed out', 'intermediário sem resposta'),
  507: both('storage full', 'armazenamento cheio'),
};

const families: Readonly<Record<string, Both>> = {
  1: both('not an end', 'resposta provisória'),
  2: both('success', 'sucesso'),
  3: both('redirect', 'redirecionamento'),
  4: both('request refused', 'pedido recusado'),
  5: both('fault of the server', 'falha do servidor'),
};

const odd = both('a status without a name', 'código sem nome');

/** Every status has words. */
export const describeHttpStatus = (status: string): Both =>
  getOwnEntry(statuses, status) ?? getOwnEntry(families, status.slice(0, 1)) ?? odd;

const network: Readonly<Record<string, Both>> = {
  ECONNREFUSED: both('it refuses the connection', 'recusa a conexão'),
  ECONNRESET: both('it broke the connection off', 'interrompeu a conexão'),
  ECONNABORTED: both('the connection was broken off', 'a conexão foi interrompida'),
  EPIPE: both('it closed the connection', 'fechou a conexão'),
  ETIMEDOUT: both('it does not answer', 'não responde'),
  ENOTFOUND: both('its name is not known', 'o nome não é conhecido'),
  EAI_AGAIN: both('its name cannot be looked up now', 'o nome não pode ser consultado agora'),
  EHOSTUNREACH: both('there is no way to it', 'não há caminho até ele'),
  ENETUNREACH: both('there is no way to its network', 'não há caminho até a rede dele'),
  EPROTO: both('its encryption does not fit', 'a criptografia não é compatível'),
  CERT_HAS_EXPIRED: both('its certificate has expired', 'o certificado expirou'),
  DEPTH_ZERO_SELF_SIGNED_CERT: both('its certificate is signed by itself', 'o certificado é autoassinado'),
  SELF_SIGNED_CERT_IN_CHAIN: both('its certificate is signed by an unknown authority', 'o certificado é de uma autoridade desconhecida'),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: both('its certificate cannot be verified', 'o certificado não pode ser verificado'),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: both('its certificate cannot be verified', 'o certificado não pode ser verificado'),
  ERR_TLS_CERT_ALTNAME_INVALID: both('its certificate is of another name', 'o certificado é de outro nome'),
  UND_ERR_CONNECT_TIMEOUT: both('it does not answer', 'não responde'),
  UND_ERR_SOCKET: both('it broke the connection off', 'interrompeu a conexão'),
  ENOSPC: both('its disk is full', 'o disco está cheio'),
  EACCES: both('the service may not write there', 'o serviço não pode escrever ali'),
  EROFS: both('the disk is read-only', 'o disco é somente leitura'),
  EIO: both('the disk has a fault', 'o disco tem uma falha'),
  EMFILE: both('too many files are open', 'há arquivos abertos demais'),
}; // prettier-ignore

const fault = both('the connection failed', 'a conexão falhou');

/** Undefined: it is not the code of a failure of the network or the disk. */
export const describeNetworkError = (code: string): Both | undefined =>
  getOwnEntry(network, code) ??
  (/^(E[A-Z]{3,}|(?:ERR|UND_ERR|HPE|CERT)_[A-Z0-9_]+)$/.test(code) ? fault : undefined);
