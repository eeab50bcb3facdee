/** Calls of the sandbox, placed by hand, and the telephone of the called person, which a page of the console shows. */
import * as z from 'zod';
import { MakeTTSCallOperation } from '../../operations/voice/MakeTTSCall.ts';
import type { MachineRef } from '../../engine/contract/api.ts';
import type { PhoneState, SimulatedPhone } from '../../providers/telephony/phone.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import { machineAccountQueryField, machineInPath } from '../machines/machineInPath.ts';
import { runOperationAsAdmin } from '../operation.ts';
import { AdminError } from '../adminErrorsAndRequestParsing.ts';

const mostText = 1_000;
const mostKeys = 9;
const theirLeg = 1;

const placed = z
  .object({
    dest: z
      .string()
      .max(40)
      .describe(
        'A number; how it ends decides what it does. `11987699000`: a person at the console decides.',
      ),
    text: z.string().min(1).max(mostText).describe('What is said.'),
    keys: z
      .array(
        z.object({
          key: z.string().regex(/^[1-9]$/, 'must be a key from 1 to 9'),
          says: z.string().min(1).max(mostText).describe('What is said when it is pressed.'),
        }),
      )
      .max(mostKeys)
      .refine((keys) => new Set(keys.map(({ key }) => key)).size === keys.length, 'must name each key once')
      .optional()
      .describe('Keys that the call waits for. Default: none, it only speaks.'),
  })
  .strict();

const phone = z.object({
  state: z
    .enum(['none', 'dialing', 'ringing', 'up', 'ended'])
    .describe('none: it is not dialled yet, or ended long ago.'),
  inHand: z.boolean().describe('A person has taken it: the number does nothing by itself any more.'),
  hears: z
    .object({
      playback: z.string(),
      audio: z.array(z.string()).describe('Where what is heard can be fetched, in its order.'),
      lastsMs: z.int(),
      forMs: z.int().describe('Heard for so long.'),
    })
    .nullable()
    .describe('What the person hears now.'),
});

const acted = z
  .object({
    do: z
      .enum(['take', 'answer', 'reject', 'press', 'hangUp'])
      .describe('`take`: nothing yet, but the number does nothing by itself any more.'),
    key: z
      .string()
      .regex(/^[0-9*#]$/, 'must be a key: 0 to 9, * or #')
      .optional()
      .describe('The key that is pressed.'),
  })
  .strict()
  .refine(({ do: what, key }) => (what === 'press') === (key !== undefined), {
    path: ['key'],
    message: 'goes with press, and with nothing else',
  });

const phoneExample = { state: 'ringing' as const, inHand: true, hears: null };
const refusals = { 409: 'Calls go to a real carrier here, or no telephone rings for it.' };

export const sandboxCallRoutes = {
  'POST /accounts/:account/sandbox-calls': defineRoute({
    role: 'admin',
    summary: 'Places a call of the sandbox, as `MakeTTSCall` does.',
    description: 'Nothing leaves the service. Where calls go to a real carrier it is refused.',
    scope: accountInPath,
    body: placed,
    answer: z.object({ id: z.string().describe('The call, `cd_id`.') }),
    http: 201,
    refuses: { 409: 'Calls go to a real carrier here.' },
    example: {
      body: {
        dest: '11987699000',
        text: 'Press 1 to confirm.',
        keys: [{ key: '1', says: 'Thank you, confirmed.' }],
      },
      answer: { id: 'a_746512037707776' },
    },
    handle: async ({ deps, account: owner, body }) => {
      phoneOf(deps);
      const said = await runOperationAsAdmin(deps, owner, MakeTTSCallOperation, paramsOf(body));
      return { id: String(said['cd_id']) };
    },
  }),
  'GET /machines/:id/phone': defineRoute({
    role: 'operator',
    summary: 'Shows the telephone of the person whom a call of the sandbox rings.',
    scope: machineInPath,
    query: z.object({ account: machineAccountQueryField }),
    answer: phone,
    refuses: refusals,
    example: { answer: phoneExample },
    handle: ({ deps, ref, view }) => shown(deps, ref, phoneOf(deps, view.kind).see(ref, theirLeg) ?? silent),
  }),
  'POST /machines/:id/phone': defineRoute({
    role: 'admin',
    summary: 'Does what the called person does: takes the telephone, answers, presses a key, hangs up.',
    scope: machineInPath,
    query: z.object({ account: machineAccountQueryField }),
    body: acted,
    answer: phone,
    refuses: refusals,
    example: { body: { do: 'press', key: '1' }, answer: { ...phoneExample, state: 'up' } },
    handle: async ({ deps, ref, view, body }) => {
      const act = body.do === 'press' ? { what: body.do, key: body.key! } : { what: body.do };
      return shown(deps, ref, await phoneOf(deps, view.kind).act(ref, theirLeg, act));
    },
  }),
};

const silent = { state: 'none' as const, inHand: false, hears: null };

/** Throws a 409 where no call rings a simulated telephone. */
const phoneOf = ({ phone: simulated }: AdminDeps, kind = 'call'): SimulatedPhone => {
  if (!simulated)
    throw new AdminError(
      409,
      'calls go to a real carrier here; only the sandbox (CARRIER=sandbox) has a phone',
    );
  if (kind !== 'call') throw new AdminError(409, `a ${kind} rings no telephone`);
  return simulated;
};

const shown = (
  deps: AdminDeps,
  { account: owner }: MachineRef,
  state: PhoneState | typeof silent | undefined,
) => {
  if (!state)
    throw new AdminError(409, 'its telephone does not ring: it is not dialled yet, or ended long ago');
  const { hears, ...rest } = state;
  if (!hears) return { ...rest, hears };
  const { media, ...heard } = hears;
  return { ...rest, hears: { ...heard, audio: media.map((one) => deps.audios.urlOf(owner, one)) } };
};

/** By REST names: a menu where keys are waited for. */
const paramsOf = ({ dest, text, keys = [] }: z.output<typeof placed>): Record<string, unknown> => ({
  ...{ dest, text, encoding: 'UTF-8', httpdup: '0' },
  ...(keys.length > 0 && { type: '3' }),
  ...Object.fromEntries(
    keys.flatMap(({ key, says }, index) => [
      [index === 0 ? 'dtmf' : `dtmf${index + 1}`, `${key}|text${index + 1}`],
      [`text${index + 1}`, says],
    ]),
  ),
});
