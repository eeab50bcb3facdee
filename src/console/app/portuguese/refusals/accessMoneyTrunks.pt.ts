/** Whole refusals in Portuguese: of who asks, money, agents and trunks. The first that fits is said. */
import type { RefusalRules } from './rules.ts';

export const serviceRefusalsPt: RefusalRules = [
  // Who asks
  [
    'role {role} may not do this: it needs role admin',
    'o papel {role} não pode fazer isto: é preciso o papel admin',
  ],
  [
    'a session changes things from the console’s own pages only; programs show a key',
    'uma sessão só muda algo pelas páginas do próprio console; programas mostram uma chave',
  ],
  ['a session is opened from the console’s own page', 'uma sessão se abre pela página do próprio console'],
  [
    'a sign-in link is made with a key, not within a session',
    'um link de entrada se cria com uma chave, não dentro de uma sessão',
  ],
  [
    'there is no session to end: this request showed a key',
    'não há sessão a encerrar: esta requisição mostrou uma chave',
  ],
  [
    'the admin token, or key, is missing or wrong',
    'o token de administração, ou a chave, falta ou está errado',
  ],
  [
    'too many failed authentications from this address: no token of {address} is looked at for {seconds} s, or until an operator runs: {command}',
    'autenticações erradas demais vindas deste endereço: nenhum token de {address} é lido por {seconds} s, ou até que um operador execute: {command}',
  ],
  ['no such page', 'esta página não existe'],
  ['{what} is no address, and not loopback', '{what} não é um endereço, nem loopback'],
  ['there are {n} operators already; revoke those who left', 'já há {n} operadores; revogue os que saíram'],
  [
    'operator {id} is revoked, which is for good; make another one',
    'o operador {id} foi revogado em definitivo; crie outro',
  ],
  [
    'token {id} is revoked, which is for good; make another one',
    'o token {id} foi revogado em definitivo; crie outro',
  ],
  [
    'an account has at most {n} tokens, revoked ones included',
    'uma conta tem no máximo {n} tokens, contando os revogados',
  ],
  ['an account has at most {n} pools of caller ids', 'uma conta tem no máximo {n} grupos de identificadores'],
  ['an account has at most {n} templates', 'uma conta tem no máximo {n} modelos'],
  ['an account has at most {n} {things}', 'uma conta tem no máximo {n} ({things})'],
  // The request as a whole
  [
    'the audit log cannot be written ({why}); what was asked for may be done',
    'o registro de auditoria não pode ser gravado ({why}); o que foi pedido talvez tenha sido feito',
  ],
  ['the body is not JSON', 'o corpo não é JSON'],
  ['the body is larger than {size}', 'o corpo é maior que {size}'],
  ['the body is nested deeper than {n}', 'o corpo está aninhado além de {n} níveis'],
  ['{keys} is not known here', '{keys}: não é conhecido aqui'],
  ['a parameter is out of range', 'um parâmetro está fora dos limites'],
  // Money and accounts
  [
    'reseller_id: account {id} cannot be the reseller: {why}',
    'reseller_id: a conta {id} não pode ser a revendedora: {why}',
  ],
  ['shard: the reseller lives in {shard}', 'shard: o revendedor fica na parte {shard} do banco de dados'],
  [
    'the ledger is only added to: book the difference',
    'o extrato só recebe lançamentos novos: lance a diferença',
  ],
  ['amount: the balance holds less than that', 'amount: o saldo é menor que isso'],
  ['there is a tariff for the prefix "{prefix}" already', 'já há uma tarifa para o prefixo "{prefix}"'],
  ['there is a tariff for the prefix "" already', 'já há uma tarifa para todos os prefixos'],
  [
    'the secret was changed at this very moment: look at it again',
    'o segredo mudou neste exato momento: veja de novo',
  ],
  [
    'the account has no callback_url: set one, or name a url',
    'a conta não tem callback_url: defina uma, ou informe uma url',
  ],
  // Agents, queues, voices
  [
    'members: "{target}" is neither a number nor a SIP URI',
    'members: "{target}" não é um número nem um URI SIP',
  ],
  ['voice: the account may name none called {name}', 'voice: a conta não tem nenhuma voz chamada {name}'],
  ['name: there is a voice {name} already', 'name: já há uma voz {name}'],
  [
    'provider: the voices of {provider} for all accounts are those it lists',
    'provider: as vozes de {provider} para todas as contas são as que ele lista',
  ],
  [
    'calls go to a real carrier here; only the sandbox (CARRIER=sandbox) has a phone',
    'aqui as chamadas vão a uma operadora real; só o sandbox (CARRIER=sandbox) tem telefone',
  ],
  ['a {kind} rings no telephone', 'uma máquina do tipo {kind} não toca telefone'],
  [
    'its telephone does not ring: it is not dialled yet, or ended long ago',
    'o telefone não está tocando: a chamada ainda não foi discada, ou terminou há muito',
  ],
  ['there are too many receivers: end one of them', 'há receptores demais: encerre um deles'],
  ['an audio id does not belong to the account', 'um id de áudio não é da conta'],
  ['call placement failed', 'a chamada não pôde ser feita'],
  ['dest cannot be normalized', 'dest não é um número que se possa discar'],
  ['duplicate within the httpdup window', 'repetida dentro da janela httpdup'],
  ['regional or holiday time block', 'fora do horário da região, ou feriado'],
  ['the audio of the call could not be made', 'o áudio da chamada não pôde ser criado'],
  ['the provider of this voice is not permitted here', 'o provedor desta voz não é permitido aqui'],
  // Trunks
  [
    'calls go by the sandbox: start with CARRIER=asterisk to use Asterisks',
    'as chamadas saem pelo sandbox: inicie com CARRIER=asterisk para usar Asterisk',
  ],
  [
    'there are {n} trunk servers already: delete one first',
    'já há {n} servidores de troncos: exclua um antes',
  ],
  ['there are {n} trunks already: delete one first', 'já há {n} troncos: exclua um antes'],
  ['there are {n} routes already: delete one first', 'já há {n} rotas: exclua uma antes'],
  ['name: there is a trunk server {name} already', 'name: já há um servidor de troncos {name}'],
  ['name: there is a trunk {name} already', 'name: já há um tronco {name}'],
  ['server: there is no trunk server {name}', 'server: não há servidor de troncos {name}'],
  ['trunks: there is no trunk {name}', 'trunks: não há tronco {name}'],
  ['trunks: only the order `share` has shares', 'trunks: só a ordem `share` tem parcelas'],
  [
    'trunks: the shares must come to 100, and come to {sum}',
    'trunks: as parcelas precisam somar 100, e somam {sum}',
  ],
  ['cdcs_id: there is no account {id}', 'cdcs_id: não há conta {id}'],
  [
    'cp_id: a campaign is named with its account (cdcs_id)',
    'cp_id: informe a campanha junto com a conta dela (cdcs_id)',
  ],
  ['cp_id: the account has no campaign {id}', 'cp_id: a conta não tem a campanha {id}'],
  ['cp_id: pool {id} is for these calls already', 'cp_id: o grupo {id} já é para estas chamadas'],
  [
    'same_for_person: the order `fixed` shows everybody the first',
    'same_for_person: a ordem `fixed` mostra a todos o primeiro',
  ],
  [
    'caller_ids: {id} may be shown by no trunk that carries these calls',
    'caller_ids: {id} não pode ser mostrado por nenhum tronco que leva estas chamadas',
  ],
  [
    '{field}: the settings say how this server is reached',
    '{field}: a configuração do serviço diz como chegar a este servidor',
  ],
  [
    '{field}: the settings say how this trunk dials',
    '{field}: a configuração do serviço diz como este tronco disca',
  ],
  [
    'the settings make this server: it cannot be deleted. Switch it off (state: off) instead',
    'este servidor vem da configuração do serviço e não pode ser excluído. Desligue-o (state: off)',
  ],
  [
    'the settings make this trunk: it cannot be deleted. Switch it off (state: off) instead',
    'este tronco vem da configuração do serviço e não pode ser excluído. Desligue-o (state: off)',
  ],
  [
    'trunk {name} is on this server: it cannot be deleted. Delete the trunk first',
    'o tronco {name} está neste servidor, que não pode ser excluído. Exclua o tronco antes',
  ],
  [
    'route {id} names this trunk: it cannot be deleted. Change the route first',
    'a rota {id} cita este tronco, que não pode ser excluído. Mude a rota antes',
  ],
  [
    'name: trunks of the sandbox, and no others, have names that begin with sandbox-',
    'name: só os troncos do sandbox têm nomes que começam com sandbox-, e todos eles',
  ],
  ['simulates: only a trunk of the sandbox simulates', 'simulates: só um tronco do sandbox simula'],
  ['{field}: a trunk of the sandbox has none', '{field}: um tronco do sandbox não tem este campo'],
  [
    'dial_pattern: a trunk of an Asterisk needs one ({example}), or sip_host',
    'dial_pattern: um tronco de Asterisk precisa de um ({example}), ou de sip_host',
  ],
  [
    'dial_pattern: beside sip_host it names the endpoint: {example}',
    'dial_pattern: ao lado de sip_host, ele cita o endpoint: {example}',
  ],
  [
    'dial_pattern: {endpoint} is that of a trunk with sip_host',
    'dial_pattern: {endpoint} é só de um tronco com sip_host',
  ],
  ['sip_user: a password belongs to a user', 'sip_user: uma senha precisa de um usuário'],
  [
    'sip_password: a user at the carrier needs a password',
    'sip_password: um usuário na operadora precisa de uma senha',
  ],
  [
    'sip_register: to register, it needs sip_user and sip_password',
    'sip_register: para fazer registro, precisa de sip_user e sip_password',
  ],
  ['{field}: it needs sip_host beside it', '{field}: precisa de sip_host ao lado'],
  ['secret: a {kind} has none', 'secret: uma rota {kind} não tem segredo'],
];
