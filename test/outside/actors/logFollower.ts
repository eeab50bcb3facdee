/** A log, read as it grows, line by line. */
import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

const everyMs = 200;

/** Hands on each whole line until it is stopped, and then what came last. A log that is begun anew beside the old one is followed. */
export const followLog = (path: string, hear: (line: string) => void): { stop(): void } => {
  let file = -1;
  let inode = 0;
  let known = 0;
  let rest = '';

  const readOn = (): void => {
    const { size } = fstatSync(file);
    if (size <= known) return;
    const bytes = Buffer.alloc(size - known);
    const read = readSync(file, bytes, 0, bytes.length, known);
    known += read;
    const lines = (rest + bytes.toString('latin1', 0, read)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) hear(line);
  };
  const look = (): void => {
    // The end of the old one is read first.
    if (file !== -1) readOn();
    if (!existsSync(path) || (file !== -1 && statSync(path).ino === inode)) return;
    if (file !== -1) closeSync(file);
    file = openSync(path, 'r');
    inode = fstatSync(file).ino;
    [known, rest] = [0, ''];
    readOn();
  };
  const timer = setInterval(look, everyMs);
  let over = false;
  return {
    stop: () => {
      clearInterval(timer);
      if (over) return;
      over = true;
      look();
      if (file !== -1) closeSync(file);
    },
  };
};
