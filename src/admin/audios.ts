/** An account's audio assets, each with addresses under which it can be listened to. */
import type { Router } from '@koa/router';
import { audioFiles, removeAudio } from '../store/audios.ts';
import { type AudioRow, findAudios } from '../store/reads/audio/audios.ts';
import { type Use, usesOfAudio } from '../store/reads/uses.ts';
import { writeAudioId } from '../wire/audioRecord.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { notFound, pathId } from './respond.ts';
import { refuseInUse } from './uses.ts';

/** What the routes need of the media store. */
export interface AudioShelf {
  /** The address under which a file can be fetched. */
  urlOf(account: number, media: string): string;
  /** Forgets files, also those that are not there. */
  forget(account: number, media: readonly string[]): Promise<void>;
}

const pageSize = 500;

export const audioRoutes = (router: Router, door: AdminDoor): void => {
  router.get('/accounts/:account/audios', async (ctx) => {
    const { id: account, shard } = await accountOf(door, ctx.params['account']);
    const cursor = ctx.query['cursor'];
    const rows = await findAudios(door.pool(shard), {
      account,
      at: door.now(),
      hidden: true,
      ...(cursor !== undefined && { belowId: pathId(String(cursor), 'cursor') }),
      limit: pageSize + 1,
    });
    const page = rows.slice(0, pageSize);
    ctx.body = {
      audios: page.map((row) => shown(door.audios, account, row)),
      cursor: rows.length > pageSize ? page.at(-1)!.id : null,
    };
  });

  // The files go first: what a crash leaves is a row, which can be deleted again.
  router.delete('/accounts/:account/audios/:audio', async (ctx) => {
    const { id: account, shard } = await accountOf(door, ctx.params['account']);
    const id = pathId(ctx.params['audio']?.replace(/^tf/, ''), 'audio');
    if (id >= 2 ** 31) throw notFound(`audio ${id}`);
    const files = audioFiles(id).all;
    const uses = await usesOfAudio(door.pool(shard), account, id, files);
    refuseInUse(`audio ${id}`, ctx.query['force'] === '1' ? uses.filter(isDialling) : uses, shard);
    await door.audios.forget(account, files);
    if (!(await removeAudio(door.pool(shard), account, id))) throw notFound(`audio ${id}`);
    ctx.status = 204;
  });
};

/** A campaign that is paused is not activated without its audio, and a call that waits ends without it: no one hears nothing. */
const isDialling = ({ what, state }: Use): boolean => what === 'campaign' && state !== 'paused';

/** `url`: the WAV, or the sample of a ttsvar; empty: there is none. */
const shown = ({ urlOf }: AudioShelf, account: number, row: AudioRow) => {
  const { wav, mp3, sample, ...plain } = row;
  const addressOf = (media: string): string => (media === '' ? '' : urlOf(account, media));
  return { ...plain, cdw_file: writeAudioId(row.id), url: addressOf(wav || sample), mp3_url: addressOf(mp3) };
};
