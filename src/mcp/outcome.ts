/** From the answer of an operation to the outcome of a tool (spec 4.1): `return` and the lists, flattened. */
import type { OperationToolEntry } from '../operations/declare.ts';
import type { OperationResponse } from '../operations/run.ts';
import type { ToolParam } from './schemas.ts';
import { toolFailure, type Json, type ToolOutcome } from './tool.ts';

export const answerToToolOutcome = (
  answer: OperationResponse,
  entry: OperationToolEntry,
  params: readonly ToolParam[],
): ToolOutcome => {
  const { return: envelope, ...beside } = answer.body as { return: Json };
  const { status, status_code: code, ...fields } = envelope;
  if (answer.http >= 400) {
    const said = entry.refusals?.[String(code)] ?? inToolWords(String(status), params);
    const error = typeof said === 'string' ? said : said(fields);
    return toolFailure(Number(code), error, fields);
  }
  const found = {
    status,
    // `WR`: it is recorded, and goes on.
    ...(status !== 'OK' && { status_code: Number(code) }),
    ...fields,
    ...beside,
  };
  return { success: true, ...found, ...(entry.done && { message: entry.done(found) }) };
};

/** Sentences begin with the parameter that is wrong, by its name at the REST door. */
const inToolWords = (sentence: string, params: readonly ToolParam[]): string => {
  const first = /^\w+/.exec(sentence)?.[0];
  const named = params.find(({ param, name }) => param.rest === first && name !== first);
  return named ? `${named.name}${sentence.slice(first!.length)}` : sentence;
};
