/** Why a delivery has not arrived: what its receiver or the service says, and what to do. */
import type { DeliveryContext } from '../../../machines/delivery/contextAndAssigns.ts';
import type { Explanation } from '../../engine/contract/kind.ts';
import type { Language } from './language.ts';
import { translateOrQuote } from './translateKnownPhrases.ts';
import { both, getOwnEntry, type ExplanationText } from './words.ts';

const receiver = both(
  'Look at the receiver; it is tried again by itself.',
  'Verifique o destino; a entrega é tentada de novo sozinha.',
);
const profile = both(
  'Mend the delivery profile, then replay it.',
  'Corrija o perfil de entrega e reenvie-a.',
);
const address = both(
  'Give an address that can be reached, then replay it.',
  'Informe um endereço que possa ser alcançado e reenvie-a.',
);
const operator = both(
  'Tell the operator of the service, then replay it.',
  'Avise o operador do serviço e reenvie-a.',
);
const nothing = both('Give it up: there is nothing left to deliver.', 'Abandone-a: não há mais o que entregar.'); // prettier-ignore

type Todo = NonNullable<ExplanationText['todo']>;
/** What to do, by the reason of a failed attempt. */
const todos: Readonly<Record<string, Todo>> = {
  notNow: receiver,
  noAnswer: receiver,
  triesUsedUp: operator,
  late: operator,
  cancelled: both('Replay it if it is wanted after all.', 'Reenvie-a se ela ainda for necessária.'),
  noTransport: operator,
  gone: both('Switch the receiver on or change the address, then replay it.', 'Ative o destino ou mude o endereço e reenvie-a.'),
  addressRefused: address,
  noAddress: address,
  noAccount: nothing,
  recordGone: nothing,
  noCampaign: nothing,
  noProfile: profile,
  profileInactive: profile,
  profileBroken: profile,
  folderRefused: profile,
  noBucket: profile,
  hostKeyChanged: both('Ask the owner of the server whether its key was changed; if so, set it in the profile and replay.', 'Pergunte ao dono do servidor se a chave mudou; se sim, defina-a no perfil e reenvie.'),
  certificateRefused: both('Ask the owner of the server whether its certificate was changed; if so, set it in the profile and replay.', 'Pergunte ao dono do servidor se o certificado mudou; se sim, defina-o no perfil e reenvie.'),
  credentialsRefused: both('Set the credentials of the profile again, then replay it.', 'Defina de novo as credenciais do perfil e reenvie-a.'),
}; // prettier-ignore

const told = {
  en: {
    failed: (tries: number, target: string) => `attempt ${tries} to reach ${target} failed`,
    putOff: (target: string) => `it waits for ${target}`,
    leftOut: (count: number) => `${count} events were left out, because too many waited`,
    behind: (count: number) => `${count} more wait behind it`,
  },
  pt: {
    failed: (tries: number, target: string) => `a tentativa ${tries} de alcançar ${target} falhou`,
    putOff: (target: string) => `aguarda ${target}`,
    leftOut: (count: number) => `${count} eventos ficaram de fora, porque esperavam eventos demais`,
    behind: (count: number) => `${count} outros esperam atrás dele`,
  },
} as const;
const leftOutTodo = both(
  'Read the record for what they would have told.',
  'Leia no registro o que eles informariam.',
);
const goesOn = both('It goes on by itself.', 'Continua sozinha.');

/** What happened and what to do, by the rule of an explanation; `until` stands between the two. */
export const explainDeliveryDelay = (
  { rule }: Explanation,
  context: DeliveryContext,
  language: Language,
): { says: string; todo: string } => {
  const { failure, putOff, head, queue, leftOut, delivery } = context;
  const words = told[language];
  if (rule === 'queue') return { says: words.leftOut(leftOut), todo: leftOutTodo[language] };
  if ((rule === 'leftAlone' || rule === 'line') && putOff)
    return {
      says: `${words.putOff(delivery.target)}: ${translateOrQuote(putOff.message, language)}`,
      todo: goesOn[language],
    };
  const behind = queue.length > 1 ? `; ${words.behind(queue.length - 1)}` : '';
  const why = translateOrQuote(failure?.message ?? '', language);
  return {
    says: `${words.failed(head.tries, delivery.target)}: ${why}${behind}`,
    todo: todoFor(rule)[language],
  };
};

const todoFor = (reason: string): Todo => getOwnEntry(todos, reason) ?? operator;

/** For the test that walks them. */
export const deliveryFailureReasons: readonly string[] = Object.keys(todos);
