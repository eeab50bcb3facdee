/** The recording of a call, and what it was told to say and play: heard in place, from the media store. */
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import * as z from 'zod';
import type { MachineRef, MachineView } from '../../engine/contract/api.ts';
import type { MachineSound } from '../../engine/contract/kind.ts';
import { maskPhones } from '../../lib/maskPhoneNumbers.ts';
import { readMachineRecord } from '../../store/reads/machines/machines.ts';
import { AdminError } from '../adminErrorsAndRequestParsing.ts';
import { noteInAudit } from '../admitAndAuditAdministrator.ts';
import type { AdminDeps } from '../deps.ts';
import { readerVisibility } from '../redactForReader.ts';
import { defineRoute } from '../routeDeclaration.ts';
import { machineAccountQueryField, machineInPath } from './machineInPath.ts';

const sound = {
  query: z.object({ account: machineAccountQueryField }),
  answer: z.string().describe('A WAV of 8 kHz, or an MP3 where the file is one; `Range` asks for a part.'),
  media: 'audio/wav',
  also: { 206: 'The part that `Range` names.' },
  example: { answer: 'RIFF…' },
} as const;

export const machineSoundRoutes = {
  'GET /machines/:id/recording': defineRoute({
    ...sound,
    role: 'operator',
    summary: 'Answers the recording of a call, to be heard.',
    description: 'Each request for it is in the audit log.',
    scope: machineInPath,
    refuses: {
      404: 'There is no such machine, or no recording of it; the answer says why.',
      409: 'The number is that of machines of several accounts.',
      416: 'The range lies outside the file.',
    },
    handle: async ({ deps, ctx, ref, view, status }) => {
      noteInAudit(ctx, { account: ref.account });
      const media = await recordingOf(deps, ref, view);
      const gone = 'the file of the recording is not in the media store any more';
      return sendFile(deps, ctx, { account: ref.account, media, gone, status });
    },
  }),
  'GET /machines/:id/sounds/:sound': defineRoute({
    ...sound,
    role: 'operator',
    summary: 'Answers something that a call says or plays, to be heard.',
    description: 'A text is spoken when it is asked for, unless it was before.',
    scope: machineInPath,
    path: z.object({
      sound: z
        .string()
        .regex(/^\d{1,3}$/, 'must be a place in `sounds`')
        .transform(Number)
        .meta({ json: { type: 'integer', minimum: 0 } }),
    }),
    refuses: {
      403: 'The role does not suffice, or the text says a telephone number that this key sees masked.',
      404: 'There is no such machine or sound, or its file is gone.',
      409: 'The text cannot be spoken now, or the number is that of machines of several accounts.',
      416: 'The range lies outside the file.',
    },
    handle: async ({ deps, ctx, ref, view, path, status }) => {
      const found = soundsOf(deps, view)[path.sound];
      if (!found) throw new AdminError(404, `the machine has no sound ${path.sound}`);
      const media = await mediaOf(deps, ctx, ref.account, found);
      const gone = 'the file is not in the media store any more: audio is deleted when its time is over';
      return sendFile(deps, ctx, { account: ref.account, media, gone, status });
    },
  }),
};

/** What a machine says and plays; of most kinds nothing. */
const soundsOf = (deps: AdminDeps, { kind, context }: MachineView): readonly MachineSound[] =>
  deps.kind(kind)?.sounds?.all(context) ?? [];

/** The same, as the page of the machine lists it. */
export const describeSounds = (deps: AdminDeps, view: MachineView) =>
  soundsOf(deps, view).map(({ name, source }) => ({ name, text: 'text' in source ? source.text : '' }));

const recordingOf = async (deps: AdminDeps, ref: MachineRef, view: MachineView): Promise<string> => {
  if (view.kind !== 'call') throw new AdminError(404, `a ${view.kind} has no recording: calls have`);
  const record = await readMachineRecord(deps.pool(ref.shard), 'calls', ref.account, ref.id);
  const { recording, recording_gone_at: goneAt } = record ?? {};
  if (typeof recording === 'string' && recording !== '') return recording;
  if (goneAt !== null && goneAt !== undefined) {
    const day = new Date(Number(goneAt)).toISOString().slice(0, 10);
    throw new AdminError(404, `the recording was deleted on ${day}: RECORDING_DAYS says how long they stay`);
  }
  throw new AdminError(
    404,
    view.endedAt === null
      ? 'there is no recording yet: one is kept when it is over'
      : 'this call was not recorded: `rec` asks for it',
  );
};

/** The file of a sound; a text is spoken for it. Throws a 409 for one that cannot be. */
const mediaOf = async (
  { services }: AdminDeps,
  ctx: Context,
  account: number,
  { source }: MachineSound,
): Promise<string> => {
  if ('media' in source) return source.media;
  if (readerVisibility(ctx) === 'masked' && maskPhones(source.text) !== source.text)
    throw new AdminError(403, 'the text says a telephone number, and numbers are masked for this key');
  const spoken = await services.speak(account, source);
  if (spoken.outcome !== 'spoken') throw new AdminError(409, spoken.why);
  return spoken.media;
};

interface WantedFile {
  account: number;
  media: string;
  /** Said where there is no such file. */
  gone: string;
  status(http: number): void;
}

/** Answers a file, or a part of it; without a body to HEAD. Throws a 404 or 416. */
const sendFile = async (deps: AdminDeps, ctx: Context, wanted: WantedFile): Promise<never> => {
  const request = { method: ctx.method, range: ctx.get('range') || undefined };
  const file = await deps.audios.serve(wanted.account, wanted.media, request);
  if (file.status === 404) throw new AdminError(404, wanted.gone);
  ctx.set(file.headers);
  if (file.status === 416) throw new AdminError(416, 'the range lies outside the file');
  if (file.status === 206) wanted.status(206);
  return (file.stream ?? Readable.from([])) as never;
};
