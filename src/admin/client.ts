/**
 * The typed client of the admin API: its types are inferred from the declarations, and nothing of them is loaded. It
 * runs in a browser as well as here: its opener says how a request is sent.
 */
import type * as z from 'zod';
import type { AdminApi } from './routes.ts';

/** `GET /accounts/:account` and all the others. */
export type AdminRouteKey = keyof AdminApi;

/** The names of a path's parameters. */
type ParameterOf<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer After}`
    ? Name | ParameterOf<After>
    : Rest
  : never;

/** A part of a declaration, where it has one. */
type Part<Call extends AdminRouteKey, Name extends 'query' | 'body' | 'answer'> = NonNullable<
  AdminApi[Call][Name]
>;

/** What a route takes in its query. */
export type AdminQuery<Call extends AdminRouteKey> = {
  readonly [Name in keyof z.input<Part<Call, 'query'>>]?: string | number | undefined;
};

/** What a route takes as its body: JSON as its schema reads it, or the bytes of a file. */
export type AdminBody<Call extends AdminRouteKey> =
  Part<Call, 'body'> extends z.ZodUndefined ? Uint8Array<ArrayBuffer> | Blob : z.input<Part<Call, 'body'>>;

/** What a route answers when it succeeds. */
export type AdminRouteAnswer<Call extends AdminRouteKey> = z.output<Part<Call, 'answer'>>;

/** What a request brings: the parameters of its path, of its query, and its body. */
export type AdminClientRequestInput<Call extends AdminRouteKey> = ([ParameterOf<Call>] extends [never]
  ? { readonly path?: undefined }
  : { readonly path: Readonly<Record<ParameterOf<Call>, string | number>> }) & {
  readonly query?: AdminQuery<Call>;
  readonly body?: AdminBody<Call>;
  /** Aborted: the answer is not waited for any more. */
  readonly signal?: AbortSignal | undefined;
};

/** Given or not: a path without parameters needs nothing. */
type GivenTo<Call extends AdminRouteKey> = [ParameterOf<Call>] extends [never]
  ? [AdminClientRequestInput<Call>?]
  : [AdminClientRequestInput<Call>];

/** A request as it is to be sent; `path` is below `/admin/api`, and a body is an object or bytes. */
export interface AdminApiClientRequest {
  method: string;
  path: string;
  body?: object;
  signal?: AbortSignal;
}

/** Sends a request and answers the JSON of a success. It throws for everything else. */
export type SendAdminRequest = (request: AdminApiClientRequest) => Promise<unknown>;

export type AdminClient = <const Call extends AdminRouteKey>(
  call: Call,
  ...given: GivenTo<Call>
) => Promise<AdminRouteAnswer<Call>>;

/** A client that sends by `send`, and throws what that throws. */
export const adminClient =
  (send: SendAdminRequest): AdminClient =>
  async (call, ...[given]) => {
    const { body, signal } = (given ?? {}) as Loose;
    const [method = ''] = call.split(' ');
    const request = { method, path: written(call, given), ...(body && { body }), ...(signal && { signal }) };
    // The answer is what the route declares; the service's own tests hold it to that.
    return (await send(request)) as AdminRouteAnswer<typeof call>;
  };

/** The path of a route below `/admin/api`: for links, and for what is followed instead of asked. */
export const adminPath = <const Call extends AdminRouteKey>(call: Call, ...[given]: GivenTo<Call>): string =>
  written(call, given);

/** A body as it is sent, with its type: files are CSV. */
export const encodeAdminBody = (body: object) =>
  body instanceof Blob || body instanceof Uint8Array
    ? { headers: { 'Content-Type': 'text/csv' }, body: body as Blob | Uint8Array<ArrayBuffer> }
    : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };

/** What is given, whatever the route. */
interface Loose {
  path?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number | undefined>>;
  body?: object;
  signal?: AbortSignal | undefined;
}

const written = (call: AdminRouteKey, given: object | undefined): string => {
  const { path = {}, query = {} } = (given ?? {}) as Loose;
  const [, pattern = ''] = call.split(' ');
  return `${pathOf(pattern, path)}${searchOf(query)}`;
};

const pathOf = (pattern: string, path: Readonly<Record<string, string | number>>): string =>
  pattern.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(path[name])));

const searchOf = (query: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return given.length === 0 ? '' : `?${search.toString()}`;
};
