/** Whole refusals in Portuguese: of files, lists, campaigns, templates and machines. The first that fits is said. */
import type { RefusalRules } from './rules.ts';

export const workRefusalsPt: RefusalRules = [
  // Lists and files
  ['the file is empty', 'o arquivo está vazio'],
  [
    'the first row names no column phone: write one there that names the columns, e.g. phone;name',
    'a primeira linha não tem a coluna phone: escreva uma que dê nome às colunas, p. ex. phone;name',
  ],
  ['the file holds no numbers', 'o arquivo não tem números'],
  ['there are no records', 'não há registros'],
  ['the list {n} is inactive', 'a lista {n} está inativa'],
  ['the list {n} holds no record that can be called', 'a lista {n} não tem registro que possa ser chamado'],
  ['record {row}: {~why}', 'registro {row}: {~why}'],
  ['line {n}: {~why}', 'linha {n}: {~why}'],
  ['it has {n} fields, the header {width}', 'tem {n} campos, e o cabeçalho tem {width}'],
  ['a quote is not closed', 'aspas não foram fechadas'],
  [
    'a quoted field goes on behind its closing quote',
    'um campo entre aspas continua depois das aspas finais',
  ],
  ['it is longer than {n} bytes', 'é maior que {n} bytes'],
  ['the line is longer than {n} bytes', 'a linha é maior que {n} bytes'],
  ['field {n} of the line is empty', 'o campo {n} da linha está vazio'],
  ['it is not UTF-8, as what comes before it is', 'não está em UTF-8, como o que vem antes'],
  ['it ends within a character', 'termina no meio de um caractere'],
  ['it is empty', 'está vazio'],
  ['it is not JSON', 'não é JSON'],
  ['it is not an array of records', 'não é uma lista de registros'],
  ['it is neither an object nor an array', 'não é um objeto nem uma lista'],
  ['the array ends before its end', 'a lista termina antes do fim'],
  ['a brace closes the array', 'uma chave fecha a lista'],
  ['a list has at most {n} records', 'uma lista tem no máximo {n} registros'],
  ['something follows the array', 'há algo depois da lista'],
  ['the file is a program', 'o arquivo é um programa'],
  ['the file is a program: {kind}', 'o arquivo é um programa: {kind}'],
  ['the file is executable', 'o arquivo é executável'],
  [
    'the file is a spreadsheet or an archive; save the sheet as CSV and send that',
    'o arquivo é uma planilha ou um arquivo compactado; salve a planilha como CSV e envie o CSV',
  ],
  [
    'the file has more than {n} lines; send it in pieces',
    'o arquivo tem mais de {n} linhas; envie em partes',
  ],
  [
    'the file is larger than {n} bytes; send it in pieces',
    'o arquivo é maior que {n} bytes; envie em partes',
  ],
  ['the file is larger than {n} bytes', 'o arquivo é maior que {n} bytes'],
  ['the file did not arrive whole: send it again', 'o arquivo não chegou inteiro: envie de novo'],
  ['the form brings no file', 'o formulário não traz arquivo'],
  ['a compressed body is not read; send it as it is', 'um corpo comprimido não é lido; envie como ele é'],
  ['send the numbers as CSV (Content-Type: text/csv)', 'envie os números como CSV (Content-Type: text/csv)'],
  [
    'send the sound file as it is (Content-Type: audio/wav, audio/mpeg, …)',
    'envie o arquivo de som como ele é (Content-Type: audio/wav, audio/mpeg, …)',
  ],
  ['the content is no sound that is known here', 'o conteúdo não é um som conhecido aqui'],
  ['{kind} files cannot be read here', 'arquivos {kind} não podem ser lidos aqui'],
  ['the file is broken', 'o arquivo está danificado'],
  ['a WAV file of a kind that cannot be read', 'um arquivo WAV de um tipo que não pode ser lido'],
  ['the file ended too early', 'o arquivo terminou cedo demais'],
  ['there is no sound in it', 'não há som nele'],
  ['the sound is longer than {n} seconds', 'o som dura mais de {n} segundos'],
  ['nothing is left of it without its silence', 'sem o silêncio, nada sobra dele'],
  ['decoding it takes too much memory', 'decodificá-lo exige memória demais'],
  ['it takes longer than {n} seconds to make', 'levaria mais de {n} segundos para ser feito'],
  ['the file is infected: {virus}', 'o arquivo está infectado: {virus}'],
  ['the file is smaller than 100 bytes', 'o arquivo tem menos de 100 bytes'],
  ['the virus scanner takes no file of this size', 'o antivírus não aceita arquivo deste tamanho'],
  [
    'the body ended before its end; send the file again: what is on the list stays as it is',
    'o envio terminou antes do fim; envie o arquivo de novo: o que está na lista fica como está',
  ],
  ['the body is no readable multipart form', 'o corpo não é um formulário multipart legível'],
  [
    'there is no list: send datajson, or a file as multipart',
    'não há lista: envie datajson, ou um arquivo multipart',
  ],
  [
    'the list could not be loaded, or holds no valid destination',
    'a lista não pôde ser carregada, ou não tem destino válido',
  ],
  ['the list file is invalid', 'o arquivo da lista é inválido'],
  [
    'the list file breaks off, or cannot be read on',
    'o arquivo da lista termina no meio, ou não pode ser lido até o fim',
  ],
  ['the list sent along has no valid destination', 'a lista enviada não tem destino válido'],
  ['the list sent along has too many records', 'a lista enviada tem registros demais'],
  ['the list sent along did not arrive whole', 'a lista enviada não chegou inteira'],
  ['the list sent along could not be kept', 'a lista enviada não pôde ser guardada'],
  ['the list sent along is too large', 'a lista enviada é grande demais'],
  // In use
  [
    'list {id} is in use: a campaign of it was made just now',
    'a lista {id} está em uso: uma campanha com ela acaba de ser criada',
  ],
  ['list {id} is in use: {~uses}', 'a lista {id} está em uso: {~uses}'],
  ['audio {id} is in use: {~uses}', 'o áudio {id} está em uso: {~uses}'],
  // What uses them, one after the other
  ['{~use}, and others', '{~use} e outros'],
  ['campaign {id} ({name}) is {~state}, {~more}', 'a campanha {id} ({name}) {~state}, {~more}'],
  ['campaign {id} ({name}) is {~state}', 'a campanha {id} ({name}) {~state}'],
  ['a model', 'é um modelo'],
  ['loading', 'está sendo carregada'],
  ['active', 'está ativa'],
  ['paused', 'está pausada'],
  [
    'the results of campaign {id} ({name}) are being delivered, {~more}',
    'os resultados da campanha {id} ({name}) estão sendo entregues, {~more}',
  ],
  [
    'the results of campaign {id} ({name}) are being delivered',
    'os resultados da campanha {id} ({name}) estão sendo entregues',
  ],
  ['call {id} waits, {~more}', 'a chamada {id} espera, {~more}'],
  ['call {id} waits', 'a chamada {id} espera'],
  ['campaigns or audio belong to group {id}', 'há campanhas ou áudios no grupo {id}'],
  // Campaigns
  [
    'an active campaign with the same name and start date exists',
    'já existe uma campanha ativa com o mesmo nome e primeiro dia',
  ],
  [
    'name: another active campaign has the same name and first day',
    'name: outra campanha ativa tem o mesmo nome e primeiro dia',
  ],
  [
    'content is not an audio of the account, or nothing is to be heard',
    'content não é um áudio da conta, ou não há nada para ouvir',
  ],
  ['one of content, text, urlcontent or audio64 is required', 'informe content, text, urlcontent ou audio64'],
  ['text: {~why}', 'text: {~why}'],
  ['text says nothing', 'o texto não diz nada'],
  ['the text could not be spoken', 'o texto não pôde ser falado'],
  ['the campaign could not be stored', 'a campanha não pôde ser guardada'],
  ['the campaign to clone cannot be copied', 'a campanha a clonar não pode ser copiada'],
  ['no campaign id could be made', 'não foi possível criar um id de campanha'],
  ['the campaign is over', 'a campanha terminou'],
  ['the campaign is over for good', 'a campanha terminou em definitivo'],
  [
    'the campaign is over ({phase}): nothing is left to forecast',
    'a campanha terminou ({phase}): não há o que prever',
  ],
  [
    'the campaign has {n} destinations; forecasts are made of up to {most}',
    'a campanha tem {n} destinos; a previsão é feita para até {most}',
  ],
  [
    'the destinations of the campaign are being chosen: try again in a moment',
    'os destinos da campanha estão sendo escolhidos: tente de novo em instantes',
  ],
  [
    'the destinations of the campaign could not be chosen: {~why}',
    'os destinos da campanha não puderam ser escolhidos: {~why}',
  ],
  [
    'as many forecasts as may go on at a time go on already',
    'já há previsões demais em andamento ao mesmo tempo',
  ],
  ['every number that was called has answered', 'todos os números chamados atenderam'],
  [
    'active: the campaign is a model, which is never dialled',
    'active: a campanha é um modelo, que nunca é discado',
  ],
  [
    'active must be 0: the campaign plays {audio}, which was deleted; clone it with another audio',
    'active precisa ser 0: a campanha toca {audio}, que foi excluído; clone a campanha com outro áudio',
  ],
  ['an SMS follow-up needs {what}', 'o SMS de acompanhamento precisa de {what}'],
  // Templates and conversations
  [
    'the text has placeholders, and cwt_variables_examples is empty',
    'o texto tem variáveis, e cwt_variables_examples está vazio',
  ],
  [
    '{part} of cwt_variables_examples must be a list',
    '{part} de cwt_variables_examples precisa ser uma lista',
  ],
  [
    'the example {which} of cwt_variables_examples is empty',
    'o exemplo {which} de cwt_variables_examples está vazio',
  ],
  ['the payload cannot be written as JSON', 'o conteúdo não pode ser escrito como JSON'],
  [
    'an audio of cont0 to cont9 or content2 to content8 does not exist',
    'um áudio de cont0 a cont9 ou de content2 a content8 não existe',
  ],
  ['cwt_button_config must hold buttons', 'cwt_button_config precisa conter botões'],
  ['button {n} of cwt_button_config is no object', 'o botão {n} de cwt_button_config não é um objeto'],
  [
    'the url of button {n} has a placeholder, and no example',
    'a url do botão {n} tem uma variável, e nenhum exemplo',
  ],
  ['the example of the url of button {n} is empty', 'o exemplo da url do botão {n} está vazio'],
  ['the template cannot be changed now: {why}', 'o modelo não pode ser mudado agora: {why}'],
  [
    'text: the 24 hours since this person wrote are over: only a template arrives',
    'text: passaram as 24 horas desde que esta pessoa escreveu: só um modelo de mensagem chega',
  ],
  [
    'text: the same was sent to this person a moment ago',
    'text: o mesmo texto foi enviado a esta pessoa há instantes',
  ],
  [
    'the balance of the account or of its reseller does not cover the message',
    'o saldo da conta, ou o do revendedor, não cobre a mensagem',
  ],
  [
    'a conversation of line {line} with {contact} does not exist',
    'não existe conversa da linha {line} com {contact}',
  ],
  // Machines
  [
    'type: operators may send a {kind} {events}',
    'type: operadores podem enviar a uma máquina {kind}: {events}',
  ],
  [
    'type: a {kind} takes no events from operators',
    'type: uma máquina {kind} não recebe eventos de operadores',
  ],
  ['the machine has ended; nothing will hear the event', 'a máquina terminou; nada mais recebe o evento'],
  [
    'effect {effect} is not owed, or was begun and must not be twice',
    'o efeito {effect} não está pendente, ou já começou e não pode começar de novo',
  ],
  [
    'effect {effect} is not owed, or is under way',
    'o efeito {effect} não está pendente, ou está em andamento',
  ],
  [
    '{id} names machines of several accounts; add ?account=',
    '{id} é de máquinas de várias contas; acrescente ?account=',
  ],
  [
    'entries of its history were dropped just now; ask again',
    'eventos do histórico acabam de ser descartados; consulte de novo',
  ],
  [
    'this build has no chart {kind} version {version}',
    'esta versão do serviço não tem o diagrama {kind} versão {version}',
  ],
  [
    '{n} streams are open here already; close some pages',
    'já há {n} transmissões abertas aqui; feche algumas páginas',
  ],
];
