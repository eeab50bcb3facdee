/** A delivery profile as it is used. */
import type {
  FolderDeliverySettings,
  FtpsSecret,
  FtpsSettings,
  S3Secret,
  S3Settings,
  SftpSecret,
  SftpSettings,
} from '../../rules/deliveries/fileDeliveryProfileSchemas.ts';

export interface FileDeliveryProfile {
  id: number;
  active: boolean;
  target:
    | { kind: 'folder'; settings: FolderDeliverySettings }
    | Locked<'sftp', SftpSettings, SftpSecret>
    | Locked<'ftps', FtpsSettings, FtpsSecret>
    | Locked<'s3', S3Settings, S3Secret>;
}

interface Locked<Kind, Settings, Secret> {
  kind: Kind;
  settings: Settings;
  /** Throws `NotRetryable('profileBroken')` when it was sealed with another key. */
  openSecret(): Secret;
}
