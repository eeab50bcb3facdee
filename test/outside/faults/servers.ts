/** What happens to the servers that the nodes share. */
import type { World } from '../world.ts';
import { pause, until } from '../world/ports.ts';
import type { Fault } from './fault.ts';

export const readOnly: Fault = async ({ postgres }, { lastsMs }) => {
  try {
    await postgres.setReadOnly(true);
    await pause(lastsMs);
  } finally {
    await undoReadOnly(postgres);
  }
  return { count: 1 };
};

/** Where it stays as it is the run says nothing any more: a machine that is busy is asked again. */
const undoReadOnly = async (postgres: World['postgres']): Promise<void> => {
  const writable = (): Promise<boolean> =>
    postgres.setReadOnly(false).then(
      () => true,
      () => false,
    );
  if (!(await until(writable, undoMs, 500))) throw new Error('the database stays read-only');
};

/** For undoing a fault, milliseconds. */
const undoMs = 120_000;

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
