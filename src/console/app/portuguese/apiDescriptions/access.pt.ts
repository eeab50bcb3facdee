/** Sentences of the declarations in Portuguese, by the English ones: of operators, accounts, tokens and money. */
export const accessPt: Readonly<Record<string, string>> = {
  'False: tools stay shut. REST does not look at it.':
    'False: as ferramentas ficam fechadas. A interface REST não o consulta.',
  'False: REST refuses it (123). True: its tools are open. Absent: REST only.':
    'False: a interface REST recusa (123). True: as ferramentas ficam abertas. Ausente: só REST.',
  'Null: of the admin token.': 'Nulo: do token de administração.',
  'Epoch milliseconds.': 'Milissegundos desde 1970 (epoch).',
  'The one that asks.': 'A de quem está consultando.',
  'Ends a session.': 'Encerra uma sessão.',
  'operator or admin.': 'operator (operador) ou admin (administrador).',
  'When its key was used last, to the minute; null: never.': 'Último uso da chave, ao minuto; nulo: nunca.',
  'Null: it is in use.': 'Nulo: está em uso.',
  'In role operator: telephone numbers are shown masked. Role admin sees them whole.':
    'No papel operator, os números de telefone aparecem mascarados. O papel admin vê os números inteiros.',
  'Makes an operator; its key is shown this once.': 'Cria um operador; a chave só é mostrada desta vez.',
  'Role operator sees telephone numbers masked: `5511•••••4321`. Default: false.':
    'O papel operator vê os números de telefone mascarados: `5511•••••4321`. Padrão: false.',
  'Revokes the key of an operator for good, and ends its sessions.':
    'Revoga a chave de um operador em definitivo e encerra as sessões dele.',
  '`admin`, `operator 7 Ana`, `token 12 label` or `unknown`.':
    '`admin`, `operator 7 Ana`, `token 12 label` ou `unknown` (desconhecido).',
  '`POST /accounts/3/tokens`, `MakeSMS` or `opened`.': '`POST /accounts/3/tokens`, `MakeSMS` ou `opened`.',
  'HTTP status; of several uses, the last.': 'Status HTTP; de vários usos, o do último.',
  'Uses that this entry stands for.': 'Usos que este registro reúne.',
  'Null: it concerns none, or none that is known.':
    'Nulo: não se refere a nenhuma conta, ou a nenhuma conhecida.',
  'What was sent, without secrets; null: nothing.': 'O que foi enviado, sem segredos; nulo: nada.',
  'Its beginning: `operator 1` finds the operator under any name.':
    'O começo dele: `operator 1` encontra o operador com qualquer nome.',
  'An address, a network that counts as one, or `loopback`.':
    'Um endereço, uma rede que conta como um só, ou `loopback`.',
  'Lets an address in again.': 'Libera um endereço.',
  'A part of the name, or the id.': 'Uma parte do nome, ou o id.',
  'A whole number: only this one, if it is listed.': 'Um número inteiro: só ele, se estiver na lista.',
  'How it stood.': 'Como estava.',
  'The account that pays with it; null: none.': 'A conta que paga com o saldo dela; nulo: nenhuma.',
  'The part of the database (shard) that it lives in.': 'A parte do banco de dados (shard) em que fica.',
  'The part of the database (shard) that it works on.': 'A parte do banco de dados (shard) em que trabalha.',
  'Null: the default table.': 'Nulo: a tabela padrão.',
  'open: its calls go to these alone, where there are any. closed: they never go to these.':
    'open: as chamadas vão só para estes prefixos, quando há algum. closed: nunca vão para estes.',
  'What its calls may cost it in a day of its zone; null: no matter.':
    'Quanto as chamadas podem custar por dia, no fuso da conta; nulo: sem limite.',
  'Its calls are paid out of the balance, step by step, before each begins.':
    'As chamadas são pagas com o saldo, passo a passo, antes de cada um começar.',
  'Signs its callbacks; null when another `SECRET_KEY` sealed it.':
    'Assina os retornos da conta; nulo quando foi cifrado com outra `SECRET_KEY`.',
  'Of a minute.': 'De um minuto.',
  'Of a chat message inside an open conversation.': 'De uma mensagem de chat dentro de uma conversa aberta.',
  'Of a template.': 'De um modelo de mensagem.',
  'Makes an account.': 'Cria uma conta.',
  'Makes a new secret for the callbacks of an account; the old one signs beside it for a while.':
    'Cria um novo segredo para os retornos de uma conta; o antigo ainda assina junto por algum tempo.',
  'How long the old one signs too; null: no more.':
    'Por quanto tempo o antigo ainda assina; nulo: não assina mais.',
  'Sends a signed test event now, and says what came of it.':
    'Envia agora um evento de teste assinado e diz o que aconteceu.',
  'Why not; `notNow` when it may work later.':
    'O motivo da falha; `notNow` quando pode funcionar mais tarde.',
  '0: there was no answer.': '0: não houve resposta.',
  'The beginning of it.': 'O começo dela.',
  'Null: tools stay shut, and REST is open.': 'Nulo: as ferramentas ficam fechadas e o REST, aberto.',
  'Addresses and networks; empty: any.': 'Endereços e redes; vazio: qualquer um.',
  'False: for tools only.': 'False: só para ferramentas.',
  'To the minute; null: never.': 'Ao minuto; nulo: nunca.',
  'Null: never.': 'Nulo: nunca.',
  'Makes a token; its secret is shown this once.': 'Cria um token; o segredo só é mostrado desta vez.',
  'Revokes a token for good.': 'Revoga um token em definitivo.',
  'What moved; negative: it was spent.': 'O valor movimentado; negativo: foi gasto.',
  'The account that sent the message, or made the call; null: booked by hand.':
    'A conta que enviou a mensagem ou fez a chamada; nulo: lançado à mão.',
  'The message that it is of; null: of none.': 'A mensagem a que se refere; nulo: nenhuma.',
  'The call that it is of; null: of none.': 'A chamada a que se refere; nulo: nenhuma.',
  'Books an amount by hand, to the account or off it.':
    'Lança um valor à mão, a crédito ou a débito da conta.',
  'sms, msgapp, pagechat or photodm.': 'sms, msgapp, pagechat ou photodm.',
  '`v8l_id` of the chat line; 0 for SMS.': '`v8l_id` da linha de chat; 0 para SMS.',
  'JSON of what was sent upstream; empty for SMS.': 'JSON do que foi enviado à plataforma; vazio para SMS.',
  'accepted, submitted, acknowledged, delivered, read, failed, undelivered, unknown':
    'accepted (aceita), submitted (enviada), acknowledged (confirmada), delivered (entregue), read (lida), failed (falhou), undelivered (não entregue), unknown (desconhecida)',
  "The provider's id.": 'O id no provedor.',
  'What the last receipt said; empty: none came.':
    'O que disse a última confirmação; vazio: não veio nenhuma.',
  "The provider's raw answer.": 'A resposta do provedor, como veio.',
  'The price to the last decimal, with a comma.': 'O preço até a última casa decimal, com vírgula.',
  'What the upstream counts it as, in its own words; null: it has not said.':
    'Em que categoria a plataforma a conta, nas palavras dela; nulo: ainda não disse.',
  'A sandbox has it: it reaches no real recipient, whatever its status says.':
    'Está em um sandbox: não chega a nenhum destinatário real, seja qual for a situação.',
  'On the wall clock of the account.': 'No relógio da conta.',
  'The call or message.': 'A chamada ou a mensagem.',
  'sms, msgapp …; empty: a call.': 'sms, msgapp …; vazio: uma chamada.',
  "A call's status, a message's state; empty: not known yet.":
    'O status de uma chamada ou o estado de uma mensagem; vazio: ainda não se sabe.',
  'As `?after=` takes it.': 'Como `?after=` o recebe.',
  'There are more by now.': 'Já há outros.',
  'A cursor of an answer, or epoch milliseconds of the last day; absent: from now on.':
    'Um cursor de uma resposta, ou milissegundos do último dia (epoch); ausente: de agora em diante.',
};
