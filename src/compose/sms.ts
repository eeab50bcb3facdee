/** SMS put together: routes with their secrets, the carriers of each kind, and the router before them. */
import { join } from 'node:path';
import type { SmsRouteService } from '../admin/deps.ts';
import type { Config } from '../config.ts';
import type { Engine } from '../engine/contract/api.ts';
import type { Log } from '../log.ts';
import type { Names } from '../providers/dns.ts';
import type { Report, Tell } from '../engine/contract/performer.ts';
import { openSmsRouter, type SmsRepository, type SmsRouter } from '../providers/sms/smsRouter.ts';
import { httpCarrier } from '../providers/sms/http.ts';
import { sandboxSms } from '../providers/sms/sandbox.ts';
import { smppCarrier } from '../providers/sms/smpp.ts';
import type { Control } from '../store/control.ts';
import type { Databases } from './databases.ts';
import { routeSecretAbout, routeSecretBox } from '../store/secrets/smsRoutes.ts';
import { smsRepository, warnOfBrokenRoutes } from '../store/repositories/smsRoutes.ts';

export interface SmsDeps {
  config: Config;
  databases: Databases;
  control: Control;
  /** `SECRET_KEY`. */
  secret: string;
  report: Report;
  tell: Tell;
  isOpen: Engine['isOpen'];
  /** Resolves hosts that the operator configured. */
  names: Names;
  clock: { now(): number; after(ms: number, run: () => void): () => void };
  log: Log;
}

export interface OpenedSms extends SmsRouter {
  admin: SmsRouteService;
  /** An active route; undefined: there is none such. */
  route: SmsRepository['route'];
}

export const openSms = (needs: SmsDeps): OpenedSms => {
  const { config, clock } = needs;
  const sandbox = sandboxSms({
    logFile: join(config.dataDir, 'sandbox', 'sms.log'),
    speed: config.sandboxSpeed,
    clock,
  });
  const secretBox = routeSecretBox(needs.secret);
  const repository = smsRepository(needs, secretBox);
  const router = openSmsRouter({
    ...needs,
    repository,
    carriers: {
      sandbox: sandbox.open,
      smpp: smppCarrier(needs),
      http: httpCarrier({ allowed: config.allowPrivateTargets, names: needs.names }),
    },
  });
  return {
    ...router,
    route: repository.route,
    admin: {
      seal: (account, route, secret) =>
        secretBox.seal(JSON.stringify(secret), routeSecretAbout(account, route)),
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
