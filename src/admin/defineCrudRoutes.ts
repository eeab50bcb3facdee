/** A kind of record that is created, listed, read, changed and deleted: five routes from one declaration. */
import * as z from 'zod';
import type { AccountRow } from '../store/controlDatabase.ts';
import type {
  RouteRequest,
  RouteExample,
  EmptyShape,
  NoParameters,
  AdminRouteDeclaration,
  PathResourceLookup,
  AllowBigints,
} from './routeDeclaration.ts';
import { defineRoute } from './routeDeclaration.ts';
import { idIn } from './fieldSchemas.ts';
import { notFound } from './adminErrorsAndRequestParsing.ts';

/** What handlers are given beside what they read: dependencies, and what the scope found. */
type Of<Found extends object> = RouteRequest<Found, unknown, unknown, unknown>;
/** The id in the path: `:agent` or, in most paths, `:id`. */
type IdPath<Id extends string> = z.ZodObject<Record<Id, z.ZodType<number>>>;
/** A page of records under their name, with where the next one begins, or all of them. */
type ListShape<Many extends string, One extends z.ZodObject, Rest extends z.ZodRawShape> = z.ZodObject<
  Record<Many, z.ZodArray<One>> & Rest
>;

/** What stands beside the records of a page, where something does. */
type Beside<Rest extends z.ZodRawShape> = keyof Rest extends never
  ? unknown
  : AllowBigints<z.output<z.ZodObject<Rest>>>;

/** A part of the declaration that reads a body and answers a record: `create` and `change`. */
interface Write<Given extends object, Body extends z.ZodType, Answer extends z.ZodType> {
  summary: string;
  description?: string;
  body: Body;
  /** The body of a success, where it is more than the record. */
  answer?: Answer;
  /** Refusals of its own, by HTTP status. */
  refuses?: Readonly<Record<number, string>>;
  example: RouteExample & { body: unknown };
  handle(request: Given & { body: z.output<Body> }): Promise<AllowBigints<z.output<NoInfer<Answer>>>>;
}

/** The part that lists records. */
interface Listing<Given extends object, Row, Rest extends z.ZodRawShape, Query extends z.ZodObject> {
  summary: string;
  description?: string;
  query?: Query;
  /** What stands beside the records: `{ cursor }` where they come in pages. */
  beside?: z.ZodObject<Rest>;
  /** The records of a page; what stands beside them is answered with them. */
  rows(
    request: Given & { query: z.output<Query> },
  ): Promise<{ rows: readonly Row[] } & Beside<NoInfer<Rest>>>;
}

/** All five parts, and what they share. Each is written once: how one is found, shown and called. */
export interface CrudResource<
  At extends string,
  Id extends string,
  Many extends string,
  Found extends object,
  Row,
  Shown extends z.ZodObject,
  Rest extends z.ZodRawShape,
  Query extends z.ZodObject,
  New extends z.ZodType,
  Made extends z.ZodType,
  Change extends z.ZodType,
  Changed extends z.ZodType,
  Removed extends z.ZodType,
> {
  /** Where they are: `/accounts/:account/agents`. */
  at: At;
  /** The parameter of the path that names one. */
  id: Id;
  /** What one is called in sentences: `agent 7 does not exist`. */
  what: string;
  /** The greatest id that there can be. Default `mostId`. */
  mostId?: number;
  /** What several are called in the list. */
  many: Many;
  scope?: PathResourceLookup<Found>;
  /** A record as it is shown. */
  record: Shown;
  /** One that is true. */
  example: AllowBigints<z.output<NoInfer<Shown>>>;
  show(row: NoInfer<Row>, request: Of<Found>): AllowBigints<z.output<NoInfer<Shown>>>;
  /** Null or undefined: there is none with this id. */
  find(request: Of<Found>, id: number): PromiseLike<Row | null | undefined>;
  create: Write<Of<Found>, New, Made>;
  list: Listing<Of<Found>, NoInfer<Row>, Rest, Query>;
  /** `row`: reads the record. Throws a 404 when there is none with this id. */
  change: Write<Of<Found> & { id: number; row(): Promise<NoInfer<Row>> }, Change, Changed>;
  remove: {
    summary: string;
    description?: string;
    /** The body of a success; absent: none. */
    answer?: Removed;
    refuses?: Readonly<Record<number, string>>;
    /** Answers the body, or true where there is none; false: another request has removed it meanwhile. */
    handle(
      request: Of<Found>,
      row: NoInfer<Row>,
    ): Promise<AllowBigints<z.output<NoInfer<Removed>>> | boolean>;
  };
}

/**
 * Declares them. Reads need role operator and everything else role admin. A record that does not exist is refused with 404
 * after the body was read.
 */
export const defineCrudRoutes = <
  const At extends string,
  const Id extends string,
  const Many extends string,
  Row,
  Shown extends z.ZodObject,
  New extends z.ZodType,
  Change extends z.ZodType,
  // oxlint-disable-next-line typescript/no-empty-object-type -- nothing is found where there is no scope
  Found extends object = {},
  Rest extends z.ZodRawShape = EmptyShape,
  Query extends z.ZodObject = NoParameters,
  Made extends z.ZodType = Shown,
  Changed extends z.ZodType = Shown,
  Removed extends z.ZodType = z.ZodVoid,
