/** `ramal rotate-key`: the change of `SECRET_KEY`, in all databases of this installation. */
import type { Config } from '../config.ts';
import { prepareDataFolder } from '../dataFolder/prepare.ts';
import type { Log } from '../log.ts';
import { loadOrCreateSecrets } from '../loadOrCreateSecrets.ts';
import { resealAllSecrets, type KeyRotationResult } from '../store/secrets/rotateSecretKey.ts';
import { checkSecretKey } from '../store/secrets/checkSecretKey.ts';
import { withDatabases } from './databases.ts';

/**
 * Seals with the first key everything that an older one sealed; to be repeated as often as one likes. `lost`: the key
 * of before is gone; what it sealed is named, and the first key is the installation's from now on.
 */
export const rotateSecretKey = async (
  config: Config,
  log: Log,
  { lost = false }: { lost?: boolean } = {},
): Promise<KeyRotationResult> => {
  prepareDataFolder(config.dataDir);
  const { secretKey } = loadOrCreateSecrets(config.dataDir, config.given);
  const { deliveryDays } = config.limits;
  return withDatabases(config, log, async (databases) => {
    if (!lost) await checkSecretKey(databases, secretKey, log);
    return resealAllSecrets(databases, { secretKey, lost, deliveryDays });
  });
};
