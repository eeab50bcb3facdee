/** The address that the banner prints: it signs one browser in to the console. */
import { makeSignInCode, signInAddress } from '../access/admin/consoleSignInLink.ts';
import type { Config } from '../config.ts';
import type { Secrets } from '../loadOrCreateSecrets.ts';
import { AuditLog } from '../store/auditLog.ts';
import { SignInCodes } from '../store/signInCodes.ts';
import type { Databases } from './databases.ts';

/** Who starts the service holds the admin token, and the audit log says so. */
export const makeSignInLink = async (
  { publicUrl }: Config,
  { control }: Databases,
  { adminToken }: Secrets,
): Promise<string> => {
  const now = () => Date.now();
  const codes = new SignInCodes(control.prisma, now);
  const { code } = await makeSignInCode({ adminToken, codes }, null);
  await new AuditLog(control.pool, now).add([
    {
      ...{ at: now(), kind: 'session', actor: 'admin', address: '', account: null },
      ...{ action: 'sign-in link made at the start', outcome: 201, count: 1, detail: '' },
    },
  ]);
  return signInAddress(publicUrl, code);
};