>(
  of: CrudResource<At, Id, Many, Found, Row, Shown, Rest, Query, New, Made, Change, Changed, Removed>,
) => {
  type Path = IdPath<Id>;
  const one = `${of.at}/:${of.id}`;
  const path = z.object({ [of.id]: idIn(of.what, of.mostId) }) as unknown as Path;
  const scope = of.scope && { scope: of.scope };
  const idOf = (given: z.output<Path>): number => (given as Record<string, number>)[of.id]!;
  const missing = (request: Of<Found>) =>
    notFound(`${of.what} ${request.written[of.id]}`, ...shardsOf(request));
  const found = async (request: Of<Found>, id: number): Promise<Row> => {
    const row = await of.find(request, id);
    if (row === null || row === undefined) throw missing(request);
    return row;
  };
  /** Another request may have removed it since it was found. */
  const unlessGone = <Done>(request: Of<Found>, work: Promise<Done>): Promise<Done> =>
    work.catch((error: unknown) => {
      throw isNotThere(error) ? missing(request) : error;
    });
  const answer = z.object({
    [of.many]: z.array(of.record),
    ...of.list.beside?.shape,
  }) as unknown as ListShape<Many, Shown, Rest>;
  const routes = {
    [`POST ${of.at}`]: defineRoute<Found, NoParameters, NoParameters, New, Made>({
      ...shared(of.create),
      role: 'admin',
      ...scope,
      body: of.create.body,
      answer: of.create.answer ?? (of.record as unknown as Made),
      http: 201,
      example: { answer: of.example, ...of.create.example },
      handle: (request) => of.create.handle(request),
    }),
    [`GET ${of.at}`]: defineRoute<Found, NoParameters, Query, z.ZodUndefined, typeof answer>({
      ...shared(of.list),
      role: 'operator',
      ...scope,
      ...(of.list.query && { query: of.list.query }),
      answer,
      example: { answer: { [of.many]: [of.example], ...(of.list.beside && { cursor: null }) } },
      handle: async (request) => {
        const { rows, ...beside } = (await of.list.rows(request)) as { rows: readonly Row[] };
        return { [of.many]: rows.map((row) => of.show(row, request)), ...beside } as AllowBigints<
          z.output<typeof answer>
        >;
      },
    }),
    [`GET ${one}`]: defineRoute<Found, Path, NoParameters, z.ZodUndefined, Shown>({
      role: 'operator',
      summary: `Shows the ${of.what} with this id.`,
      ...scope,
      path,
      answer: of.record,
      example: { answer: of.example },
      handle: async (request) => of.show(await found(request, idOf(request.path)), request),
    }),
    [`PATCH ${one}`]: defineRoute<Found, Path, NoParameters, Change, Changed>({
      ...shared(of.change),
      role: 'admin',
      ...scope,
      path,
      body: of.change.body,
      answer: of.change.answer ?? (of.record as unknown as Changed),
      example: { answer: of.example, ...of.change.example },
      handle: (request) => {
        const id = idOf(request.path);
        const change = of.change.handle({ ...request, id, row: () => found(request, id) });
        return unlessGone(request, change);
      },
    }),
    [`DELETE ${one}`]: defineRoute<Found, Path, NoParameters, z.ZodUndefined, Removed>({
      ...shared(of.remove),
      role: 'admin',
      ...scope,
      path,
      ...(of.remove.answer && { answer: of.remove.answer }),
      example: of.remove.answer ? { answer: of.example } : {},
      handle: async (request) => {
        const row = await found(request, idOf(request.path));
        const removed = await unlessGone(request, of.remove.handle(request, row));
        if (removed === false) throw missing(request);
        return removed as AllowBigints<z.output<Removed>>;
      },
    }),
  };
  return routes as unknown as {
    [K in `POST ${At}`]: AdminRouteDeclaration<Found, NoParameters, NoParameters, New, Made>;
  } & {
    [K in `GET ${At}`]: AdminRouteDeclaration<
      Found,
      NoParameters,
      Query,
      z.ZodUndefined,
      ListShape<Many, Shown, Rest>
    >;
  } & {
    [K in `GET ${At}/:${Id}`]: AdminRouteDeclaration<Found, Path, NoParameters, z.ZodUndefined, Shown>;
  } & {
    [K in `PATCH ${At}/:${Id}`]: AdminRouteDeclaration<Found, Path, NoParameters, Change, Changed>;
  } & {
    [K in `DELETE ${At}/:${Id}`]: AdminRouteDeclaration<Found, Path, NoParameters, z.ZodUndefined, Removed>;
  };
};

/** What accounts have is in the shard of each; the rest is in the control database. */
const shardsOf = (request: object): string[] =>
  'account' in request ? [(request.account as AccountRow).shard] : [];

/** Prisma found no record to change. */
const isNotThere = (error: unknown): boolean => (error as { code?: unknown }).code === 'P2025';

/** The words of a part, without those that it does not have. */
const shared = ({
  summary,
  description,
  refuses,
}: {
  summary: string;
  description?: string;
  refuses?: Readonly<Record<number, string>>;
}) => ({ summary, ...(description !== undefined && { description }), ...(refuses && { refuses }) });
