/** What the platform of a chat channel says, in words: codes of the graph API, and what to do. */
import { both, getOwnEntry, one, type ExplanationText } from '../words.ts';

const slower = both('Send more slowly, then send it again.', 'Envie mais devagar e envie de novo.');
const token = both(
  'Give the chat line a valid access token.',
  'Dê à linha de chat um token de acesso válido.',
);
const message = both('Correct the message, then send it again.', 'Corrija a mensagem e envie de novo.');
const template = both(
  'Correct the template or its values, then send it again.',
  'Corrija o template ou os valores e envie de novo.',
);
const later = both('Send it again later.', 'Envie de novo mais tarde.');
const account = both(
  'Look at the business account in the console of the platform.',
  'Confira a conta comercial no painel da plataforma.',
);
const person = both('Do not send it to this person again.', 'Não envie de novo a esta pessoa.');
const contact = both('Check the recipient before you send it again.', 'Confira o destinatário antes de enviar de novo.'); // prettier-ignore

const tooMuch = one(
  'the platform is sent too much at once',
  'a plataforma recebe mensagens demais de uma vez',
  slower,
);
const noAccess = one(
  'the access token of the line does not permit it',
  'o token de acesso da linha não o permite',
  token,
);
const fault = one('the platform has a fault of its own', 'a plataforma está com uma falha interna', later);
const values = one(
  'the platform does not accept the message as it is written',
  'a plataforma não aceita a mensagem como está escrita',
  message,
);
const blocked = one(
  'the business account is restricted by the platform',
  'a conta comercial está restrita pela plataforma',
  account,
);
const media = one('the platform could not use the file of the message', 'a plataforma não conseguiu usar o arquivo da mensagem', both('Check the address, type and size of the file, then send it again.', 'Confira o endereço, o tipo e o tamanho do arquivo e envie de novo.')); // prettier-ignore
const templateWords = one(
  'the values do not fit the template',
  'os valores não servem para o template',
  template,
);

const codes: Readonly<Record<string, ExplanationText>> = {
  0: noAccess,
  1: fault,
  2: fault,
  3: noAccess,
  4: tooMuch,
  10: noAccess,
  17: tooMuch,
  33: one('the platform does not know the number of the line', 'a plataforma não conhece o número da linha', account),
  80: tooMuch,
  100: values,
  102: noAccess,
  131: values,
  190: one('the access token of the line has expired or is wrong', 'o token de acesso da linha expirou ou está errado', token),
  200: noAccess,
  368: blocked,
  551: one('the person cannot be written to now', 'não é possível escrever à pessoa agora', person),
  613: tooMuch,
  80007: tooMuch,
  130403: one('the person does not want to be written to', 'a pessoa não quer receber mensagens', person),
  130429: tooMuch,
  130472: one('the person takes part in an experiment of the platform, and gets no marketing', 'a pessoa participa de um experimento da plataforma e não recebe marketing', person),
  130497: one('the business may not write to people in this country', 'a empresa não pode escrever a pessoas neste país', account),
  131000: fault,
  131005: noAccess,
  131008: values,
  131009: values,
  131016: fault,
  131021: one('the sender and the recipient are the same', 'o remetente e o destinatário são o mesmo', contact),
  131026: one('the platform cannot deliver it: the number may not be on the platform, or its app is too old', 'a plataforma não consegue entregá-la: o número pode não estar na plataforma, ou o aplicativo é antigo demais', contact),
  131030: one('the number is not among those that a test account may write to', 'o número não está entre os que uma conta de teste pode usar', account),
  131031: blocked,
  131037: one('the number of the line has no display name that is approved', 'o número da linha não tem nome de exibição aprovado', account),
  131042: one('the business account has a problem with its payment', 'a conta comercial tem um problema de pagamento', account),
  131045: one('the number of the line is not registered', 'o número da linha não está registrado', account),
  131047: one('more than 24 hours have passed since the person wrote last', 'passaram mais de 24 horas desde a última mensagem da pessoa', both('Send an approved template instead.', 'Envie um template aprovado.')),
  131048: one('the platform limits the number of the line, because messages of it were marked as spam', 'a plataforma limita o número da linha, porque mensagens dele foram marcadas como spam', account),
  131049: one('the platform held it back, so that the person does not get too much marketing', 'a plataforma a reteve, para que a pessoa não receba marketing demais', both('Wait a day or more before you send marketing to this person.', 'Espere um dia ou mais antes de enviar marketing a esta pessoa.')),
  131050: one('the person has stopped marketing from this business', 'a pessoa deixou de aceitar marketing desta empresa', person),
  131051: one('the platform does not know this type of message', 'a plataforma não conhece este tipo de mensagem', message),
  131052: media,
  131053: media,
  131056: one('too many messages were sent to this person in a short time', 'foram enviadas mensagens demais a esta pessoa em pouco tempo', slower),
  131057: one('the business account is being maintained', 'a conta comercial está em manutenção', later),
  132000: templateWords,
  132001: one('the platform has no such template in this language', 'a plataforma não tem esse template neste idioma', template),
  132005: one('the text of the template is too long with its values', 'o texto do template fica longo demais com os valores', template),
  132007: one('the template breaks a rule of the platform', 'o template viola uma regra da plataforma', template),
  132012: templateWords,
  132015: one('the template is paused, because people rated it badly', 'o template está pausado, porque as pessoas o avaliaram mal', template),
  132016: one('the template is disabled for good, because people rated it badly', 'o template está desativado em definitivo, porque as pessoas o avaliaram mal', both('Make another template.', 'Crie outro template.')),
  132068: one('the flow of the message is blocked', 'o fluxo da mensagem está bloqueado', message),
  132069: one('the flow of the message is throttled', 'o fluxo da mensagem está limitado', slower),
  133000: fault,
  133004: one('the platform is not available for a moment', 'a plataforma está indisponível por um momento', later),
  133005: one('the PIN of the number is wrong', 'o PIN do número está errado', account),
  133006: one('the number of the line must be verified first', 'o número da linha precisa ser verificado antes', account),
  133008: one('the PIN of the number was tried too often', 'o PIN do número foi tentado vezes demais', account),
  133009: one('the PIN of the number was tried too fast', 'o PIN do número foi tentado rápido demais', account),
  133010: one('the number of the line is not registered with the platform', 'o número da linha não está registrado na plataforma', account),
  133015: one('the number of the line was deleted a moment ago', 'o número da linha foi excluído há pouco', later),
  135000: fault,
}; // prettier-ignore

/** Undefined: the platform's own words must do. */
export const describeGraphApiError = (code: string): ExplanationText | undefined => getOwnEntry(codes, code);
/** For the test that walks them. */
export const explainedGraphApiErrorCodes: readonly string[] = Object.keys(codes);
