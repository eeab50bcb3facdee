/** Delivery profiles as their rows say, with their credentials. */
import type { DeliveryProfile } from '../../providers/delivery/profile.ts';
import { profileSecrets, profileSettings } from '../../rules/deliveries/deliveryProfile.ts';
import type { SecretBox } from '../../lib/secretBox.ts';
import type { ProfileRow } from '../reads/deliveries/deliveries.ts';
import { openProfileSecret } from '../secrets/deliveryProfiles.ts';

/** The profile as its row says. */
export const openProfile = (secretBox: SecretBox, account: number, row: ProfileRow): DeliveryProfile => ({
  id: row.id,
  active: row.active,
  target: openTarget(secretBox, account, row),
});

const openTarget = (secretBox: SecretBox, account: number, row: ProfileRow): DeliveryProfile['target'] => {
  const { settings } = row;
  switch (row.kind) {
    case 'sftp':
      return {
        kind: 'sftp',
        settings: profileSettings.sftp.parse(settings),
        openSecret: () => profileSecrets.sftp.parse(openProfileSecret(secretBox, account, row)),
      };
    case 'ftps':
      return {
        kind: 'ftps',
        settings: profileSettings.ftps.parse(settings),
        openSecret: () => profileSecrets.ftps.parse(openProfileSecret(secretBox, account, row)),
      };
    case 's3':
      return {
        kind: 's3',
        settings: profileSettings.s3.parse(settings),
        openSecret: () => profileSecrets.s3.parse(openProfileSecret(secretBox, account, row)),
      };
    default:
      return { kind: 'folder', settings: profileSettings.folder.parse(settings) };
  }
};
