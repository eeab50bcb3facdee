/** What operators tell machines: which events there are stands with each kind, what they must say here. */
import * as z from 'zod';
import type { MachineEvent } from '../../engine/contract/effect.ts';
import type { Kind } from '../../engine/contract/kind.ts';
import { type Json, toJsonSchema } from '../../operations/jsonSchema.ts';
import { AdminError, read } from '../adminErrorsAndRequestParsing.ts';
import { statesThatTakeEvent } from './statesThatTakeEvent.ts';

/** What every one of them says. */
export const operatorEventSchema = z.looseObject({ type: z.string().min(1).max(60) });

/** What an event says besides its type, by kind and event; those that are not here say nothing. */
const shapes: Readonly<Record<string, z.ZodObject>> = {
  'call resolveUnknown': z.object({
    outcome: z
      .enum(['normal', 'busy', 'noAnswer', 'cancelled', 'congestion', 'unreachable'])
      .optional()
      .describe('How the leg ended whose fate is unknown; nothing: `unreachable`.'),
  }),
  'message resolveUnknown': z.object({
    sent: z.boolean().describe('Whether the carrier did take the message.'),
  }),
};

const nothingElse = z.object({});

const shapeOf = (kind: string, type: string): z.ZodObject => shapes[`${kind} ${type}`] ?? nothingElse;

/**
 * The events that operators may send to machines of a kind, each with the schema of what it says besides its type, and the
 * states in which this chart takes it. No chart: this build lacks its version, and it takes none.
 */
export const describeOperatorEvents = (
  kind: string,
  allowed: readonly string[],
  chart: Kind['versions'][number] | undefined,
): { type: string; schema: Json; taken_in: string[] }[] =>
  allowed.map((type) => ({
    type,
    schema: toJsonSchema(shapeOf(kind, type)),
    taken_in: chart ? statesThatTakeEvent(chart, type) : [],
  }));

/** Throws a 400 for an event that a machine of this kind takes from no operator, or not in this form. */
export const readOperatorEvent = (
  kind: string,
  allowed: readonly string[],
  told: z.output<typeof operatorEventSchema>,
): MachineEvent => {
  const { type } = told;
  if (!allowed.includes(type)) {
    const message =
      allowed.length === 0
        ? `type: a ${kind} takes no events from operators`
        : `type: operators may send a ${kind} ${allowed.join(', ')}`;
    throw new AdminError(400, message, { field: 'type', allowed });
  }
  // What an event does not know is left out: why a call is cancelled, for one, is said by no operator.
  return { ...read(shapeOf(kind, type), told), type };
};
