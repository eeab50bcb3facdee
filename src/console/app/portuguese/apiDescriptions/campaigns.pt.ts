/** Sentences of the declarations in Portuguese, by the English ones: of audio, lists and campaigns. */
export const campaignsPt: Readonly<Record<string, string>> = {
  'tts, upload, rec or ttsvar.':
    'tts (texto falado), upload (enviado), rec (gravado) ou ttsvar (texto com variáveis).',
  'Last day of an active campaign that plays it: until then it stays.':
    'Último dia de uma campanha ativa que o toca: até lá ele fica.',
  'The WAV, or the sample of a ttsvar; empty: there is none.':
    'O WAV, ou a amostra de um ttsvar; vazio: não há.',
  'Deletes an audio that nothing needs any more.': 'Exclui um áudio de que nada mais precisa.',
  '`1`: also one that paused campaigns and waiting calls would play.':
    '`1`: também um que campanhas pausadas ou chamadas em espera tocariam.',
  'Accepted records.': 'Registros aceitos.',
  'Makes a destination list of a CSV or JSON file.':
    'Cria uma lista de destinos a partir de um arquivo CSV ou JSON.',
  'Of the list. Default: made of the account and the time.':
    'Da lista. Padrão: formado pela conta e pela hora.',
  'Name of the file; `.json` or `.csv` says what it is.': 'Nome do arquivo; `.json` ou `.csv` diz o tipo.',
  'Deletes a list that nothing needs any more, with names and extras of its records.':
    'Exclui uma lista de que nada mais precisa, com os nomes e os extras dos registros.',
  'As it is dialled.': 'Como é discado.',
  'Puts a number on the block list of an account, or changes its reason.':
    'Põe um número na lista de bloqueio de uma conta, ou muda o motivo dele.',
  'Takes a number off the block list.': 'Tira um número da lista de bloqueio.',
  'Puts the numbers of a file on the block list.': 'Põe na lista de bloqueio os números de um arquivo.',
  'Lines that were read.': 'Linhas lidas.',
  'Lines whose number is none.': 'Linhas cujo número não é válido.',
  'The first of them.': 'As primeiras delas.',
  'Takes the numbers of a file off the block list.': 'Tira da lista de bloqueio os números de um arquivo.',
  'play, question or validate.': 'play (reprodução), question (pergunta) ou validate (validação).',
  'loading, active, paused, completed, limitReached, expired or failed.':
    'loading (carregando), active (ativa), paused (pausada), completed (concluída), limitReached (limite atingido), expired (expirada) ou failed (falhou).',
  'The same, and while it is active: waitingWindow, dialing, throttled or draining.':
    'O mesmo e, enquanto ativa: waitingWindow (espera o horário), dialing (discando), throttled (limitada) ou draining (terminando).',
  'Why it failed.': 'Por que falhou.',
  'It is cloned and never dialled.': 'Serve para ser clonada e nunca é discada.',
  'YYYY-MM-DD.': 'AAAA-MM-DD.',
  'HH:MM:SS.': 'HH:MM:SS.',
  'Null: as many as the carrier bears.': 'Nulo: quantas a operadora suportar.',
  'Null: no limit.': 'Nulo: sem limite.',
  'Records left out.': 'Registros deixados de fora.',
  'Destinations dialled at least once.': 'Destinos discados ao menos uma vez.',
  'Calls that ended.': 'Chamadas terminadas.',
  'Its calls may be transferred.': 'As chamadas dela podem ser transferidas.',
  'Makes a campaign, as CreateCampaign does.': 'Cria uma campanha, como faz CreateCampaign.',
  'Name. Default the name of its list; of a clone, that of the source’s list.':
    'Nome. Padrão: o nome da lista; em um clone, o da lista de origem.',
  'Description.': 'Descrição.',
  'Destination list; required unless a list is sent along or the campaign is a clone.':
    'Lista de destinos; obrigatória, a não ser que uma lista vá junto ou a campanha seja um clone.',
  'Campaign to clone: what is not given is copied from it.':
    'Campanha a clonar: o que não for informado é copiado dela.',
  '0 play, 4 question and answer, 6 confirmation and validation.':
    '0 reprodução, 4 pergunta e resposta, 6 confirmação e validação.',
  'Customer-side campaign id.': 'Id da campanha no sistema do cliente.',
  'Audio id of the main message.': 'Id do áudio da mensagem principal.',
  'Text spoken instead of content. With placeholders it is filled in for each record.':
    'Texto falado no lugar de content. Com variáveis, é preenchido para cada registro.',
  'Provider|VoiceName of the text, or fad, the default voice.':
    'Provedor|NomeDaVoz do texto, ou fad, a voz padrão.',
  'Audio id for answering machines; turns detection on.':
    'Id do áudio para secretárias eletrônicas; liga a detecção.',
  'http or https address of an audio file, used instead of content.':
    'Endereço http ou https de um arquivo de áudio, usado no lugar de content.',
  'First day, YYYY-MM-DD. Default today in the account’s time zone.':
    'Primeiro dia, AAAA-MM-DD. Padrão: hoje no fuso da conta.',
  'Last day. Default date_start.': 'Último dia. Padrão: date_start.',
  'From this time of day, in the destination’s time zone.': 'A partir desta hora do dia, no fuso do destino.',
  'To this time of day.': 'Até esta hora do dia.',
  'Calls per minute, 1 to 100, or max.': 'Ligações por minuto, de 1 a 100, ou max (o máximo).',
  'Retries after a failure; attempts = resends + 1.':
    'Novas tentativas depois de uma falha; tentativas = resends + 1.',
  'Minutes between retries.': 'Minutos entre as tentativas.',
  '0 leaves mobile numbers out.': '0 deixa os celulares de fora.',
  'Stop after so many answered calls.': 'Parar depois de tantas ligações atendidas.',
  'At most so many records of the same name; 0 no limit.':
    'No máximo tantos registros com o mesmo nome; 0: sem limite.',
  '1 passes the block lists.': '1 ignora as listas de bloqueio.',
  'Group id.': 'Id do grupo.',
  'Contact-center queue for transfers.': 'Fila de atendimento para transferências.',
  'Status callback URL; default the callback address of the account.':
    'URL que recebe os retornos de status; padrão: a da conta.',
  'Events told of each call beside the final one: all, or a comma list of queued, blocked, dialing, ringing, answered, amd, dtmf, transfer, recording, sms, retry, completed, failed. Default that of the account.':
    'Eventos informados de cada ligação além do final: all (todos), ou uma lista separada por vírgulas de queued, blocked, dialing, ringing, answered, amd, dtmf, transfer, recording, sms, retry, completed, failed. Padrão: o da conta.',
  'Trunks that it goes by, in this order, separated by |, and by no others; authorized accounts only.':
    'Troncos por onde sai, nesta ordem, separados por |, e por nenhum outro; só contas autorizadas.',
  '1 tries all numbers of a record in their order.':
    '1 tenta todos os números de um registro, na ordem deles.',
  'ok (answered), nae (not answered), oknae (either), dtmf1 (digit 1 pressed); cp_type 0 only.':
    'ok (atendida), nae (não atendida), oknae (as duas), dtmf1 (tecla 1); só com cp_type 0.',
  'Text of the SMS, at most 160 characters; accents are stripped, placeholders filled in for each record.':
    'Texto do SMS, no máximo 160 caracteres; os acentos são retirados e as variáveis, preenchidas para cada registro.',
  '1 starts at once, 0 keeps it paused.': '1 começa na hora, 0 deixa pausada.',
  'Delivery profile to which the results go at the end.':
    'Perfil de entrega para onde vão os resultados no fim.',
  'cp_type 4: audio id played after digit 0.': 'cp_type 4: id do áudio tocado depois da tecla 0.',
  'cp_type 4: audio id played after digit 1.': 'cp_type 4: id do áudio tocado depois da tecla 1.',
  'cp_type 4: audio id played after digit 2.': 'cp_type 4: id do áudio tocado depois da tecla 2.',
  'cp_type 4: audio id played after digit 3.': 'cp_type 4: id do áudio tocado depois da tecla 3.',
  'cp_type 4: audio id played after digit 4.': 'cp_type 4: id do áudio tocado depois da tecla 4.',
  'cp_type 4: audio id played after digit 5.': 'cp_type 4: id do áudio tocado depois da tecla 5.',
  'cp_type 4: audio id played after digit 6.': 'cp_type 4: id do áudio tocado depois da tecla 6.',
  'cp_type 4: audio id played after digit 7.': 'cp_type 4: id do áudio tocado depois da tecla 7.',
  'cp_type 4: audio id played after digit 8.': 'cp_type 4: id do áudio tocado depois da tecla 8.',
  'cp_type 4: audio id played after digit 9.': 'cp_type 4: id do áudio tocado depois da tecla 9.',
  'cp_type 4: audio id played when no digit came.':
    'cp_type 4: id do áudio tocado quando nenhuma tecla veio.',
  'cp_type 4: the key that replays the main message.': 'cp_type 4: a tecla que repete a mensagem principal.',
  'cp_type 4: digits of the answer.': 'cp_type 4: quantidade de dígitos da resposta.',
  'cp_type 4: digits of a second answer.': 'cp_type 4: quantidade de dígitos de uma segunda resposta.',
  'Seconds to wait for digits.': 'Segundos de espera pelos dígitos.',
  'cp_type 6: audio id that asks for the digits.': 'cp_type 6: id do áudio que pede os dígitos.',
  'cp_type 6: audio id played when they match.': 'cp_type 6: id do áudio tocado quando conferem.',
  'cp_type 6: audio id played when it was not confirmed.':
    'cp_type 6: id do áudio tocado quando não houve confirmação.',
  'cp_type 6: audio id played when no digit came.':
    'cp_type 6: id do áudio tocado quando nenhuma tecla veio.',
  'cp_type 6: audio id played before the transfer.': 'cp_type 6: id do áudio tocado antes da transferência.',
  'cp_type 6: audio id played when no member of the queue is free.':
    'cp_type 6: id do áudio tocado quando nenhum membro da fila está livre.',
  'cp_type 6: audio id of the goodbye.': 'cp_type 6: id do áudio de despedida.',
  'cp_type 6: audio id played when the digits do not match.':
    'cp_type 6: id do áudio tocado quando os dígitos não conferem.',
  'cp_type 6, required there: digits expected.': 'cp_type 6, obrigatório nele: quantos dígitos se esperam.',
  'cp_type 6: the key that confirms.': 'cp_type 6: a tecla que confirma.',
  '<column>|<value>: only records whose column has this value.':
    '<coluna>|<valor>: só registros cuja coluna tem este valor.',
  'cp_type 6, required there: the column whose end the digits must be.':
    'cp_type 6, obrigatório nele: a coluna cujo final os dígitos devem repetir.',
  'As Idempotency-Key; a repeated request is answered with duplicate_request 1.':
    'Como Idempotency-Key; uma requisição repetida é respondida com duplicate_request 1.',
  'Its place among the records of the list, from 1. A header does not count, nor do empty lines.':
    'O lugar dele entre os registros da lista, a partir de 1. O cabeçalho não conta, e linhas vazias também não.',
  'Its line of the CSV file, where the header is line 1; empty lines do not count. Null: the list is of no CSV file.':
    'A linha dele no arquivo CSV, em que o cabeçalho é a linha 1; linhas vazias não contam. Nulo: a lista não é de um arquivo CSV.',
  'duplicate, blocklist, mobile, filter or name.':
    'duplicate (repetido), blocklist (bloqueado), mobile (celular), filter (filtro) ou name (nome repetido).',
  'Null: it waits.': 'Nulo: está na espera.',
  'Makes a group of campaigns and audio.': 'Cria um grupo de campanhas e áudios.',
  'Deletes a group that nothing belongs to.': 'Exclui um grupo a que nada pertence.',
};
