/** The client of a Ramal service: `new Ramal({ url, token })`, one method an operation. */
export * from './operations.ts';
export { isRefusal, type OperationName, RamalError, UnexpectedAnswer } from './errors.ts';
export type { ClientOptions, RequestOptions, UploadOptions } from './options.ts';
