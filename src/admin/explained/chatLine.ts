/** Why a chat line does not send, or does not receive, and what to do; pure. */
import type { MessageRow } from '../../store/reads/sms/messageLog.ts';
import { formatLocalDateTime } from '../../lib/formatLocalDateTime.ts';
import { redactUrlToHost } from '../../lib/redactUrl.ts';
import type { Language } from './language.ts';
import { explainMessageRow } from './messageRow.ts';
import { quoted, translateOrQuote } from './translateKnownPhrases.ts';
import { callEndReasonTexts } from './callEndReasons.ts';
import { sandboxNotice, timeZoneNotice } from './machineStatusSentences.ts';
import { both, one, type ExplanationText } from './words.ts';

/** A line as it is stored; moments are epoch milliseconds. */
export interface StoredChatLine {
  class: string;
  provider: string;
  app_name: string;
  number: string;
  business_id: string;
  page_id: string;
  photo_account_id: string;
  active: boolean;
  sandbox: boolean;
  has_api_key: boolean;
  has_app_secret: boolean;
  has_verify_token: boolean;
  quality: string;
  messaging_limit: string;
}

export interface ChatLineFacts {
  line: StoredChatLine;
  /** Its credentials can be opened with this service's `SECRET_KEY`. */
  opens: boolean;
  /** What this service is set up with: `SANDBOX` and `GRAPH_URL`. */
  upstreams: { sandbox: boolean; real: boolean };
  /** Who is switched off; undefined: neither the account nor a reseller above it. */
  off: 'account' | 'reseller' | undefined;
  /** Where its platform brings hooks. */
  hookUrl: string;
  /** Where what people write is brought; empty: it is only kept. */
  forwardUrl: string;
  /** The newest message that went by it; undefined: none lately. */
  lastSent: MessageRow | undefined;
  /** When something came in last. */
  lastIncoming: number | undefined;
  /** Of what came in lately and is not brought yet: how many, and what the last attempt said. */
  notBrought: { count: number; error: string };
}

export interface ChatLineExplanation {
  /** Nothing that is known here keeps it from sending; from hearing of its platform. */
  sends: boolean;
  receives: boolean;
  /** Why not, by name. */
  reasons: string[];
  sentences: string[];
}

type Hinders = 'sending' | 'receiving';

interface Obstacle {
  rule: string;
  hinders: readonly Hinders[];
  stands(facts: ChatLineFacts): boolean;
  words: ExplanationText;
}

const is = (kind: string) => (facts: ChatLineFacts) => facts.line.class === kind;
const set = (what: string, como: string) => both(`Set ${what} of the line.`, `Defina ${como} da linha.`);

