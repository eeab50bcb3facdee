/** The settings of an installation that is there: for commands that work on its databases, and must not make any. */
import { wrongUsageFailure } from './failure.ts';
import type { CommandLineStreamsAndEnv } from './shell.ts';
import type { Config } from '../config.ts';

/** Throws a sentence where there is none. Changes nothing. */
export const readExistingInstallationConfig = async ({ env }: CommandLineStreamsAndEnv): Promise<Config> => {
  const [{ readConfig }, { requireEmbeddedDatabaseMade }] = await Promise.all([
    import('../config.ts'),
    import('../store/embedded/isMade.ts'),
  ]);
  const config = readConfig(env);
  try {
    requireEmbeddedDatabaseMade(config);
  } catch (error) {
    throw wrongUsageFailure((error as Error).message);
  }
  return config;
};
