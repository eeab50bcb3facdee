/** Delivery profiles as their rows say, with their credentials. */
import type { DeliveryProfile } from '../../providers/delivery/profile.ts';
import {
  deliverySecretSchemas,
  deliverySettingsSchemas,
} from '../../rules/deliveries/fileDeliveryProfileSchemas.ts';
import type { SecretBox } from '../../lib/secretBox.ts';
import type { DeliveryProfileRow } from '../reads/deliveries/profilesResultsDeadLetters.ts';
import { openProfileSecret } from '../secrets/deliveryProfiles.ts';

/** The profile as its row says. */
export const unsealDeliveryProfile = (
  secretBox: SecretBox,
  account: number,
  row: DeliveryProfileRow,
): DeliveryProfile => ({
  id: row.id,
  active: row.active,
  target: openTarget(secretBox, account, row),
});

const openTarget = (
  secretBox: SecretBox,
  account: number,
  row: DeliveryProfileRow,
): DeliveryProfile['target'] => {
  const { settings } = row;
  switch (row.kind) {
    case 'sftp':
      return {
        kind: 'sftp',
        settings: deliverySettingsSchemas.sftp.parse(settings),
        openSecret: () => deliverySecretSchemas.sftp.parse(openProfileSecret(secretBox, account, row)),
      };
    case 'ftps':
      return {
        kind: 'ftps',
        settings: deliverySettingsSchemas.ftps.parse(settings),
        openSecret: () => deliverySecretSchemas.ftps.parse(openProfileSecret(secretBox, account, row)),
      };
    case 's3':
      return {
        kind: 's3',
        settings: deliverySettingsSchemas.s3.parse(settings),
        openSecret: () => deliverySecretSchemas.s3.parse(openProfileSecret(secretBox, account, row)),
      };
    default:
      return { kind: 'folder', settings: deliverySettingsSchemas.folder.parse(settings) };
  }
};
