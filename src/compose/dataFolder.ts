/** `DATA_DIR`, made when it is not there: whoever cannot have it hears so before anything is started. */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Throws a sentence when the folder cannot be made or written to. */
export const prepareDataFolder = (dataDir: string): void => {
  try {
    make(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new Error(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`, { cause: error });
  }
};

/** Level by level: Node's own `recursive` never returns below /proc, where nothing can be made. */
const make = (folder: string): void => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(folder);
  if (parent !== folder) make(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // A neighbour may have made it this very moment.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
};