const obstacles: readonly Obstacle[] = [
  { rule: 'inactive', hinders: ['sending'], stands: ({ line }) => !line.active,
    words: one('It is switched off, so nothing is sent by it.', 'Está desativada, e nada é enviado por ela.', both('Switch it on.', 'Ative-a.')) },
  { rule: 'account', hinders: ['sending'], stands: ({ off }) => off === 'account',
    words: one('Its account is switched off, so nothing is sent for it.', 'A conta está desativada, e nada é enviado para ela.', callEndReasonTexts['account']!.todo) },
  { rule: 'reseller', hinders: ['sending'], stands: ({ off }) => off === 'reseller',
    words: one('A reseller above its account is switched off, so nothing is sent for it.', 'Um revendedor acima da conta está desativado, e nada é enviado para ela.', callEndReasonTexts['reseller']!.todo) },
  { rule: 'lineBroken', hinders: ['sending', 'receiving'], stands: ({ opens }) => !opens,
    words: one('Its credentials cannot be opened: they were sealed with another key.', 'As credenciais não podem ser abertas: foram seladas com outra chave.', both('Set them again.', 'Defina-as de novo.')) },
  { rule: 'noProvider', hinders: ['sending'], stands: (facts) => is('msgapp')(facts) && facts.line.provider === '',
    words: one('It names no provider.', 'Não tem provedor.', both('Set its provider to cloud.', 'Defina o provedor como cloud.')) },
  { rule: 'noAppName', hinders: ['sending', 'receiving'], stands: (facts) => is('msgapp')(facts) && facts.line.app_name === '',
    words: one('It lacks the id that its number has at the platform.', 'Falta o id do número na plataforma.', set('the phone number id', 'o id do número')) },
  { rule: 'noNumber', hinders: ['sending'], stands: (facts) => is('msgapp')(facts) && facts.line.number === '',
    words: one('It lacks its telephone number.', 'Falta o número de telefone.', set('the number', 'o número')) },
  { rule: 'noPage', hinders: ['sending', 'receiving'], stands: (facts) => is('pagechat')(facts) && facts.line.page_id === '',
    words: one('It lacks the id of its page.', 'Falta o id da página.', set('the page id', 'o id da página')) },
  { rule: 'noPhotoAccount', hinders: ['sending', 'receiving'], stands: (facts) => is('photodm')(facts) && facts.line.photo_account_id === '',
    words: one('It lacks the id of its photo account.', 'Falta o id da conta do aplicativo de fotos.', set('the photo account id', 'o id da conta de fotos')) },
  { rule: 'noApiKey', hinders: ['sending'], stands: ({ line }) => !line.has_api_key,
    words: one('It has no access token.', 'Não tem token de acesso.', set('the access token', 'o token de acesso')) },
  { rule: 'noUpstream', hinders: ['sending'], stands: ({ line, upstreams }) => !line.sandbox && !upstreams.real,
    words: one('The service knows no platform to send to: GRAPH_URL is not set.', 'O serviço não conhece a plataforma de envio: GRAPH_URL não está definida.', both('Start the service with GRAPH_URL, the address of the platform.', 'Inicie o serviço com GRAPH_URL, o endereço da plataforma.')) },
  { rule: 'noSandbox', hinders: ['sending', 'receiving'], stands: ({ line, upstreams }) => line.sandbox && !upstreams.sandbox,
    words: one('It is a line of the sandbox, which is switched off: SANDBOX is off.', 'É uma linha do sandbox, que está desligado: SANDBOX está off.', both('Give it an access token of a platform, or start the service without SANDBOX=off.', 'Dê a ela um token de acesso de uma plataforma, ou inicie o serviço sem SANDBOX=off.')) },
  { rule: 'noBusiness', hinders: [], stands: (facts) => is('msgapp')(facts) && facts.line.business_id === '',
    words: one('It lacks the id of its business account, so it has no templates.', 'Falta o id da conta comercial, e ela não tem modelos.', set('the business account id', 'o id da conta comercial')) },
  { rule: 'noAppSecret', hinders: ['receiving'], stands: ({ line }) => !line.has_app_secret,
    words: one('It has no app secret, so it takes no hooks: neither receipts nor what people write.', 'Não tem app secret, e não aceita hooks: nem recibos nem o que as pessoas escrevem.', set('the app secret', 'o app secret')) },
  { rule: 'noVerifyToken', hinders: ['receiving'], stands: ({ line }) => !line.sandbox && !line.has_verify_token,
    words: one('It has no verify token, so the platform cannot confirm its address.', 'Não tem token de verificação, e a plataforma não pode confirmar o endereço.', set('a verify token', 'um token de verificação')) },
]; // prettier-ignore

