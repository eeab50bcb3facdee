/** The place that a delivery profile names, of whichever kind. */
import { join } from 'node:path';
import type { DnsLookups } from '../contracts/dns.ts';
import type { FileTarget } from '../contracts/delivery.ts';
import { localFolderDeliveryTarget } from './fileTargets/localFolder.ts';
import type { FileDeliveryProfile } from './profile.ts';
import { s3DeliveryTarget } from './fileTargets/s3.ts';

/** Where files may go. */
export interface DeliveryFileTargetEnvironment {
  /** `DELIVERY_DIR`, absolute: each account has a folder of its own in it. */
  folder: string;
  /** For files on their way, absolute. */
  temporary: string;
  /** Private networks (CIDRs) that may be reached all the same. */
  allowed: readonly string[];
  /** Finds the addresses of names; each account has look-ups of its own. */
  names: Pick<DnsLookups, 'of'>;
}

export const fileTargetForProfile = (
  account: number,
  { target }: FileDeliveryProfile,
  places: DeliveryFileTargetEnvironment,
): FileTarget => {
  const { allowed, temporary } = places;
  const outward = { allowed, lookup: places.names.of(String(account)) };
  switch (target.kind) {
    case 'folder':
      return localFolderDeliveryTarget({
        root: join(places.folder, String(account)),
        folder: target.settings.folder,
      });
    case 'sftp':
      return loaded(async () => {
        const { sftpDeliveryTarget: sftpTarget } = await import('./fileTargets/sftp.ts');
        return sftpTarget({ ...target.settings, secret: target.openSecret(), ...outward });
      });
    case 'ftps':
      return loaded(async () => {
        const { ftpsDeliveryTarget: ftpsTarget } = await import('./fileTargets/ftps.ts');
        return ftpsTarget({ ...target.settings, ...target.openSecret(), ...outward });
      });
    case 's3':
      return s3DeliveryTarget({ ...target.settings, secret: target.openSecret(), ...outward, temporary });
  }
};

/** The clients of SFTP and FTPS are large: they are loaded with the first file that goes there, not with every start. */
const loaded = (load: () => Promise<FileTarget>): FileTarget => ({
  put: async (file) => (await load()).put(file),
});

/** A file at a profile's place, for people and without secrets. */
export const describeDeliveryFileTarget = ({ id, target }: FileDeliveryProfile, file: string): string =>
  `profile ${id}, ${placeOf(target, file)}`;

const placeOf = ({ kind, settings }: FileDeliveryProfile['target'], file: string): string => {
  const path = join(settings.folder, file).replace(/^\//, '');
  switch (kind) {
    case 'folder':
      return `folder /${path}`;
    case 's3':
      return `${settings.endpoint.replace(/\/$/, '')}/${settings.bucket}/${path}`;
    default:
      return `${kind}://${settings.user}@${settings.host}:${settings.port}/${path}`;
  }
};
