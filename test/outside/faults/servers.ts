/** What happens to the servers that the nodes share. */
import { pause } from '../world/ports.ts';
import type { Fault } from './fault.ts';

export const readOnly: Fault = async ({ postgres }, { lastsMs }) => {
  await postgres.setReadOnly(true);
  await pause(lastsMs);
  await postgres.setReadOnly(false);
  return { count: 1 };
};

/** No room for anything; the server may end over that, and is started again when there is room. */
export const fullDisk: Fault = async ({ disk, postgres }, { lastsMs }) => {
  await disk.fill();
  await pause(lastsMs);
  disk.free();
  const ended = await postgres.revive();
  return { count: 1, note: ended ? 'the database had ended, and was started again' : '' };
};

export const redisHangs: Fault = async ({ redis }, { lastsMs }) => {
  redis!.hang();
  await pause(lastsMs);
  redis!.goOn();
  return { count: 1 };
};

export const redisGone: Fault = async ({ redis }, { lastsMs }) => {
  await redis!.kill();
  await pause(lastsMs);
  await redis!.start();
  return { count: 1 };
};
