/** Makes a request that did harm smaller, as long as it does the same harm. */
import { Connection } from './connection.ts';
import type { Shot } from './mutations.ts';
import type { BytesWorld } from './world.ts';
import { faultOf } from './verdict.ts';

/** Requests that may be spent on it. */
const mostTries = 300;
const patienceMs = 1_500;

/** Whether these bytes, alone, end the service or are answered with a fault. */
const doesHarm = async (world: BytesWorld, shot: Shot, bytes: Buffer): Promise<boolean> => {
  const connection = new Connection(world.port, '127.0.0.1');
  const late = setTimeout(() => connection.leave('silent'), patienceMs);
  const asked = connection.ask(bytes, shot.isHead);
  if (!shot.isFramed) connection.halfClose();
  const fate = await asked;
  clearTimeout(late);
  connection.leave();
  if (fate === 'cut') await new Promise((resolve) => setTimeout(resolve, 100));
  return faultOf(fate) !== undefined || world.death() !== undefined;
};

/** Undefined: alone it does no harm. `fresh`: a service that lives. */
export const shrink = async (fresh: () => Promise<BytesWorld>, shot: Shot): Promise<Shot | undefined> => {
  let tries = mostTries;
  const harms = async (bytes: Buffer): Promise<boolean> =>
    tries-- > 0 && doesHarm(await fresh(), shot, bytes);
  let { bytes } = shot;
  if (!(await harms(bytes))) return undefined;
  for (let size = Math.ceil(bytes.length / 2); size >= 1 && tries > 0; size = Math.floor(size / 2))
    for (let at = 0; at < bytes.length && tries > 0;) {
      const smaller = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]);
      if (await harms(smaller)) bytes = smaller;
      else at += size;
    }
  return { ...shot, bytes };
};
