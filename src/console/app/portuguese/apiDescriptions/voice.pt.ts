/** Sentences of the declarations in Portuguese, by the English ones: of agents, queues, voices and trunks. */
export const voicePt: Readonly<Record<string, string>> = {
  'sip or websocket.': 'sip ou websocket.',
  'Callers at a time.': 'Chamadas ao mesmo tempo.',
  'Makes an agent.': 'Cria um agente.',
  'A SIP URI or a web-socket URL; `uri` and `url` are taken too.':
    'Um URI SIP ou uma URL de web socket; `uri` e `url` também são aceitos.',
  'Deletes an agent; callers that it talks to go on talking.':
    'Exclui um agente; quem está em conversa com ele continua.',
  'ringall, leastrecent, fewestcalls or random.':
    'ringall (todos tocam), leastrecent (o que está livre há mais tempo), fewestcalls (o de menos chamadas) ou random (ao acaso).',
  'Its name in the queue; its target unless another was given.':
    'O nome na fila; o próprio destino, se nenhum foi informado.',
  'A telephone number or a SIP URI.': 'Um número de telefone ou um URI SIP.',
  'Members with a smaller one are rung first.': 'Membros com valor menor são chamados primeiro.',
  'Makes a queue, with the telephones of those who answer.':
    'Cria uma fila, com os telefones de quem atende.',
  'Deletes a queue; callers that wait there go on waiting.':
    'Exclui uma fila; quem já está na espera continua esperando.',
  'Null: for all accounts.': 'Nulo: para todas as contas.',
  'F or M.': 'F ou M.',
  'Its provider speaks here.': 'O provedor dela funciona aqui.',
  'The address of a sample.': 'O endereço de uma amostra.',
  'Adds a voice for all accounts.': 'Acrescenta uma voz para todas as contas.',
  'Removes a voice.': 'Remove uma voz.',
  'Adds a voice of an account.': 'Acrescenta uma voz a uma conta.',
  'Speaks a text with a voice of the account, to be heard at once.':
    'Fala um texto com uma voz da conta, para ouvir na hora.',
  '`provider|name`, as the list of voices has them; empty: the usual one.':
    '`provedor|nome`, como na lista de vozes; vazio: a voz padrão.',
  'How fast: -6 to 6.': 'A velocidade da fala: -6 a 6.',
  'Where it can be heard.': 'Onde dá para ouvir.',
  'The full name of who spoke.': 'O nome completo da voz que falou.',
  'asterisk or sandbox.': 'asterisk ou sandbox.',
  'Where its ARI is; empty: the settings say it.':
    'Onde está o ARI dele; vazio: a configuração do serviço diz.',
  'How it dials SIP addresses; empty: by the endpoint of its first trunk.':
    'Como disca endereços SIP; vazio: pelo endpoint do primeiro tronco dele.',
  'How it dials the chat app; empty: it does not.': 'Como disca o aplicativo de chat; vazio: não disca.',
  'on; draining: what is under way goes on and nothing new begins; off.':
    'on: ligado; draining: o que está em curso continua e nada novo começa; off: desligado.',
  'The settings say how it is reached.': 'A configuração do serviço diz como chegar a ele.',
  'How the answering node reaches it; null: it has no connection, or needs none.':
    'Como o nó que responde chega a ele; nulo: não tem conexão, ou não precisa de uma.',
  'Makes a server: another Asterisk, which all nodes connect to.':
    'Cria um servidor: outro Asterisk, ao qual todos os nós se conectam.',
  'Deletes a server that no trunk is on.': 'Exclui um servidor que não tem nenhum tronco.',
  'The text of `route` and `tfix`.': 'O texto de `route` e de `tfix`.',
  'The name of its server.': 'O nome do servidor dele.',
  'How Asterisk dials, with {number}; beside `sip_host` with {endpoint}, too. Empty: PJSIP/{number}@{endpoint}, and for the sandbox none.':
    'Como o Asterisk disca, com {number}; ao lado de `sip_host`, também com {endpoint}. Vazio: PJSIP/{number}@{endpoint}; no sandbox, nenhum.',
  'Host, and port, of the carrier. With it the service tells Asterisk itself how the carrier is reached; empty: the files of Asterisk say it.':
    'Host e porta da operadora. Com eles, o próprio serviço ensina ao Asterisk como chegar à operadora; vazio: os arquivos do Asterisk dizem.',
  'udp or tcp.': 'udp ou tcp.',
  'The login at the carrier; empty: it knows us by our address.':
    'O usuário na operadora; vazio: ela nos reconhece pelo endereço.',
  'It registers. As usual: where there is a login.': 'Faz registro na operadora. Padrão: quando há usuário.',
  'Where it registers. As usual: at `sip_host`.': 'Onde faz o registro. Padrão: em `sip_host`.',
  'For how long it registers at a time.': 'Por quanto tempo vale cada registro.',
  'In our own address. As usual: `sip_user`, and the caller id stands in P-Asserted-Identity; *: the caller id of each call.':
    'No nosso próprio endereço. Padrão: `sip_user`, e o identificador de chamada vai em P-Asserted-Identity; *: o identificador de cada chamada.',
  'In our own address. As usual: the host of `sip_host`.':
    'No nosso próprio endereço. Padrão: o host de `sip_host`.',
  'Requests go by it; empty: they go straight to the carrier.':
    'As requisições passam por ele; vazio: vão direto à operadora.',
  'In their order: ulaw, alaw, g722, gsm.': 'Na ordem de preferência: ulaw, alaw, g722, gsm.',
  'The carrier is asked so often whether it is there, which keeps the way through a router open; while it does not answer, calls to it fail at once. 0: never.':
    'De quanto em quanto tempo se pergunta à operadora se ela está lá, o que mantém aberto o caminho pelo roteador; enquanto ela não responde, as chamadas a ela falham na hora. 0: nunca.',
  'How a trunk with SIP details stands, as the answering node sees it; null: it has none, is off, or its server is away.':
    'Como está um tronco com dados SIP, visto pelo nó que responde; nulo: não tem esses dados, está desligado, ou o servidor dele está fora.',
  'registered; unregistered: the registrar has not answered; rejected: it said no; notNeeded: it does not register; refused: Asterisk does not take the details; unknown: Asterisk does not tell.':
    'registered: registrado; unregistered: a operadora não respondeu ao registro; rejected: ela recusou; notNeeded: não faz registro; refused: o Asterisk não aceita os dados; unknown: o Asterisk não informa.',
  'e164: 5511987654321; plus: +5511987654321; national: 011987654321.':
    'e164: 5511987654321; plus: +5511987654321; national: 011987654321.',
  'What it may show, in international format; `*` stands for any rest. Empty: any.':
    'Os números que pode mostrar, em formato internacional; `*` vale por qualquer final. Vazio: qualquer um.',
  'New legs a second.': 'Novas pernas por segundo.',
  'Legs at a time.': 'Pernas ao mesmo tempo.',
  'SIP answers before ringing after which the attempt is tried on the next trunk.':
    'Respostas SIP antes do toque depois das quais a tentativa segue pelo próximo tronco.',
  'Of the sandbox: which of its two carriers, first or second.':
    'No sandbox: qual das duas operadoras dele, first (a primeira) ou second (a segunda).',
  'open: it carries these alone, where there are any. closed: it never carries these.':
    'open: leva só estes prefixos, quando há algum. closed: nunca leva estes.',
  'What its calls may cost in a day of São Paulo, by its prices; null: no matter.':
    'Quanto as chamadas dele podem custar por dia, no horário de São Paulo, pelos preços dele; nulo: sem limite.',
  'When it may be used, as calling windows; null: at any time.':
    'Quando pode ser usado, como janelas de ligação; nulo: a qualquer hora.',
  'What the carrier asks for; the longest prefix counts.':
    'O que a operadora cobra; vale o prefixo mais longo.',
  'The settings say how it dials.': 'A configuração do serviço diz como ele disca.',
  'What the answering node may put on it; all nodes together no more than it bears.':
    'Quanto o nó que responde pode pôr nele; todos os nós juntos, no máximo o que ele suporta.',
  'How it fares, by the legs of the answering node.': 'A saúde dele, pelas pernas do nó que responde.',
  'Legs that ended in the last five minutes, 500 at most.':
    'Pernas que terminaram nos últimos cinco minutos, 500 no máximo.',
  'Refused by the network before they rang, or without a word of it.':
    'Recusadas pela rede antes do toque, ou sem nenhuma resposta dela.',
  'Failures by SIP answer, else by Q.850 cause (Q34).':
    'Falhas por resposta SIP ou, sem ela, por causa Q.850 (Q34).',
  'Answered of all, 0 to 1; null: none ended.': 'Atendidas sobre o total, de 0 a 1; nulo: nenhuma terminou.',
  'From the dial until it rang, in the mean; null: none rang.':
    'Da discagem até o toque, em média; nulo: nenhuma tocou.',
  'It fares far worse than usual and is left out where others may carry the call; it is tried again then.':
    'Está muito pior do que o normal e fica de fora quando outros troncos podem levar a chamada; depois disso é tentado de novo.',
  'What it rests for: failed, unanswered or slow (until they ring); null: it does not rest.':
    'Por que está em repouso: failed (falhas), unanswered (sem atendimento) ou slow (demora a tocar); nulo: não está em repouso.',
  'Legs that the answering node has on it.': 'Pernas que o nó que responde tem nele.',
  'Makes a trunk on a server.': 'Cria um tronco em um servidor.',
  'Deletes a trunk.': 'Exclui um tronco.',
  'The smallest counts where two are alike.': 'O menor vale quando dois são iguais.',
  'First digits in international format; empty: every number.':
    'Primeiros dígitos em formato internacional; vazio: todos os números.',
  'any, mobile or fixed.': 'any (qualquer), mobile (celular) ou fixed (fixo).',
  'State of the number; empty: any.': 'Estado (UF) do número; vazio: qualquer um.',
  'Null: every account.': 'Nulo: todas as contas.',
  'Null: every campaign, and single calls.': 'Nulo: todas as campanhas e as chamadas avulsas.',
  'fixed: as they stand; share: by percent; leastCost: by their prices.':
    'fixed: na ordem em que estão; share: por porcentagem; leastCost: pelos preços.',
  'Makes a route for calls.': 'Cria uma rota para chamadas.',
  'Deletes a route.': 'Exclui uma rota.',
  'Null: every call of the account that names no caller id.':
    'Nulo: todas as chamadas da conta que não informam identificador.',
  'areaCode: of the area code of the called number, else of its state, else any; turns: the one that was shown least in the last hour; fixed: the first.':
    'areaCode: do DDD do número chamado, senão do estado dele, senão qualquer um; turns: o menos mostrado na última hora; fixed: o primeiro.',
  'A person sees the same one again, as long as it may be shown.':
    'A mesma pessoa vê sempre o mesmo número, enquanto ele puder ser mostrado.',
  'Of each caller id in any sixty minutes; null: as many as there are.':
    'De cada identificador, em quaisquer sessenta minutos; nulo: sem limite.',
  'Percent. One of whose last hour of calls fewer were answered is left out where others are; null: none is.':
    'Porcentagem. O identificador que na última hora teve menos chamadas atendidas do que isso fica de fora quando há outros; nulo: nenhum fica.',
  'Makes a pool of caller ids for calls that name none.':
    'Cria um grupo de identificadores para chamadas que não informam nenhum.',
  'Deletes a pool: its calls show the default of the account.':
    'Exclui um grupo: as chamadas dele mostram o padrão da conta.',
  'Calls that showed it in the last hour.': 'Chamadas que o mostraram na última hora.',
  'Calls that ended in the last hour and showed it last.':
    'Chamadas que terminaram na última hora e o mostraram por último.',
  'Those of them that were answered.': 'Quantas delas foram atendidas.',
  'How the leg ended whose fate is unknown; nothing: `unreachable`.':
    'Como terminou a perna de destino desconhecido; sem valor: `unreachable`.',
  'Whether the carrier did take the message.': 'Se a operadora aceitou a mensagem.',
  'GetAudiosList shows it.': 'GetAudiosList o mostra.',
  'A part of the name, the id or the text.': 'Parte do nome, do id ou do texto.',
  'From then on nothing new may play it.': 'A partir daí nada de novo pode tocá-lo.',
  'Makes an audio of a text.': 'Faz um áudio de um texto.',
  'What is said. With `<NOME>` and the like it is filled in for each person.':
    'O que é dito. Com `<NOME>` e outros, é preenchido para cada pessoa.',
  'Default: the beginning of the text.': 'Se vazio: o começo do texto.',
  'From then on nothing new may play it. Default: in five years.':
    'A partir daí nada de novo pode tocá-lo. Se vazio: em cinco anos.',
  'Makes an audio of a sound file: WAV, MP3, OGG, FLAC and what else the decoder reads.':
    'Faz um áudio de um arquivo de som: WAV, MP3, OGG, FLAC e o que mais o decodificador lê.',
  'Default: the name of the file.': 'Se vazio: o nome do arquivo.',
  'Name of the file.': 'Nome do arquivo.',
};
