/** How the receiver of a call's or message's callbacks is told, and why a machine has not begun. */
import type { CallbackDeliveryRow } from '../../store/reads/deliveries/deliveryRecords.ts';
import type { Language } from './language.ts';
import { quoted, translateOrQuote } from './translateKnownPhrases.ts';

/** A moment on the clock of the output. */
export type When = (at: number) => string;

const told = {
  en: {
    waits: (target: string) => `A callback to ${target} waits.`,
    delivered: (target: string, tries: number) =>
      `Its callbacks were delivered to ${target}, the last at attempt ${tries}.`,
    idle: (target: string) => `Its callbacks so far were delivered to ${target}.`,
    dead: (target: string, tries: number, why: string, behind: string) =>
      `A callback to ${target} is a dead letter after attempt ${tries}: ${why}${behind}. Mend the receiver, then replay it.`,
    givenUp: (target: string, why: string) =>
      `Its callbacks to ${target} were given up: ${why}. Read the record for what they would have told.`,
    onWay: (target: string, tries: number) => `A callback is on its way to ${target}, attempt ${tries}`,
    after: 'the last attempt failed',
    next: 'the next is at',
    behind: (count: number) => `; ${count} more wait behind it`,
    unknown: 'the reason is not known',
    pending: 'It is queued, and begins when its process has time: within a minute.',
    birthFailed: (why: string) =>
      `It could not begin: ${why}. It is tried again when it receives an event; tell the operator of the service.`,
  },
  pt: {
    waits: (target: string) => `Um callback para ${target} aguarda.`,
    delivered: (target: string, tries: number) =>
      `Os callbacks foram entregues a ${target}, o último na tentativa ${tries}.`,
    idle: (target: string) => `Os callbacks até agora foram entregues a ${target}.`,
    dead: (target: string, tries: number, why: string, behind: string) =>
      `Um callback para ${target} ficou retido como não entregue após a tentativa ${tries}: ${why}${behind}. Corrija o destino e reenvie-o.`,
    givenUp: (target: string, why: string) =>
      `Os callbacks para ${target} foram abandonados: ${why}. Leia no registro o que eles informariam.`,
    onWay: (target: string, tries: number) => `Um callback está a caminho de ${target}, tentativa ${tries}`,
    after: 'a última tentativa falhou',
    next: 'a próxima é em',
    behind: (count: number) => `; ${count} outros esperam atrás dele`,
    unknown: 'o motivo não é conhecido',
    pending: 'Está na fila e começa quando o processo tiver tempo: em até um minuto.',
    birthFailed: (why: string) =>
      `Não pôde começar: ${why}. É tentada de novo quando receber um evento; avise o operador do serviço.`,
  },
} as const;

/** Why a machine has not begun. `failure`: of its birth; empty: none. */
export const machineNotBegunSentence = (failure: string, language: Language = 'en'): string =>
  failure === '' ? told[language].pending : told[language].birthFailed(quoted(failure));

export const callbackSentence = (standing: CallbackDeliveryRow, language: Language, when: When): string => {
  const { state, target, attempts, waiting, last_error, next_at } = standing;
  const words = told[language];
  const behind = waiting > 0 ? words.behind(waiting) : '';
  switch (state) {
    case 'pending':
      return `${words.waits(target)} ${machineNotBegunSentence(last_error, language)}`;
    case 'delivered':
      return words.delivered(target, attempts);
    case 'idle':
      return words.idle(target);
    case 'deadLetter':
      return words.dead(target, attempts, whyOf(last_error, language), behind);
    case 'givenUp':
      return words.givenUp(target, whyOf(last_error, language));
    default: {
      const why = last_error === '' ? '' : `; ${words.after}: ${whyOf(last_error, language)}`;
      const next = next_at === null ? '' : `; ${words.next} ${when(next_at)}`;
      return `${words.onWay(target, Math.max(1, attempts))}${why}${next}${behind}.`;
    }
  }
};

/** Of `notNow: it answered HTTP 500`, as the record has it, what follows the code. */
const whyOf = (error: string, language: Language): string =>
  error === '' ? told[language].unknown : translateOrQuote(error.replace(/^[a-zA-Z]+: /, ''), language);
