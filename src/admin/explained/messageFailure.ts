/** Why a message has not arrived: by which channel, to whom, what its provider said, and what to do. */
import { describeGraphApiError } from './codes/graphApiErrors.ts';
import { describeHttpStatus } from './codes/http.ts';
import { describeSmppStatus } from './codes/smpp.ts';
import type { Both, Language } from './language.ts';
import { quoted, translateOrQuote } from './translateKnownPhrases.ts';
import { both, getOwnEntry, one, type ExplanationText } from './words.ts';

const again = both('Send it again when that is mended.', 'Envie de novo quando isso for corrigido.');
const line = both('Check the chat line, then send it again.', 'Confira a linha de chat e envie de novo.');
const recipient = both(
  'Ask its recipient before you send it again.',
  'Pergunte ao destinatário antes de enviar de novo.',
);
const number = both(
  'Check the number and the sender before you send it again.',
  'Confira o número e o remetente antes de enviar de novo.',
);
const ask = both('Ask the provider what this code means, before you send it again.', 'Pergunte ao provedor o que este código significa antes de enviar de novo.'); // prettier-ignore

/** Codes of this service: how it failed to hand the message over. */
const own: Readonly<Record<string, ExplanationText>> = {
  unavailable: one('its provider could not be reached or could not take it', 'o provedor não pôde ser alcançado ou não pôde aceitá-la', again),
  triesUsedUp: one('its provider could not take it, though it was tried several times', 'o provedor não pôde aceitá-la, depois de várias tentativas', again),
  cancelled: one('an operator cancelled it before its provider took it', 'um operador a cancelou antes que o provedor a aceitasse', both('Send it again if it is wanted after all.', 'Envie de novo se ela ainda for necessária.')),
  late: one('it could not be handed to its provider in time', 'não pôde ser entregue ao provedor a tempo', both('Send it again.', 'Envie de novo.')),
  noLine: one('its chat line does not exist any more, or is switched off', 'a linha de chat não existe mais ou está desativada', line),
  lineBroken: one('the credentials of its chat line cannot be opened', 'as credenciais da linha de chat não podem ser abertas', both('Set the credentials of the line again.', 'Defina de novo as credenciais da linha.')),
  routeBroken: one('the credentials of its SMS route cannot be opened', 'as credenciais da rota de SMS não podem ser abertas', both('Set the credentials of the route again.', 'Defina de novo as credenciais da rota.')),
  partial: one('only some of its parts were taken', 'só algumas das suas partes foram aceitas', recipient),
  unwritable: one('its text or numbers cannot be written for the carrier', 'o texto ou os números não podem ser escritos para a operadora', both('Correct the text, the number or the sender.', 'Corrija o texto, o número ou o remetente.')),
  failed: one('its provider says that it failed', 'o provedor informou que ela falhou', number),
  unknown: one('it is not known whether its provider took it, and it is not sent again', 'não se sabe se o provedor a aceitou, e ela não é enviada de novo', recipient),
}; // prettier-ignore

const channels: Readonly<Record<string, Both>> = {
  sms: both('the SMS', 'o SMS'),
  msgapp: both('the WhatsApp message', 'a mensagem de WhatsApp'),
  pagechat: both('the page chat message', 'a mensagem de chat da página'),
  photodm: both('the photo message', 'a mensagem direta do aplicativo de fotos'),
};

const told = {
  en: { to: 'to', code: 'code', refund: 'What it cost was given back.', said: 'the provider said' },
  pt: { to: 'para', code: 'código', refund: 'O que ela custou foi devolvido.', said: 'o provedor disse' },
} as const;

/** What is read of a message: of its machine, or of its row in the log. */
export interface MessageFacts {
  message: { channel: string; destination: string };
  /** Of the operation, as the record has it. */
  outcome: { code: string; text: string };
  refunded: boolean;
  /** Epoch milliseconds; 0: it has not failed. */
  failedAt: number;
}

/** It was refused, failed, or its outcome is unknown. */
export const isFailedOrUnknownMessage = ({ outcome, failedAt }: MessageFacts): boolean =>
  failedAt > 0 || !['', '0', '1'].includes(outcome.code);

/** What to do about one that tells why; empty: nothing. */
export const failedMessageRemedy = (context: MessageFacts, language: Language): string =>
  whyOf(context, language).todo;

/** What happened, why and what to do, without the time of it. */
export const messageFailureSentence = (context: MessageFacts, language: Language): string => {
  const { channel, destination } = context.message;
  const { why, todo } = whyOf(context, language);
  const words = told[language];
  const about = `${getOwnEntry(channels, channel)?.[language] ?? quoted(channel)} ${words.to} ${destination}`;
  return [`${about}: ${why}.`, todo, context.refunded ? words.refund : ''].filter(Boolean).join(' ');
};

interface Why {
  why: string;
  todo: string;
}

const whyOf = (context: MessageFacts, language: Language): Why => {
  const { code, text } = context.outcome;
  const ours = getOwnEntry(own, code);
  if (ours)
    return { why: withParticulars(ours.says[language], code, text, language), todo: todoOf(ours, language) };
  return context.message.channel === 'sms'
    ? ofCarrier(code, text, language)
    : ofPlatform(code, text, language);
};

const todoOf = ({ todo }: ExplanationText, language: Language): string => todo?.[language] ?? '';

/** What is unknown, and what says only that it failed, says it all. */
const withParticulars = (says: string, code: string, text: string, language: Language): string => {
  if (text === '' || code === 'unknown') return says;
  const particulars = translateOrQuote(text, language);
  return particulars === says ? says : `${says} (${particulars})`;
};

/** An SMSC names a status or the state of a receipt; a gateway an HTTP status, or words of its own. */
const ofCarrier = (code: string, text: string, language: Language): Why => {
  const known = describeSmppStatus(text);
  const why = known?.[language] ?? httpOr(code, text, language);
  const todo = known || /^[45]\d\d$/.test(code) || text === '' ? number : ask;
  return { why: `${why} (${told[language].code} ${code})`, todo: todo[language] };
};

const httpOr = (code: string, text: string, language: Language): string => {
  if (text !== '')
    return isHouse(text, language)
      ? translateOrQuote(text, language)
      : `${told[language].said} ${quoted(text)}`;
  return /^\d{3}$/.test(code) ? describeHttpStatus(code)[language] : `${told[language].said} ${quoted(code)}`;
};

const isHouse = (text: string, language: Language): boolean =>
  translateOrQuote(text, language) !== quoted(text);

/** Of the graph API: its code, or `HTTP 500` where it named none. */
const ofPlatform = (code: string, text: string, language: Language): Why => {
  const known = describeGraphApiError(code);
  const own = text.replace(/ \(HTTP \d{3}\)$/, '');
  const http = /^HTTP (\d{3})$/.exec(code)?.[1];
  const says =
    known?.says[language] ??
    (http && !isHouse(own, language) ? describeHttpStatus(http)[language] : undefined);
  const rest = isHouse(own, language)
    ? translateOrQuote(own, language)
    : `${told[language].said} ${quoted(own)}`;
  const named = http === undefined ? `${told[language].code} ${code}` : `HTTP ${http}`;
  return {
    why: says === undefined ? `${rest} (${named})` : `${says} (${named}); ${rest}`,
    todo: known ? todoOf(known, language) : (http?.startsWith('5') ? again : ask)[language],
  };
};
