/** SMS put together: routes with their secrets, the carriers of each kind, and the router before them. */
import { join } from 'node:path';
import type { SmsRouteSealingAndLinkStatus } from '../admin/deps.ts';
import type { Config } from '../config.ts';
import type { MachineEngine } from '../engine/contract/api.ts';
import type { Log } from '../log.ts';
import type { DnsLookups } from '../providers/contracts/dns.ts';
import type { ReportFactToMachine, Tell } from '../engine/contract/performer.ts';
import { openSmsRouter, type SmsRouterRepository, type SmsRouter } from '../providers/sms/smsRouter.ts';
import { httpSmsCarrier } from '../providers/sms/http.ts';
import { sandboxSms } from '../providers/sms/sandbox.ts';
import { smppCarrier } from '../providers/sms/smpp.ts';
import type { ControlDatabase } from '../store/controlDatabase.ts';
import type { Databases } from './databases.ts';
import { smsRouteSecretSealContext, routeSecretBox } from '../store/secrets/smsRoutes.ts';
import { smsRouterRepository, warnOfBrokenRoutes } from '../store/repositories/smsRouterRepository.ts';

export interface SmsRoutingDeps {
  config: Config;
  databases: Databases;
  control: ControlDatabase;
  /** `SECRET_KEY`. */
  secret: string;
  report: ReportFactToMachine;
  tell: Tell;
  isOpen: MachineEngine['isOpen'];
  /** Resolves hosts that the operator configured. */
  names: DnsLookups;
  clock: { now(): number; after(ms: number, run: () => void): () => void };
  log: Log;
}

export interface SmsRoutingServices extends SmsRouter {
  admin: SmsRouteSealingAndLinkStatus;
  /** An active route; undefined: there is none such. */
  route: SmsRouterRepository['route'];
}

export const openSmsRouting = (needs: SmsRoutingDeps): SmsRoutingServices => {
  const { config, clock } = needs;
  const sandbox = sandboxSms({
    logFile: join(config.dataDir, 'sandbox', 'sms.log'),
    speed: config.sandboxSpeed,
    clock,
  });
  const secretBox = routeSecretBox(needs.secret);
  const repository = smsRouterRepository(needs, secretBox);
  const router = openSmsRouter({
    ...needs,
    repository,
    carriers: {
      sandbox: sandbox.open,
      smpp: smppCarrier(needs),
      http: httpSmsCarrier({ allowed: config.allowPrivateTargets, names: needs.names }),
    },
  });
  return {
    ...router,
    route: repository.route,
    admin: {
      seal: (account, route, secret) =>
        secretBox.seal(JSON.stringify(secret), smsRouteSecretSealContext(account, route)),
      changed: router.changed,
      link: router.link,
    },
    start: async () => {
      await sandbox.start(router.take);
      await router.start();
      await warnOfBrokenRoutes(needs);
    },
    stop: async () => {
      await router.stop();
      await sandbox.stop();
    },
  };
};
