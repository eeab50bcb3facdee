/** An account's audio assets, each with addresses under which it can be listened to. */
import * as z from 'zod';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { changeAudio, mediaIdsOfAudioAsset, removeAudio } from '../../store/writeAudioAssets.ts';
import { findAudios } from '../../store/reads/audio/audios.ts';
import { type Use, usesOfAudio } from '../../store/reads/listAndAudioUses.ts';
import { accountInPath } from '../accounts/accountInPath.ts';
import { defineRoute } from '../routeDeclaration.ts';
import type { AdminDeps } from '../deps.ts';
import {
  booleanFieldSchema,
  dateTimeFieldSchema,
  idCursorField,
  maxRecordId,
  neverRefusedQueryField,
  optionalQueryField,
  text,
} from '../fieldSchemas.ts';
import { AdminError, notFound } from '../adminErrorsAndRequestParsing.ts';
import { refuseInUse } from '../uses.ts';
import { audioExample, audioIdInPath, audioSchema, toAudioAnswer } from './audioSchemas.ts';

const pageSize = 500;

/** The asset as it is answered. Throws a 404 when it has gone, or is another account's. */
export const requireAudio = async (
  deps: AdminDeps,
  { id: account, shard }: AccountRow,
  id: number,
): Promise<ReturnType<typeof toAudioAnswer>> => {
  const query = { account, at: deps.engine.now(shard), id, hidden: true, limit: 1 };
  const [row] = await findAudios(deps.pool(shard), query);
  if (!row) throw notFound(`audio ${id}`);
  return toAudioAnswer(deps.audios, account, row);
};

export const audioRoutes = {
  'GET /accounts/:account/audios': defineRoute({
    role: 'operator',
    summary: 'Lists the audio of an account, newest first, hidden ones too.',
    scope: accountInPath,
    query: z.object({
      q: optionalQueryField(text(200)).describe('A part of the name, the id or the text.'),
      cursor: idCursorField(),
    }),
    answer: z.object({
      audios: z.array(audioSchema),
      cursor: z.int().nullable().describe('As `?cursor=` takes it; null: the last page.'),
    }),
    example: { answer: { audios: [audioExample], cursor: null } },
    handle: async ({ deps, account: { id: account, shard }, query: { q, cursor } }) => {
      const rows = await findAudios(deps.pool(shard), {
        account,
        at: deps.now(),
        search: q,
        hidden: true,
        ...(cursor !== undefined && { belowId: Math.min(cursor, maxRecordId) }),
        limit: pageSize + 1,
      });
      const page = rows.slice(0, pageSize);
      return {
        audios: page.map((row) => toAudioAnswer(deps.audios, account, row)),
        cursor: rows.length > pageSize ? page.at(-1)!.id : null,
      };
    },
  }),
  'GET /accounts/:account/audios/:audio': defineRoute({
    role: 'operator',
    summary: 'Shows an audio.',
    scope: accountInPath,
    path: z.object({ audio: audioIdInPath }),
    answer: audioSchema,
    example: { answer: audioExample },
    handle: ({ deps, account, path: { audio } }) => requireAudio(deps, account, audio),
  }),
  'PATCH /accounts/:account/audios/:audio': defineRoute({
    role: 'admin',
    summary: 'Changes the name of an audio, how long it is kept, and whether it is listed.',
    scope: accountInPath,
    path: z.object({ audio: audioIdInPath }),
    body: z.strictObject({
      name: text(200).min(1).optional(),
      visible: booleanFieldSchema.optional().describe('GetAudiosList shows it.'),
      expires_at: dateTimeFieldSchema.optional().describe('From then on nothing new may play it.'),
    }),
    answer: audioSchema,
    example: { body: { name: 'Welcome' }, answer: audioExample },
    handle: async ({ deps, account, path: { audio: id }, body }) => {
      const { name, visible, expires_at: expiresAt } = body;
      const now = deps.engine.now(account.shard);
      checkExpiry(expiresAt, now);
      const asset = { account: account.id, id, at: now };
      const isThere = await changeAudio(deps.pool(account.shard), asset, { name, visible, expiresAt });
      if (!isThere) throw notFound(`audio ${id}`);
      return requireAudio(deps, account, id);
    },
  }),
  // The files go first: what a crash leaves is a row, which can be deleted again.
  'DELETE /accounts/:account/audios/:audio': defineRoute({
    role: 'admin',
    summary: 'Deletes an audio that nothing needs any more.',
    scope: accountInPath,
    path: z.object({ audio: audioIdInPath }),
    query: z.object({
      force: neverRefusedQueryField.describe(
        '`1`: also one that paused campaigns and waiting calls would play.',
      ),
    }),
    refuses: { 409: 'It is in use; the answer says by what.' },
    example: { query: { force: '1' } },
    handle: async ({ deps, account: { id: account, shard }, path: { audio: id }, query }) => {
      const files = mediaIdsOfAudioAsset(id).all;
      const uses = await usesOfAudio(deps.pool(shard), account, id, files);
      refuseInUse(`audio ${id}`, query.force === '1' ? uses.filter(isDialling) : uses, shard);
      await deps.audios.forget(account, files);
      if (!(await removeAudio(deps.pool(shard), account, id))) throw notFound(`audio ${id}`);
    },
  }),
};

/** Throws a 400 for a moment that is over at `now`, epoch milliseconds. */
export const checkExpiry = (expiresAt: number | undefined, now: number): void => {
  if (expiresAt !== undefined && expiresAt <= now)
    throw new AdminError(400, 'expires_at: must not be over', { field: 'expires_at' });
};

/**
 * A campaign that is paused is not activated without its audio, and a call that waits ends without it: no call plays
 * silence.
 */
const isDialling = ({ what, state }: Use): boolean => what === 'campaign' && state !== 'paused';
