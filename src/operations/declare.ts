/**
 * One declaration, every door. An operation is data (names, aliases, defaults, bounds, codes, an example) and one
 * `handle`; REST, the tools, the pages and `/openapi.json` are made from it. Adding an operation is one file, one line in
 * `index.ts`, one test.
 */
import * as z from 'zod';
import type { ParameterModeTable } from './ignoredParamWarnings.ts';
import type { Services } from './services.ts';
import type { AccountRow, TokenRow } from '../store/controlDatabase.ts';
import type { OperationTopic } from './topics.ts';
import type { UploadRules, RequestUploads } from './operationUploadTypes.ts';
import type { ParamDeclarations, ParamValues } from './param.ts';
import type { DeclaredErrors, MakeRefusal, Refused } from './refused.ts';

/** What a successful handler answers. */
export interface OperationSuccess {
  /** Added to `return`, beside `status` and `status_code`. */
  fields?: Readonly<Record<string, unknown>>;
  /** Beside `return`. */
  beside?: Readonly<Record<string, unknown>>;
  /** Instead of `fields` and `beside`: the whole body as JSON text, written as it comes. */
  stream?: AsyncIterable<string>;
  /** The answer was given before (Idempotency-Key). */
  replayed?: boolean;
}

/** A request that may come again: its answer is kept under a key. */
export interface RequestIdempotencyKey {
  key: string;
  /** How long, milliseconds. */
  forMs: number;
  /** What brought it, as refusals name it. Default Idempotency-Key. */
  name?: string;
}

/** Who asks. */
export interface ApiClientIdentity {
  account: AccountRow;
  token: TokenRow;
}

/** All that a handler is given; `file` and `spilled` only where the operation declares an `upload`. */
export interface RequestContext<P extends ParamDeclarations, E extends DeclaredErrors>
  extends ApiClientIdentity, RequestUploads {
  params: ParamValues<P>;
  /** Our names of the parameters that the request carried; the others are at their defaults. */
  provided: ReadonlySet<string>;
  services: Services;
  refuse: MakeRefusal<E>;
  /** Adds a sentence to `return.warning`: the request is served, but not quite as asked. */
  warn: (sentence: string) => void;
  warnings: readonly string[];
  /**
   * Warns of everything that was given and cannot act in this mode, and of what the mode lacks, by the operation's table
   * `modes`. `seen`: what its conditions look at; `values`: the parameters, where they are not only the request's.
   */
  inMode: (mode: string, seen: unknown, values?: Readonly<Record<string, unknown>>) => void;
  /** Marks the answer, whatever it says: a sandbox gave it or has what was sent, and no real recipient was reached. */
  inSandbox: () => void;
  /** Under which key its answer is kept, when the operation creates something. */
  idempotency: RequestIdempotencyKey | undefined;
}

export type TokenPermission = 'telephony' | 'sms' | 'msgapp' | 'pagechat' | 'photodm';

/** What a success answers: the reference, the clients and the tools are made from it, and tests hold answers to it. */
export interface OperationAnswerFields {
  /** Keys of `return`, beside `status`, `status_code` and `warning`. */
  fields: z.ZodObject;
  /** Keys beside `return`. */
  beside: z.ZodObject;
  /** A success may also be `WR` under code 1: taken, and not acknowledged yet (spec 3.2). */
  mayWait?: true;
  /** Keys of `return` in a failure. Default: those of `failure.fields`, as a success has them. */
  failed?: z.ZodObject;
}

/** No keys. */
export const emptyObjectSchema = z.object({});

/** What a tool does to the world, as the tool protocol words it. */
export interface ToolEffects {
  /** Nothing is changed. */
  readOnly: boolean;
  /** What is there may be lost or overwritten. */
  destructive: boolean;
  /** The same again changes nothing more. */
  idempotent: boolean;
  /** It is noticed outside: a telephone rings, a message arrives. */
  openWorld: boolean;
}

/** What a tool says of calls: how they ended, or what was pressed. */
export type CallReportKind = 'status' | 'digits';

/** What a written value is taken for, with a sentence when that is not what stands there; or a refusal. */
export type ToolArgumentReading<E extends DeclaredErrors = DeclaredErrors> =
  | { value: string; warning?: string }
  | { refused: keyof E & string; sentence: string };

