/**
 * Routes of the admin API as data: who may ask, what is read of a request, what is answered, and one `handle`. The router,
 * `/admin/openapi.json`, the reference, the typed client and the fuzzer are made from the same declarations.
 */
import type { Context } from 'koa';
import type * as z from 'zod';
import type { Need } from '../access/admin/roles.ts';
import type { AdminDeps } from './deps.ts';

/** `GET /accounts/:account`: a method, and a path below `/admin/api` with the names of its parameters. */
export type RouteKey = `${'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'} /${string}`;

/** What every part of a route is given. */
export interface AdminRouteContext {
  deps: AdminDeps;
  ctx: Context;
  /** The parameters of the path as they were written. */
  written: Readonly<Record<string, string>>;
}

/** What a path is about, found before anything else of the request is read: the account, mostly. */
export interface PathResourceLookup<Found extends object> {
  /** Parameters of the path that it reads. */
  params: Readonly<Record<string, z.ZodType>>;
  /** What handlers are given besides. Throws an `AdminError` (404, 403 or 409) when there is none such. */
  find(request: AdminRouteContext): Promise<Found> | Found;
}

/**
 * A value as a handler answers it: where the schema says a number it may be a `bigint`, as the database gives times and
 * ids. `toJsonWithBigintsAsNumbers` writes both the same way.
 */
export type AllowBigints<T> = unknown extends T
  ? unknown
  : T extends number
    ? number | bigint
    : T extends string | boolean | null | undefined | void
      ? T
      : T extends readonly (infer One)[]
        ? readonly AllowBigints<One>[]
        : { readonly [Key in keyof T]: AllowBigints<T[Key]> };

/** What a handler is given: its dependencies, the request as it was read, and what the scope found. */
export type RouteRequest<Found extends object, Path, Query, Body> = AdminRouteContext &
  Found & {
    path: Path;
    query: Query;
    body: Body;
    /** Answers with this HTTP status instead of the declared one; one of `also`. */
    status(http: number): void;
  };

/** Requests and answers that are true of a service, for the reference; tests hold them to the schemas. */
export interface RouteExample {
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  answer?: unknown;
}

export interface AdminRouteDeclaration<
  Found extends object,
  Path extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer extends z.ZodType,
> {
  /** Which role it needs; `anybody`: the handler checks for itself who asks. */
  role: Need;
  /** A sentence for the reference. */
  summary: string;
  /** What a reader must know besides. */
  description?: string;
  scope?: PathResourceLookup<Found>;
  /** Parameters of the path beside those of the scope. */
  path?: Path;
  query?: Query;
  /** A JSON body. Absent: what comes is not read. */
  body?: Body;
  /** It takes a file of this kind, as the body or in a form, instead of JSON, and the handler reads it. */
  file?: 'csv' | 'sound';
  /** The body of a success. Absent: none, and HTTP 204. */
  answer?: Answer;
  /** Media type of a success that is no JSON: the handler answers a stream of it. */
  media?: 'text/csv' | 'audio/wav';
  /** HTTP status of a success. Default 200, and 204 without an answer. 405: it only refuses. */
  http?: 201 | 202 | 405;
  /** Other statuses of a success with the same body, and what they mean. */
  also?: Readonly<Record<number, string>>;
  /** Refusals beside those that all routes share, by HTTP status. */
  refuses?: Readonly<Record<number, string>>;
  example: RouteExample;
  handle(
    request: RouteRequest<Found, z.output<Path>, z.output<Query>, z.output<Body>>,
  ): Promise<AllowBigints<z.output<NoInfer<Answer>>>> | AllowBigints<z.output<NoInfer<Answer>>>;
}

/** A route as the router sees it: what it takes is checked at its own declaration. */
// oxlint-disable-next-line typescript/no-explicit-any -- what is found and read is contravariant in `handle`; the mount reads it by these schemas first
export type AnyAdminRoute = AdminRouteDeclaration<any, any, any, any, any>;

/** Routes by method and path, in the order in which they are matched. */
export type AdminRouteTable = Readonly<Record<RouteKey, AnyAdminRoute>>;

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- a schema without keys has no other type
export type EmptyShape = Record<never, never>;
/** No parameters. */
export type NoParameters = z.ZodObject<EmptyShape>;

/** Declares a route; only types happen here. */
export const defineRoute = <
  // oxlint-disable-next-line typescript/no-empty-object-type -- nothing is found where there is no scope
  Found extends object = {},
  Path extends z.ZodObject = NoParameters,
  Query extends z.ZodObject = NoParameters,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodVoid,
>(
  declared: AdminRouteDeclaration<Found, Path, Query, Body, Answer>,
): AdminRouteDeclaration<Found, Path, Query, Body, Answer> => declared;

/** The names of a path's parameters: `account` and `id` of `/accounts/:account/agents/:id`. */
export const pathParameterNames = (key: string): string[] =>
  [...key.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
