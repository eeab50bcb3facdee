/** Delivery profiles as their rows say, with their credentials. */
import type { FileDeliveryProfile } from '../../providers/delivery/profile.ts';
import {
  fileDeliverySecretSchemas,
  deliverySettingsSchemas,
} from '../../rules/deliveries/fileDeliveryProfileSchemas.ts';
import type { SecretBox } from '../../lib/secretBox.ts';
import type { FileDeliveryProfileRow } from '../reads/deliveries/deliveryProfilesAndCampaignCalls.ts';
import { openDeliveryProfileSecret } from '../secrets/deliveryProfiles.ts';

/** The profile as its row says. */
export const unsealDeliveryProfile = (
  secretBox: SecretBox,
  account: number,
  row: FileDeliveryProfileRow,
): FileDeliveryProfile => ({
  id: row.id,
  active: row.active,
  target: openTarget(secretBox, account, row),
});

const openTarget = (
  secretBox: SecretBox,
  account: number,
  row: FileDeliveryProfileRow,
): FileDeliveryProfile['target'] => {
  const { settings } = row;
  switch (row.kind) {
    case 'sftp':
      return {
        kind: 'sftp',
        settings: deliverySettingsSchemas.sftp.parse(settings),
        openSecret: () =>
          fileDeliverySecretSchemas.sftp.parse(openDeliveryProfileSecret(secretBox, account, row)),
      };
    case 'ftps':
      return {
        kind: 'ftps',
        settings: deliverySettingsSchemas.ftps.parse(settings),
        openSecret: () =>
          fileDeliverySecretSchemas.ftps.parse(openDeliveryProfileSecret(secretBox, account, row)),
      };
    case 's3':
      return {
        kind: 's3',
        settings: deliverySettingsSchemas.s3.parse(settings),
        openSecret: () =>
          fileDeliverySecretSchemas.s3.parse(openDeliveryProfileSecret(secretBox, account, row)),
      };
    default:
      return { kind: 'folder', settings: deliverySettingsSchemas.folder.parse(settings) };
  }
};