/** An operation as a tool for assistants. An operation may be several. */
export interface OperationToolEntry<
  P extends ParamDeclarations = ParamDeclarations,
  E extends DeclaredErrors = DeclaredErrors,
> {
  name: string;
  title: string;
  /** For an assistant: when to use it, what it costs, what to do when it fails. */
  description: string;
  effects: ToolEffects;
  /** Our names of the parameters that must be given, and the refusal of a call without one. */
  requires?: { readonly [Name in keyof P]?: keyof E & string };
  /** Our names of parameters that this tool does not take. */
  without?: readonly (keyof P & string)[];
  /** What is absent is taken from elsewhere: no defaults are shown. */
  withoutDefaults?: true;
  /** The same arguments within a minute return the first outcome. */
  repeats?: true;
  /** What a success says in `message`. */
  done?(outcome: Readonly<Record<string, unknown>>): string;
  /**
   * Sentences for refusals that say too little to a reader without logs, by code; made of the keys of `return`, or
   * fixed.
   */
  refusals?: Readonly<Record<string, string | ((answer: Readonly<Record<string, unknown>>) => string)>>;
  /** It answers with calls in a form of its own, page by page (spec 4.1). */
  pages?: CallReportKind;
  /** Its arguments mean what they mean in this other tool, and are described there. */
  asIn?: string;
  /** The lists of its success are those of this other tool, and described there. */
  answersAsIn?: string;
  /** How this tool reads what is written, before the operation does; by our names of the parameters. */
  reads?: { readonly [Name in keyof P]?: (written: string) => ToolArgumentReading<E> };
  /** Arguments that work. */
  example: Readonly<Record<string, unknown>>;
}

export interface Operation<
  P extends ParamDeclarations = ParamDeclarations,
  E extends DeclaredErrors = DeclaredErrors,
> {
  /** As in `POST /api/v2/<name>.php`. */
  name: string;
  /** Section of the interface specification. */
  section: string;
  /** Where the reference shows it. */
  topic: OperationTopic;
  summary: string;
  permission: TokenPermission;
  /** Creates or sends: an Idempotency-Key is honoured. */
  creates: boolean;
  params: P;
  /** In which modes which parameter acts. Absent: there is one mode, and everything acts in it. */
  modes?: ParameterModeTable;
  /** REST names of which one must be given; where a file is taken, the file will do. */
  needs?: readonly string[];
  errors: E;
  /** It takes a file, or parameters too long for memory. */
  upload?: UploadRules<E>;
  /** `status_code` is a number here, and 200 for success (spec 4.20, 4.21). */
  numericCodes?: true;
  /** HTTP status of a success. Default 200. */
  successHttp?: 201;
  /** The code under which this operation answers any refusal of access; `status` then carries the original one. */
  accessRefusedAs?: string;
  answer: OperationAnswerFields;
  /** As what assistants may use it; absent: not at all. */
  tools?: readonly OperationToolEntry<P, E>[];
  /** What a failure keeps: id keys in `return`, lists beside it. */
  failure: { fields: Readonly<Record<string, unknown>>; beside: Readonly<Record<string, unknown>> };
  /** Instead of `handle` when a filter cannot be read, which is at its default then; where a parameter is a `filter`. */
  nothing?(ctx: RequestContext<P, E>): Promise<OperationSuccess | Refused>;
  /** The request works as it stands in the demo account of a fresh service, unless it says what it `needs`. */
  example: {
    request: Readonly<Record<string, unknown>>;
    response: Readonly<Record<string, unknown>>;
    /** A word for what a reader has to bring: a server of another party, ids of his own. */
    needs?: string;
  };
  handle(ctx: RequestContext<P, E>): Promise<OperationSuccess | Refused>;
}

/** An operation as the doors see it: what it takes is checked at its own declaration. */
// oxlint-disable-next-line typescript/no-explicit-any -- params are contravariant in `handle`; `runOperation` parses them first
export type AnyOperation = Operation<any, any>;

/** Declares an operation; only types happen here. */
export const defineOperation = <const P extends ParamDeclarations, const E extends DeclaredErrors>(
  declared: Operation<P, E>,
): Operation<P, E> => declared;
