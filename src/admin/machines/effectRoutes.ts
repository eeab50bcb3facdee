/** What an operator orders about one effect that a machine is owed. */
import * as z from 'zod';
import type { MachineRef } from '../../engine/contract/api.ts';
import { AdminError } from '../adminErrorsAndRequestParsing.ts';
import type { AdminDeps } from '../deps.ts';
import { defineRoute } from '../routeDeclaration.ts';
import { machineAccountQueryField, machineInPath } from './machineInPath.ts';

interface EffectOrder {
  deps: AdminDeps;
  ref: MachineRef;
  effect: string;
  status: (code: number) => void;
}

const path = z.object({
  effect: z
    .string()
    .max(40, 'must have at most 40 characters')
    .describe('Its id on the agenda of the machine.'),
});
const query = z.object({ account: machineAccountQueryField });
const leftAtOtherNode = { 202: 'Another node holds the machine and hears the order in a moment.' };

export const effectRoutes = {
  'POST /machines/:id/effects/:effect/retry': defineRoute({
    role: 'operator',
    summary: 'Performs an effect again that is still owed.',
    scope: machineInPath,
    path,
    query,
    answer: z.object({ effect: z.string(), outcome: z.enum(['performing', 'left']) }),
    http: 202,
    refuses: { 409: 'It is not owed, or was begun and must not be twice.' },
    example: { answer: { effect: '7', outcome: 'performing' } },
    handle: ({ deps, ref, path: { effect }, status }) => retry({ deps, ref, effect, status }),
  }),
  'POST /machines/:id/effects/:effect/cancel': defineRoute({
    role: 'operator',
    summary: 'Gives up an effect that waits to be tried again; its machine goes on as after its failure.',
    scope: machineInPath,
    path,
    query,
    answer: z.object({ effect: z.string(), outcome: z.enum(['cancelled', 'left']) }),
    also: leftAtOtherNode,
    refuses: { 409: 'It is not owed, or is under way.' },
    example: { answer: { effect: '7', outcome: 'cancelled' } },
    handle: ({ deps, ref, path: { effect }, status }) => cancel({ deps, ref, effect, status }),
  }),
};

const retry = async ({ deps, ref, effect }: EffectOrder) => {
  const result = await deps.engine.orderEffect(ref, effect, 'begin');
  if (result === 'refused')
    throw new AdminError(409, `effect ${effect} is not owed, or was begun and must not be twice`);
  return { effect, outcome: result === 'left' ? ('left' as const) : ('performing' as const) };
};

const cancel = async ({ deps, ref, effect, status }: EffectOrder) => {
  const result = await deps.engine.orderEffect(ref, effect, 'cancel');
  if (result === 'refused') throw new AdminError(409, `effect ${effect} is not owed, or is under way`);
  if (result === 'left') status(202);
  return { effect, outcome: result === 'left' ? ('left' as const) : ('cancelled' as const) };
};
