/**
 * Who sends a body, as far as it is known while the body comes in, and the room that it has till then. A token that is
 * found is looked at where it makes a difference only: in a body that is not small, or where there is no room.
 */
import { extractRequestToken, carriesApiToken } from '../access/authenticate.ts';
import type { BodyMemoryReservation } from '../access/bodyMemoryBudget.ts';
import { largeBodyThresholdBytes } from '../access/bodyMemoryBudget.ts';
import type { ApiClientIdentity } from '../operations/declare.ts';
import { mergeQueryTokensOverBody } from './mergeQueryOverBody.ts';

type Provided = Readonly<Record<string, unknown>>;

export interface RequestSenderRecognizerDeps {
  place: BodyMemoryReservation;
  /** The caller that these parameters and the request's head show; undefined: none that may come in. Counts nothing. */
  recognise(provided: Provided): Promise<ApiClientIdentity | undefined>;
  /** `Authorization`. */
  authorization: string;
  /** Of the query string, which wins over the body. */
  fromQuery: Provided;
}

export class RequestSenderRecognizer {
  readonly #needs: RequestSenderRecognizerDeps;
  #isKnown = false;
  /** The token that was looked at last. */
  #lookedAt: string | undefined;

  constructor(needs: RequestSenderRecognizerDeps) {
    this.#needs = needs;
  }

  /** Whether its token is known to be good. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** The token was accepted. */
  admitted(caller: ApiClientIdentity): void {
    this.#isKnown = true;
    this.#needs.place.know(caller.account.id);
  }

  /**
   * Room for so many bytes more. `shown`: what of the body shows a token; asked for where that makes a difference only.
   * False: there is none. Most bodies are small and find room at once, without a promise.
   */
  hold(bytes: number, shown: () => Provided): boolean | Promise<boolean> {
    const { place } = this.#needs;
    const isLong = !this.#isKnown && place.taken + bytes > largeBodyThresholdBytes;
    if (!isLong && place.take(bytes)) return true;
    return this.#holdKnown(bytes, shown);
  }

  async #holdKnown(bytes: number, shown: () => Provided): Promise<boolean> {
    await this.recognise(shown());
    return this.#needs.place.take(bytes);
  }

  /** Looks at the token that is shown by now. True: it is known to be good. */
  async recognise(shown: Provided): Promise<boolean> {
    if (this.#isKnown) return true;
    const { authorization, fromQuery, recognise } = this.#needs;
    const provided = mergeQueryTokensOverBody(shown, fromQuery);
    if (!carriesApiToken(provided, authorization)) return false;
    const token = extractRequestToken({ provided, authorization });
    if (token === this.#lookedAt) return false;
    this.#lookedAt = token;
    const caller = await recognise(provided);
    if (caller) this.admitted(caller);
    return caller !== undefined;
  }
}
