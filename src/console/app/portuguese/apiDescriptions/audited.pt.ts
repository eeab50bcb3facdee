/** Sentences of the declarations in Portuguese, by the English ones: what the audit log says of changes and private reads. */
export const auditedPt: Readonly<Record<string, string>> = {
  "Opens a session of the console, with the admin token, an operator's key or the code of a sign-in link; the answer sets a cookie.":
    'Abre uma sessão do console, com o token de administração, a chave de um operador ou o código de um link de entrada; a resposta grava um cookie.',
  'Makes an address that signs a browser in, once and within ten minutes, as who asks.':
    'Cria um endereço que abre a sessão em um navegador, uma vez e em até dez minutos, em nome de quem pede.',
  'Ends the session that asks.': 'Encerra a própria sessão.',
  'Changes name, role, or whether numbers are masked; it counts from the next request.':
    'Altera o nome, o papel ou se os números aparecem mascarados; vale a partir da próxima requisição.',
  'Changes an account; the part of the database (shard) that it lives in stays.':
    'Altera uma conta; a parte do banco de dados (shard) em que ela fica não muda.',
  'Changes a token; it counts at once here, and within three seconds at other nodes.':
    'Altera um token; vale na hora aqui e em até três segundos nos outros nós.',
  'Is refused: the ledger is only added to.': 'É recusado: ao extrato só se acrescenta.',
  'Changes an agent.': 'Altera um agente.',
  'Changes a queue; members are replaced as a whole, settings one by one.':
    'Altera uma fila; os membros são trocados todos de uma vez, as configurações uma a uma.',
  'Changes how a voice is shown; what it is called by stays.':
    'Altera como uma voz é mostrada; o nome pelo qual é chamada fica.',
  'Places a call of the sandbox, as `MakeTTSCall` does.':
    'Faz uma chamada no sandbox, como `MakeTTSCall` faz.',
  'Does what the called person does: takes the telephone, answers, presses a key, hangs up.':
    'Faz o que a pessoa chamada faz: pega o telefone, atende, aperta uma tecla, desliga.',
  'Changes a server: drains it, switches it off or on again, or says how it is reached.':
    'Altera um servidor: esvazia, desliga ou liga de novo, ou diz como se chega a ele.',
  'Changes a trunk; lists are replaced as a whole. Calls under way go on.':
    'Altera um tronco; as listas são trocadas por inteiro. As chamadas em curso continuam.',
  'Changes a route; its trunks are replaced as a whole.':
    'Altera uma rota; os troncos dela são trocados por inteiro.',
  'Changes a pool; its caller ids are replaced as a whole.':
    'Altera um grupo de números exibidos; os números dele são trocados por inteiro.',
  'Takes refused records of a list that were corrected.':
    'Recebe registros recusados de uma lista, já corrigidos.',
  'Changes the reason of a blocked number.': 'Altera o motivo de um número bloqueado.',
  'Answers the results of a campaign so far, a line for each call, as a CSV file.':
    'Entrega os resultados de uma campanha até agora, uma linha por chamada, em um arquivo CSV.',
  'Changes a campaign that is not over for good.': 'Altera uma campanha que não terminou de vez.',
  'Makes a campaign like this one, for those of its destinations that did not answer.':
    'Cria uma campanha igual a esta, para os destinos dela que não atenderam.',
  'Closes a campaign before its last day: who was not called is not called any more.':
    'Encerra uma campanha antes do último dia: quem não foi chamado não será mais.',
  'Plays a campaign ahead: nothing is dialled and nothing is written.':
    'Simula o andamento de uma campanha: nada é discado e nada é gravado.',
  'Renames a group.': 'Renomeia um grupo.',
  'Changes a route; settings and secret are replaced as a whole.':
    'Altera uma rota; as configurações e o segredo são trocados por inteiro.',
  'Changes a price, or its prefix.': 'Altera um preço, ou o prefixo dele.',
  'Changes an approved text.': 'Altera um texto aprovado.',
  'Changes a chat line; its class stays.': 'Altera uma linha de chat; a classe dela fica.',
  'Opens a conversation: what a person wrote and was sent, newest first. It stands in the audit log.':
    'Abre uma conversa: o que a pessoa escreveu e recebeu, do mais novo ao mais antigo. Fica na auditoria.',
  'Answers a person with a text, by the line that the person wrote to.':
    'Responde a uma pessoa com um texto, pela linha em que ela escreveu.',
  'Edits a template; one that was submitted is stored again.':
    'Edita um modelo; um que já foi enviado para revisão é gravado de novo.',
  'Changes the address or the name of a media file.': 'Altera o endereço ou o nome de um arquivo de mídia.',
  'Lets callbacks reach a receiver on this machine, for two minutes at a time.':
    'Deixa os retornos chegarem a um receptor nesta máquina, por dois minutos de cada vez.',
  'Lets callbacks reach a receiver no more.': 'Não deixa mais os retornos chegarem a um receptor.',
  'Changes a delivery profile; settings and secret are replaced as a whole.':
    'Altera um perfil de entrega; as configurações e o segredo são trocados por inteiro.',
  'Sends a machine an event that operators may send: cancel, retryNow, replay and others.':
    'Envia a uma máquina um evento que operadores podem enviar: cancel, retryNow, replay e outros.',
  'Performs an effect again that is still owed.': 'Executa de novo um efeito que ainda está pendente.',
  'Gives up an effect that waits to be tried again; its machine goes on as after its failure.':
    'Desiste de um efeito que espera nova tentativa; a máquina dele segue como depois de uma falha.',
  'Answers the recording of a call, to be heard.': 'Entrega a gravação de uma chamada, para ser ouvida.',
  'Answers something that a call says or plays, to be heard.':
    'Entrega algo que uma chamada fala ou toca, para ser ouvido.',
  'Changes the name of an audio, how long it is kept, and whether it is listed.':
    'Altera o nome de um áudio, até quando ele fica e se aparece na lista.',
};
