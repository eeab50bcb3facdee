/** An operation as a tool: the same handler, asked under the tool's names, its answer told as an outcome. */
import type { AnyOperation, OperationToolEntry } from '../operations/declare.ts';
import { digest } from '../operations/idempotency.ts';
import { type OperationResponse, answerWithDeclaredRefusal, runOperation } from '../operations/run.ts';
import type { Services } from '../operations/services.ts';
import type { UploadedFile } from '../operations/operationUploadTypes.ts';
import {
  toolArgumentsToParams,
  refuseUnknownToolArguments,
  wrongArgumentSentence,
} from './toolArgumentsToParams.ts';
import { collectCallPages } from './collectCallReports.ts';
import { answerToToolOutcome } from './outcome.ts';
import {
  toolAnswerFieldNames,
  inputSchema,
  mcpToolOutputSchema,
  successShape,
  type ToolParam,
  toolParams,
} from './schemas.ts';
import type { Json, LongAnswerLimiter, ToolOutcome, Tool } from './tool.ts';
import type { ParamDeclaration, ParamDeclarations } from '../operations/param.ts';

export interface OperationToolDeps {
  services: Services;
  /** A place for the long parameters of one request. */
  hold(): Held;
}

/** Texts that are handed on as files. */
export interface Held {
  keep(text: string): Promise<UploadedFile>;
  discard(): Promise<void>;
}

/** How long the first outcome of what may be repeated is kept, milliseconds. */
const repeatedForMs = 60_000;

export const operationTool = (
  op: AnyOperation,
  entry: OperationToolEntry,
  needs: OperationToolDeps,
): Tool => {
  const params = toolParams(op.params as ParamDeclarations, entry);
  return {
    name: entry.name,
    title: entry.title,
    description: entry.description,
    permission: op.permission,
    effects: entry.effects,
    inputSchema: inputSchema(params, entry),
    outputSchema: mcpToolOutputSchema(successShape(op, entry)),
    answers: toolAnswerFieldNames(op, entry),
    example: entry.example,
    async call({ caller, arguments: args, long }) {
      const unknown = refuseUnknownToolArguments(args, params);
      if (unknown) return unknown;
      const provided = toolArgumentsToParams(args, params);
      const missing = params.find(({ required, param }) => required && provided[param.rest] === undefined);
      if (missing) return answerToToolOutcome(missingAnswer(op, entry, missing), entry, params);
      const taken = asTheToolReads(provided, entry, params);
      if ('refused' in taken)
        return answerToToolOutcome(
          answerWithDeclaredRefusal(op, taken.refused, taken.sentence, 400),
          entry,
          params,
        );
      const unread: string[] = [];
      const wrong = sentencesFor(params, unread);
      const ask = (what: Json): Promise<OperationResponse> =>
        run(op, needs, { ...caller, provided: what, wrong }, entry);
      const outcome =
        entry.pages === undefined
          ? await whole(await ask(taken.provided), long, (answer) =>
              answerToToolOutcome(answer, entry, params),
            )
          : await collectCallPages(ask, taken.provided, entry.pages, long);
      // A filter that cannot be read finds nothing, and says so here.
      const warnings = [outcome['warning'], ...unread.slice(0, 1), ...taken.warnings].filter(Boolean);
      return outcome.success && warnings.length > 0 ? { ...outcome, warning: warnings.join('; ') } : outcome;
    },
  };
};

type Taken = { provided: Json; warnings: readonly string[] } | { refused: string; sentence: string };

/** Texts and numbers as the tool's own readings take them. */
const asTheToolReads = (
  provided: Json,
  { reads = {} }: OperationToolEntry,
  params: readonly ToolParam[],
): Taken => {
  const taken = { ...provided };
  const warnings: string[] = [];
  for (const { inside, param } of params) {
    const written = provided[param.rest];
    if (typeof written !== 'string' && typeof written !== 'number') continue;
    const reading = reads[inside]?.(String(written));
    if (!reading) continue;
    if ('refused' in reading) return reading;
    taken[param.rest] = reading.value;
    if (reading.warning !== undefined) warnings.push(reading.warning);
  }
  return { provided: taken, warnings };
};

/** The outcome of an answer. One that REST sends page by page is put together here. */
const whole = async (
  answer: OperationResponse,
  long: LongAnswerLimiter,
  outcomeOfWhole: (answer: OperationResponse) => ToolOutcome,
): Promise<ToolOutcome> => {
  if (!(Symbol.asyncIterator in answer.body)) return outcomeOfWhole(answer);
  const refused = await long.enter();
  if (refused) return refused;
  let text = '';
  for await (const part of answer.body) {
    if (text !== '') await long.turn();
    text += part;
  }
  return outcomeOfWhole({ ...answer, body: JSON.parse(text) as Json });
};

type RunRequest = Omit<Parameters<typeof runOperation>[1], 'uploads' | 'idempotency'>;

const run = async (
  op: AnyOperation,
  { hold, services }: OperationToolDeps,
  request: RunRequest,
  { name, repeats }: OperationToolEntry,
): Promise<OperationResponse> => {
  const held = hold();
  try {
    const { provided, spilled } = await spill(op, request.provided, held);
    const idempotency = repeats && { key: `tool:${name}:${digest(request.provided)}`, forMs: repeatedForMs };
    return await runOperation(op, { ...request, provided, idempotency, uploads: { spilled } }, services);
  } finally {
    await held.discard();
  }
};

/** Parameters that an operation takes as files. */
const spill = async (
  op: AnyOperation,
  args: Json,
  held: Held,
): Promise<{ provided: Json; spilled: Record<string, UploadedFile> }> => {
  const provided = { ...args };
  const spilled: Record<string, UploadedFile> = {};
  for (const name of op.upload?.spills ?? []) {
    const value = provided[name];
    if (value === undefined) continue;
    delete provided[name];
    spilled[name] = await held.keep(typeof value === 'string' ? value : JSON.stringify(value));
  }
  return { provided, spilled };
};

const missingAnswer = (
  op: AnyOperation,
  { requires }: OperationToolEntry,
  { inside, name }: ToolParam,
): OperationResponse => answerWithDeclaredRefusal(op, requires![inside]!, `${name} is required`, 400);

/** Tells what is wrong by the tool's own names, and remembers it. */
const sentencesFor =
  (params: readonly ToolParam[], told: string[]) =>
  (param: ParamDeclaration, wish: string): string => {
    told.push(wrongArgumentSentence(params, param, wish));
    return told.at(-1)!;
  };
