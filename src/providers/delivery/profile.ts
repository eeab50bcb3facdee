/** A delivery profile as it is used. */
import type { FolderSettings, SftpSecret, SftpSettings } from '../../rules/deliveryProfile.ts';

export interface DeliveryProfile {
  id: number;
  active: boolean;
  target:
    | { kind: 'folder'; settings: FolderSettings }
    /** `openSecret` throws `Terminal('profileBroken')` when it was sealed with another key. */
    | { kind: 'sftp'; settings: SftpSettings; openSecret(): SftpSecret };
}
