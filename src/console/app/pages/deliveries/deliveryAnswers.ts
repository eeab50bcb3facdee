/** What the service keeps of deliveries (the last answer, for whom, about what), said in the language of the page. */
import { language } from '../../browserPreferences.ts';
import { useStore } from '../../store.ts';
import type { DeliveryReceiver } from './data.ts';
import { useDeliveryWords } from './useDeliveryWords.ts';

/** The sentence of a last answer; empty: there was none. */
export const useDeliveryAnswer = (): ((of: Pick<DeliveryReceiver, 'last_error_in_words'>) => string) => {
  const shown = useStore(language);
  return ({ last_error_in_words: said }) => said[shown];
};

/** As `redactCallbackUrl` names it (machines/contracts/callback.ts). */
const ofTheAccount = 'the callback address of the account';

/** What a receiver is called on the page. */
export const useReceiverName = (): ((target: string) => string) => {
  const say = useDeliveryWords();
  return (target) => (target === ofTheAccount ? say('accountAddress') : target);
};

/** What a delivery is about: `call 17`, or as it is kept where the page has no word for it. */
export const useSubjectName = (): ((subject: string, id: number) => string) => {
  const say = useDeliveryWords();
  return (subject, id) => {
    const [, kind, number = String(id)] = /^(call|message|campaign)(?: (\d+))?$/.exec(subject) ?? [];
    if (kind === undefined) return subject.includes(String(id)) ? subject : `${subject} ${id}`;
    return say(`about.${kind as 'call' | 'message' | 'campaign'}`, { id: number });
  };
};
