/** The whole bodies of an operation's answers as schemas, envelope and all (spec 4.0). */
import * as z from 'zod';
import type { AnyOperation } from './declare.ts';

const warning = z.string().optional().describe('What is served, but not quite as asked.');

/** `return.status` and `return.status_code` of a success. */
const outcomeOf = ({ answer, numericCodes }: AnyOperation) => {
  const done = numericCodes ? z.literal(200) : z.literal('0');
  const waits = numericCodes ? z.literal(1) : z.literal('1');
  return answer.mayWait
    ? {
        status: z.enum(['OK', 'WR']).describe('WR: taken, and not acknowledged yet.'),
        status_code: z.union([done, waits]),
      }
    : { status: z.literal('OK'), status_code: done };
};

/** The body of a success. */
export const successBodySchema = (op: AnyOperation): z.ZodObject =>
  z.object({
    return: z.object({ ...outcomeOf(op), ...op.answer.fields.shape, warning }),
    ...op.answer.beside.shape,
  });

/** The body of a failure under any code, of the operation's own or of the door. */
export const failureBodySchema = (op: AnyOperation): z.ZodObject =>
  z.object({
    return: z.object({
      status: z.string().min(1).describe('What is wrong, in a sentence.'),
      status_code: op.numericCodes ? z.int() : z.string().regex(/^\d+$/),
      ...(op.answer.failed ?? kept(op.answer.fields, op.failure.fields)).shape,
      warning,
    }),
    ...kept(op.answer.beside, op.failure.beside).shape,
  });

/** The shapes of those keys that a failure keeps. */
const kept = ({ shape }: z.ZodObject, keys: Readonly<Record<string, unknown>>): z.ZodObject =>
  z.object(Object.fromEntries(Object.entries(shape).filter(([key]) => key in keys)));