const told = {
  en: {
    sends: 'Nothing that is known here keeps it from sending.',
    receives: 'Nothing that is known here keeps it from receiving.',
    says: (what: string) => `The platform says of its number: ${what}.`,
    quality: 'quality', limit: 'messaging limit',
    last: (when: string, dest: string) => `The last message by it was for ${dest}, at ${when}:`,
    noneSent: 'No message went by it lately.',
    incoming: (when: string) => `What people wrote came in last at ${when}.`,
    noneIncoming: 'Nothing that people wrote has come in by it.',
    hooks: (url: string) => `Its platform is to bring hooks to ${url}, and must be subscribed to messages.`,
    nowhere: 'What people write is kept here, and brought nowhere: neither the line nor the account has an address for it.',
    goes: (where: string) => `What people write is brought to ${where}.`,
    notBrought: (count: number, why: string) => `Of what came in lately, ${count} could not be brought so far: ${why}. Mend the receiver; what was given up is sent again by a replay.`,
  },
  pt: {
    sends: 'Nada que se saiba aqui a impede de enviar.',
    receives: 'Nada que se saiba aqui a impede de receber.',
    says: (what: string) => `A plataforma diz do número: ${what}.`,
    quality: 'qualidade', limit: 'limite de mensagens',
    last: (when: string, dest: string) => `A última mensagem por ela foi para ${dest}, em ${when}:`,
    noneSent: 'Nenhuma mensagem saiu por ela recentemente.',
    incoming: (when: string) => `O que as pessoas escreveram chegou por último em ${when}.`,
    noneIncoming: 'Nada que as pessoas escreveram chegou por ela.',
    hooks: (url: string) => `A plataforma deve entregar os hooks em ${url}, e estar inscrita em messages.`,
    nowhere: 'O que as pessoas escrevem fica guardado aqui e não é levado a lugar nenhum: nem a linha nem a conta têm endereço para isso.',
    goes: (where: string) => `O que as pessoas escrevem é levado a ${where}.`,
    notBrought: (count: number, why: string) => `Do que chegou recentemente, ${count} ainda não foram entregues: ${why}. Corrija o destino; o que foi abandonado é reenviado por um replay.`,
  },
} as const; // prettier-ignore

/** `zone`: of every moment in the sentences; the last one names it. */
export const explainChatLine = (
  facts: ChatLineFacts,
  language: Language,
  zone: string,
): ChatLineExplanation => {
  const standing = obstacles.filter(({ stands }) => stands(facts));
  const free = (way: Hinders): boolean => !standing.some(({ hinders }) => hinders.includes(way));
  const words = told[language];
  return {
    sends: free('sending'),
    receives: free('receiving'),
    reasons: standing.map(({ rule }) => rule),
    sentences: [
      ...(facts.line.sandbox ? [sandboxNotice[language]] : []),
      ...(free('sending') ? [words.sends] : []),
      ...(free('receiving') ? [words.receives] : []),
      ...standing.map(({ words: { says, todo } }) =>
        [says[language], todo?.[language]].filter(Boolean).join(' '),
      ),
      ...upstreamSays(facts, language),
      lastSentence(facts, language, zone),
      ...incomingSentences(facts, language, zone),
      timeZoneNotice[language](zone),
    ],
  };
};

const upstreamSays = ({ line }: ChatLineFacts, language: Language): string[] => {
  const { says, quality, limit } = told[language];
  const said = [
    ...(line.quality ? [`${quality} ${quoted(line.quality)}`] : []),
    ...(line.messaging_limit ? [`${limit} ${quoted(line.messaging_limit)}`] : []),
  ];
  return said.length > 0 ? [says(said.join(', '))] : [];
};

const lastSentence = ({ lastSent }: ChatLineFacts, language: Language, zone: string): string => {
  const words = told[language];
  if (!lastSent) return words.noneSent;
  const story = explainMessageRow(lastSent, language, zone).sentences.slice(0, -1);
  const own = story.filter((sentence) => sentence !== sandboxNotice[language]);
  return [words.last(formatLocalDateTime(lastSent.created_at, zone), lastSent.destination), ...own].join(' ');
};

const incomingSentences = (facts: ChatLineFacts, language: Language, zone: string): string[] => {
  const { lastIncoming, hookUrl, forwardUrl, notBrought, line } = facts;
  const words = told[language];
  return [
    lastIncoming === undefined ? words.noneIncoming : words.incoming(formatLocalDateTime(lastIncoming, zone)),
    ...(line.sandbox ? [] : [words.hooks(hookUrl)]),
    forwardUrl === '' ? words.nowhere : words.goes(redactUrlToHost(forwardUrl)),
    ...(notBrought.count > 0
      ? [
          words.notBrought(
            notBrought.count,
            translateOrQuote(notBrought.error.replace(/^[a-zA-Z]+: /, ''), language),
          ),
        ]
      : []),
  ];
};
