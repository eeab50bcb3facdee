/**
 * The typed client of the admin API: its types are inferred from the declarations, and nothing of them is loaded. It
 * runs in a browser as well as here: its opener says how a request is sent.
 */
import type * as z from 'zod';
import type { AdminApi } from './routes.ts';

/** `GET /accounts/:account` and all the others. */
export type AdminCall = keyof AdminApi;

/** The names of a path's parameters. */
type ParameterOf<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer After}`
    ? Name | ParameterOf<After>
    : Rest
  : never;

/** A part of a declaration, where it has one. */
type Part<Call extends AdminCall, Name extends 'query' | 'body' | 'answer'> = NonNullable<
  AdminApi[Call][Name]
>;

type QueryOf<Call extends AdminCall> = {
  readonly [Name in keyof z.input<Part<Call, 'query'>>]?: string | number | undefined;
};

/** What a route takes as its body: JSON as its schema reads it, or the bytes of a file. */
export type AdminBody<Call extends AdminCall> =
  Part<Call, 'body'> extends z.ZodUndefined ? Uint8Array<ArrayBuffer> | Blob : z.input<Part<Call, 'body'>>;

/** What a route answers when it succeeds. */
export type AdminAnswer<Call extends AdminCall> = z.output<Part<Call, 'answer'>>;

/** What a request brings: the parameters of its path, of its query, and its body. */
export type AdminGiven<Call extends AdminCall> = ([ParameterOf<Call>] extends [never]
  ? { readonly path?: undefined }
  : { readonly path: Readonly<Record<ParameterOf<Call>, string | number>> }) & {
  readonly query?: QueryOf<Call>;
  readonly body?: AdminBody<Call>;
};

/** A request as it is to be sent; `path` is below `/admin/api`, and a body is an object or bytes. */
export interface AdminRequest {
  method: string;
  path: string;
  body?: object;
}

/** Sends a request and answers the JSON of a success. It throws for everything else. */
export type AdminSend = (request: AdminRequest) => Promise<unknown>;

export type AdminClient = <const Call extends AdminCall>(
  call: Call,
  ...given: [ParameterOf<Call>] extends [never] ? [AdminGiven<Call>?] : [AdminGiven<Call>]
) => Promise<AdminAnswer<Call>>;

/** A client that sends by `send`, and throws what that throws. */
export const adminClient =
  (send: AdminSend): AdminClient =>
  async (call, ...[given]) => {
    const { path = {}, query = {}, body } = (given ?? {}) as Loose;
    const [method = '', pattern = ''] = call.split(' ');
    const request = { method, path: `${pathOf(pattern, path)}${searchOf(query)}` };
    // The answer is what the route declares; the service's own tests hold it to that.
    return (await send(body === undefined ? request : { ...request, body })) as AdminAnswer<typeof call>;
  };

/** What is given, whatever the route. */
interface Loose {
  path?: Readonly<Record<string, string | number>>;
  query?: Readonly<Record<string, string | number | undefined>>;
  body?: object;
}

const pathOf = (pattern: string, path: Readonly<Record<string, string | number>>): string =>
  pattern.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(path[name])));

const searchOf = (query: Readonly<Record<string, string | number | undefined>>): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return given.length === 0 ? '' : `?${search.toString()}`;
};
