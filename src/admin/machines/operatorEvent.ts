/** What operators tell machines: which events there are stands with each kind, what they must say here. */
import * as z from 'zod';
import type { MachineEvent } from '../../engine/contract/effect.ts';
import { AdminError, read } from '../adminErrorsAndRequestParsing.ts';

/** What every one of them says. */
export const operatorEventSchema = z.looseObject({ type: z.string().min(1).max(60) });

/** By kind and event; what stands here decides about money, or about what is dialled next. */
const shapes: Readonly<Record<string, z.ZodType<MachineEvent>>> = {
  // Why a call is cancelled is said by no operator.
  'call cancel': z.object({ type: z.literal('cancel') }),
  'call resolveUnknown': z.looseObject({
    type: z.string(),
    outcome: z.enum(['normal', 'busy', 'noAnswer', 'cancelled', 'congestion', 'unreachable']).optional(),
  }),
  'message resolveUnknown': z.looseObject({ type: z.string(), sent: z.boolean() }),
};

/** Throws a 400 for an event that a machine of this kind takes from no operator, or not in this form. */
export const readOperatorEvent = (
  kind: string,
  allowed: readonly string[],
  told: z.output<typeof operatorEventSchema>,
): MachineEvent => {
  if (!allowed.includes(told.type)) {
    const message = `type: operators may send a ${kind} ${allowed.join(', ') || 'nothing'}`;
    throw new AdminError(400, message, { field: 'type', allowed });
  }
  const shape = shapes[`${kind} ${told.type}`];
  return shape ? read(shape, told) : told;
};
