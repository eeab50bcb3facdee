/** Sentences of the declarations in Portuguese, by the English ones: of SMS, chat lines, templates, callbacks and nodes. */
export const messagesPt: Readonly<Record<string, string>> = {
  'The first digits of numbers that go by it; empty: every number.':
    'Os primeiros dígitos dos números que saem por ela; vazio: todos os números.',
  'The smallest is tried first among routes of one prefix.':
    'Entre rotas do mesmo prefixo, a de menor valor é tentada primeiro.',
  'sandbox, smpp or http.': 'sandbox, smpp ou http.',
  'How the link of the node that answers fares; null: it has none open.':
    'Como está o link do nó que responde; nulo: não tem nenhum aberto.',
  'Makes a route for SMS.': 'Cria uma rota para SMS.',
  'Ids of sandbox routes that this route has taken the place of.':
    'Ids das rotas de sandbox que esta rota substituiu.',
  'The first digits of numbers; empty: every number.':
    'Os primeiros dígitos dos números; vazio: todos os números.',
  'Of one segment.': 'De um segmento.',
  'Sets a price for numbers with a prefix.': 'Define um preço para números com um prefixo.',
  'Deletes a price.': 'Exclui um preço.',
  'What a message may say; `*` stands for anything.':
    'O que uma mensagem pode dizer; `*` vale por qualquer coisa.',
  'Approves a text that names a bank.': 'Aprova um texto que menciona um banco.',
  'Deletes an approved text.': 'Exclui um texto aprovado.',
  'Its upstream is the built-in sandbox: no real recipient is reached.':
    'A plataforma dela é o sandbox embutido: nenhum destinatário real é alcançado.',
  'In the words of the upstream; empty: it has said nothing.':
    'Nas palavras da plataforma; vazio: ela não disse nada.',
  'Makes a chat line; what it lacks is told when it is used.':
    'Cria uma linha de chat; o que lhe falta é dito quando ela é usada.',
  'Deletes a chat line.': 'Exclui uma linha de chat.',
  'Where its platform is to bring hooks.': 'Para onde a plataforma dela deve mandar os webhooks.',
  'When something came in last; null: never.': 'Quando algo chegou pela última vez; nulo: nunca.',
  'The newest message that went by it; null: none lately.':
    'A mensagem mais nova que saiu por ela; nulo: nenhuma recente.',
  'Nothing that is known here keeps it from sending.': 'Nada do que se sabe aqui a impede de enviar.',
  'Nothing that is known here keeps it from receiving.': 'Nada do que se sabe aqui a impede de receber.',
  'Why not, by name.': 'Os motivos, pelo nome.',
  '`en` or `pt`; default: as the request accepts, else `en`.':
    '`en` ou `pt`; padrão: o que a requisição aceita, senão `en`.',
  "The upstream's id of a person.": 'O id da pessoa na plataforma.',
  'As it came: JSON.': 'Como chegou: JSON.',
  'Template id, as `template_id` takes it.': 'Id do modelo, como `template_id` o recebe.',
  'Name.': 'Nome.',
  'Category: AUTHENTICATION, MARKETING, UTILITY, or another one of the upstream.':
    'Categoria: AUTHENTICATION (autenticação), MARKETING, UTILITY (utilidade), ou outra da plataforma.',
  'Language, as pt_BR.': 'Idioma, como pt_BR.',
  'Status of the upstream; an open set.': 'Situação na plataforma; podem surgir outras.',
  'Body; placeholders are {{1}}, {{2}} and so on.':
    'Corpo; as variáveis são {{1}}, {{2}} e assim por diante.',
  'Type of the header; empty: none.': 'Tipo do cabeçalho; vazio: nenhum.',
  'Text of the header.': 'Texto do cabeçalho.',
  'Text of the footer.': 'Texto do rodapé.',
  'JSON text with an example for each placeholder.': 'Texto JSON com um exemplo para cada variável.',
  'Type of the buttons; empty: none.': 'Tipo dos botões; vazio: nenhum.',
  'JSON text of the buttons.': 'Texto JSON dos botões.',
  'The id under which upstream still has what was edited; empty: none.':
    'O id com que a plataforma ainda guarda o que foi editado; vazio: nenhum.',
  'What upstream takes it for by now, in its own words; empty: it has not said.':
    'Em que categoria a plataforma o coloca agora, nas palavras dela; vazio: ela não disse.',
  'stored, submitting, submitted, deleting or deleted.':
    'stored (guardado), submitting (enviando), submitted (enviado), deleting (excluindo) ou deleted (excluído).',
  'How it came to stand as it does, oldest first.': 'Como chegou a estar assim, do mais antigo ao mais novo.',
  "Upstream's word; empty: it is only stored.": 'A palavra da plataforma; vazio: só está guardado aqui.',
  'Who changed it.': 'Quem mudou.',
  'The id upstream; empty: it had none.': 'O id na plataforma; vazio: não tinha.',
  'Stores a template; what it lacks is told when it is submitted.':
    'Guarda um modelo; o que lhe falta é dito no envio para revisão.',
  'Deletes a template here; upstream keeps it.': 'Exclui um modelo aqui; a plataforma continua com ele.',
  'Deletes upstream what it has of a template from before an edit.':
    'Exclui da plataforma o que ela tem de um modelo de antes de uma edição.',
  'Submits a template for review.': 'Envia um modelo para revisão.',
  'A public address.': 'Um endereço público.',
  'Names a file for headers of templates.': 'Registra um arquivo para cabeçalhos de modelos.',
  'Forgets a media file; the file itself stays where it is.':
    'Esquece um arquivo de mídia; o arquivo em si fica onde está.',
  'open: nothing is sent until `next_at`.': 'open: nada é enviado até `next_at`.',
  'Since the last success.': 'Desde o último sucesso.',
  'As `relftp` takes it.': 'Como `relftp` o recebe.',
  'folder, sftp, ftps or s3.': 'folder (pasta), sftp, ftps ou s3.',
  'Makes a delivery profile: a place where result files go.':
    'Cria um perfil de entrega: um lugar para onde vão os arquivos de resultados.',
  'Deletes a delivery profile.': 'Exclui um perfil de entrega.',
  'Puts a small file there now, and says what happened.':
    'Grava ali um arquivo pequeno agora e diz o que aconteceu.',
  'What was put there.': 'O que foi gravado ali.',
  'That the SFTP server showed.': 'A que o servidor SFTP mostrou.',
  'That the FTPS server showed.': 'O que o servidor FTPS mostrou.',
  'Why it failed; `notNow` when it may work later.':
    'Por que falhou; `notNow` quando pode funcionar mais tarde.',
  'The number of the call, message or campaign.': 'O número da ligação, da mensagem ou da campanha.',
  'pending, attempting, idle, retrying, deferred, deadLetter, delivered, givenUp':
    'pending (pendente), attempting (tentando), idle (parada), retrying (tentando de novo), deferred (adiada), deadLetter (entrega morta), delivered (entregue), givenUp (abandonada)',
  '0 pending, +attempts delivered, -attempts given up.':
    '0: pendente; +tentativas: entregue; -tentativas: abandonada.',
  'Why it has not begun; empty: it has.': 'Por que não começou; vazio: já começou.',
  'Sends dead letters of an account again, oldest first.':
    'Reenvia as entregas mortas de uma conta, as mais antigas primeiro.',
  'When they began: from this moment on.': 'Quando começaram: deste momento em diante.',
  'When they began: before this moment.': 'Quando começaram: antes deste momento.',
  'Only those that go there, as their records write it.':
    'Só as que vão para este destino, como está escrito no registro delas.',
  'As it was answered to the request before, to go on from there.':
    'Como veio na resposta à requisição anterior, para continuar dali.',
  'There are more than one request takes.': 'Há mais do que uma requisição abrange.',
  'Where the next request goes on; null: all were taken.':
    'De onde segue a próxima requisição; nulo: todas foram tomadas.',
  'When it said last that it lives, epoch milliseconds.':
    'Quando deu sinal de vida pela última vez, em milissegundos (epoch).',
  '`last_error` in words, in English and in Portuguese. What a receiver said stands as it said it.':
    '`last_error` por extenso, em inglês e em português. O que um destino disse fica como ele disse.',
};
