/** How the client behaves, and how one request does. */

export interface ClientOptions {
  /** Where the service is, `http://localhost:8080`; operations are below it at `/api/v2/`. */
  url: string;
  /** The account token, 30 letters and digits. */
  token: string;
  /** How often a request is sent again after 429, 503 or a lost connection. Default 4. */
  retries?: number;
  /** How long one attempt may take, milliseconds. Default 60,000. */
  timeoutMs?: number;
  /** The longest wait before the next attempt, milliseconds; a longer `Retry-After` ends the attempts. Default 30,000. */
  maxWaitMs?: number;
  /** Default: the global one. */
  fetch?: typeof fetch;
}

export interface RequestOptions {
  /**
   * Names the request, so that it is carried out once however often it is sent; 1 to 255 printable characters.
   * Default: one is made for each call of a method that creates or sends something.
   */
  idempotencyKey?: string;
  /** Ends the attempts. */
  signal?: AbortSignal;
}

export interface UploadOptions extends RequestOptions {
  /** The request goes as multipart with this file. A `File` has its own name. */
  file?: Blob;
  /** Name of the file. Default: that of the `File`, else `file`. */
  fileName?: string;
}
