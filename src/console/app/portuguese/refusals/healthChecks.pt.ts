/** What the service says of its own parts, in Portuguese. The first that fits is said. */
import type { RefusalRules } from './rules.ts';

/** Parts that are checked; those that are missing here are called the same. */
export const checkNamesPt: Readonly<Record<string, string>> = {
  database: 'banco de dados',
  rows: 'registros',
  carrier: 'operadora',
  trunks: 'troncos',
  sms: 'SMS',
  media: 'arquivos de mídia',
  redis: 'Redis',
  speech: 'fala',
  decoder: 'decodificador',
  scanner: 'antivírus',
};

export const healthPt: RefusalRules = [
  ['answers', 'responde'],
  ['does not answer', 'não responde'],
  ['Redis does not answer: {~why}', 'o Redis não responde: {~why}'],
  [
    'each node counts requests and failed logins by itself',
    'cada nó conta sozinho as requisições e as autenticações erradas',
  ],
  // Shards
  ['are served', 'no ar'],
  ['shard {s} {~problem}', 'parte {s} do banco de dados (shard): {~problem}'],
  ['has not answered since this node started', 'não respondeu desde que este nó começou'],
  ['is being left: the service is stopping', 'está sendo deixada: o serviço está parando'],
  ['is still being looked through for its machines', 'ainda se procuram as máquinas dela'],
  [
    'has confirmed no heartbeat lately: its database is away, or refuses writes',
    'não confirmou sinal de vida há pouco: o banco de dados não responde, ou recusa gravações',
  ],
  [
    'has written nothing for {n} s, though something is due',
    'não grava nada há {n} s, embora haja o que gravar',
  ],
  ['refuses writes: {why}', 'recusa gravações: {why}'],
  ['fails for {n} s ({part}): {why}', 'falha há {n} s ({part}): {why}'],
  ['is checking: {~why}', 'em verificação: {~why}'],
  ['is closed: {~why}', 'fechada: {~why}'],
  [
    'has unfinished machines of charts that this build lacks: {charts}',
    'tem máquinas em curso de diagramas que esta versão não tem: {charts}',
  ],
  [
    'its server was started anew, and other nodes have not looked at it yet',
    'o servidor dela foi reiniciado, e outros nós ainda não a olharam',
  ],
  [
    'an operator opened it though commits are lost, and this node joins it anew',
    'um operador a abriu apesar de gravações perdidas, e este nó entra de novo',
  ],
  ['it opens when that is over', 'abre quando isso passar'],
  ['its nodes compare what they know', 'os nós dela comparam o que sabem'],
  [
    'an operator brings the journals (ramal reconcile) or decides (ramal shard open {s})',
    'um operador traz os registros em disco (diários; ramal reconcile) ou decide (ramal shard open {s})',
  ],
  [
    'an operator brings journals that were kept elsewhere (ramal reconcile <folder>) or decides (ramal shard open {s})',
    'um operador traz registros em disco guardados em outro lugar (diários; ramal reconcile <folder>) ou decide (ramal shard open {s})',
  ],
  // Rows
  ['are as the journals have them', 'iguais aos registros em disco (diários)'],
  [
    'the database of {name} may lack rows: {~why}',
    'ao banco de dados de {name} podem faltar registros: {~why}',
  ],
  [
    'the journal {name} of rows cannot be read: {why}',
    'o registro em disco (diário) {name} não pode ser lido: {why}',
  ],
  // Calls
  ['the sandbox carrier is up', 'a operadora simulada está no ar'],
  ['connected to Asterisk', 'conectada ao Asterisk'],
  ['connected to {n} Asterisk servers', 'conectada a {n} servidores Asterisk'],
  ['all Asterisk servers are switched off', 'todos os servidores Asterisk estão desligados'],
  ['trunk server {name}: {~why}', 'servidor de troncos {name}: {~why}'],
  ['Asterisk is away: {~why}', 'o Asterisk não responde: {~why}'],
  ['not started', 'não foi iniciado'],
  ['stopped', 'parado'],
  ['not connected yet', 'ainda sem conexão'],
  ['it is not connected', 'sem conexão'],
  ['the connection was closed', 'a conexão foi fechada'],
  ['preparing failed: {why}', 'a preparação falhou: {why}'],
  [
    'the shares of trunks could not be renewed for {n} s: nothing new is dialled until they are',
    'as cotas dos troncos não puderam ser renovadas por {n} s: nada novo é discado até que sejam',
  ],
  ['their carriers take them', 'as operadoras os aceitam'],
  ['trunk {name}: {~why}', 'tronco {name}: {~why}'],
  [
    'the carrier rejects the registration: look at user and password',
    'a operadora recusa o registro: veja usuário e senha',
  ],
  ['the registrar has not answered', 'o servidor de registro não respondeu'],
  ['Asterisk does not take it: {why}', 'o Asterisk não o aceita: {why}'],
  // SMS
  ['no account has a route', 'nenhuma conta tem rota'],
  ['{routes}; links: {~links}', '{~routes}; links: {~links}'],
  ['links: {~links}', 'links: {~links}'],
  ['{n} up', '{n} no ar'],
  ['{n} of {m} down', '{n} de {m} fora do ar'],
  // Sandboxes
  ['calls ring nowhere (CARRIER)', 'ligações não tocam em lugar nenhum (CARRIER)'],
  [
    'SMS reach no telephone until an account has a route of its own (SANDBOX)',
    'SMS não chegam a telefone algum até que uma conta tenha rota própria (SANDBOX)',
  ],
  [
    'chat lines of the sandbox reach no person (GRAPH_URL)',
    'linhas de chat do sandbox não alcançam pessoa alguma (GRAPH_URL)',
  ],
  // Sound and files
  ['a folder of this machine', 'uma pasta desta máquina'],
  ['bucket {name}', 'bucket {name}'],
  [
    'none is configured: uploads are not scanned',
    'nenhum configurado: arquivos enviados não são verificados',
  ],
  ['clamd answers', 'o clamd responde'],
  ['clamd answers something else', 'o clamd responde outra coisa'],
  ['espeak-ng of npm ({version})', 'espeak-ng do npm ({version})'],
  [
    '{~why}: texts are refused, and audio files are played',
    '{~why}: textos são recusados, e arquivos de áudio são tocados',
  ],
  ['ESPEAK=none keeps espeak-ng out', 'ESPEAK=none deixa o espeak-ng de fora'],
  ['ESPEAK=package finds no npm package espeak-ng', 'ESPEAK=package não acha o pacote npm espeak-ng'],
  [
    'no espeak-ng is installed here, neither the program nor the npm package',
    'o espeak-ng não está instalado aqui, nem o programa nem o pacote npm',
  ],
];
