/** An account's audio assets, each with addresses under which it can be listened to. */
import type { Router } from '@koa/router';
import { audioFiles, removeAudio } from '../store/audios.ts';
import { type AudioRow, findAudios } from '../store/reads/audios.ts';
import { writeAudioId } from '../wire/audioRecord.ts';
import { accountOf } from './accounts.ts';
import type { AdminDoor } from './api.ts';
import { AdminError, notFound, pathId } from './respond.ts';

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
    await checkUnused(door, shard, account, id);
    await door.audios.forget(account, audioFiles(id).all);
    if (!(await removeAudio(door.pool(shard), account, id))) throw notFound(`audio ${id}`);
    ctx.status = 204;
  });
};

const checkUnused = async (door: AdminDoor, shard: string, account: number, id: number): Promise<void> => {
  const [row] = await findAudios(door.pool(shard), { account, at: door.now(), id, hidden: true, limit: 1 });
  if (row?.kept_until)
    throw new AdminError(409, `an active campaign plays audio ${id} until ${row.kept_until}`);
};

/** `url`: the WAV, or the sample of a ttsvar; empty: there is none. */
const shown = ({ urlOf }: AudioShelf, account: number, row: AudioRow) => {
  const { wav, mp3, sample, ...plain } = row;
  const addressOf = (media: string): string => (media === '' ? '' : urlOf(account, media));
  return { ...plain, cdw_file: writeAudioId(row.id), url: addressOf(wav || sample), mp3_url: addressOf(mp3) };
};
