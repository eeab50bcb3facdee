/** Speaking for operations: what a synthesizer throws becomes an outcome they can answer with. */
import type { Log } from '../log.ts';
import type { Services } from '../operations/services.ts';
import { Retryable, Terminal } from '../providers/performer.ts';
import type { Speech } from '../providers/speech.ts';

export const speaking =
  (speech: Speech, log: Log): Services['speak'] =>
  async (account, utterance) => {
    try {
      return { outcome: 'spoken', ...(await speech.speak(account, utterance)) };
    } catch (error) {
      if (error instanceof Terminal) return { outcome: 'refused', why: error.message };
      if (!(error instanceof Retryable)) throw error;
      log.warn({ err: error, account, voice: utterance.voice }, 'a text could not be spoken');
      return { outcome: 'away', why: error.message };
    }
  };
