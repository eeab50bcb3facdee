/** SMS put together: routes with their secrets, the carriers of each kind, and the desk before them. */
import { join } from 'node:path';
import type { RouteWorkshop } from '../admin/smsRoutes.ts';
import type { Config } from '../config.ts';
import type { Engine } from '../engine/contract/api.ts';
import type { Log } from '../log.ts';
import type { Names } from '../providers/names.ts';
import { type Report, type Tell, Terminal } from '../engine/contract/performer.ts';
import { openSmsRouter, type SmsRepository, type SmsRouter } from '../providers/sms/smsRouter.ts';
import { httpCarrier } from '../providers/sms/http.ts';
import { sandboxSms } from '../providers/sms/sandbox.ts';
import { smppCarrier } from '../providers/sms/smpp.ts';
import type { SmsRoute } from '../providers/sms.ts';
import { cacheFor } from '../rules/cacheFor.ts';
import { readRouteSettings, type RouteKind, routeSettings } from '../rules/smsRoute.ts';
import { type SecretBox, secretBoxOf } from '../rules/secretBox.ts';
import type { Control } from '../store/control.ts';
import {
  kindsInUse,
  messageAdrift,
  messageTaken,
  smsRouteOf,
  type SmsRouteRow,
  standingRoutes,
} from '../store/reads/smsRoutes.ts';
import { poolOf } from './repositories.ts';
import type { Databases } from './databases.ts';

export interface SmsNeeds {
  config: Config;
  databases: Databases;
  control: Control;
  /** `SECRET_KEY`. */
  secret: string;
  report: Report;
  tell: Tell;
  isOpen: Engine['isOpen'];
  /** Of the house's own hosts. */
  names: Names;
  clock: { now(): number; after(ms: number, run: () => void): () => void };
  log: Log;
}

/** Routes that are looked through at the start. */
const mostLookedAt = 10_000;

/** At the start, because their messages would tell it one by one: routes whose settings this release cannot use. */
const sayBroken = async ({ databases, log }: SmsNeeds): Promise<void> => {
  for (const shard of databases.shards.keys()) {
    const asked = { kinds: Object.keys(routeSettings), limit: mostLookedAt };
    const rows = await standingRoutes(poolOf(databases, shard), asked).catch(() => []);
    for (const { account, id, kind, settings } of rows)
      try {
        readRouteSettings(kind as RouteKind, settings);
      } catch (error) {
        const why = (error as Error).message;
        log.warn({ shard, account, route: id, why }, 'an SMS route cannot be used until it is written anew');
      }
  }
};

/** What a route's secret belongs to (`rules/secretBox.ts`). */
export const routeSecretAbout = (account: number, route: number): string => `sms route ${account}/${route}`;

/** Seals credentials of routes. `secret`: `SECRET_KEY`. */
export const routeVault = (secret: string): SecretBox => secretBoxOf(secret, 'sms routes');

/** Kinds whose carriers bring receipts over a link that has to stand. */
const standingKinds = ['smpp'];
/** Links of a process. */
const mostStanding = 500;
/** How long a new account may go unnoticed among those that use a reseller's route, milliseconds. */
const believedForMs = 30_000;

export interface OpenedSms extends SmsRouter {
  workshop: RouteWorkshop;
  /** An active route; undefined: there is none such. */
  route: SmsRepository['route'];
}

export const openSms = (needs: SmsNeeds): OpenedSms => {
  const { config, clock } = needs;
  const sandbox = sandboxSms({
    logFile: join(config.dataDir, 'sandbox', 'sms.log'),
    speed: config.sandboxSpeed,
    clock,
  });
  const vault = routeVault(needs.secret);
  const books = smsBooks(needs, vault);
  const desk = openSmsRouter({
    ...needs,
    books,
    carriers: {
      sandbox: sandbox.open,
      smpp: smppCarrier(needs),
      http: httpCarrier({ allowed: config.allowPrivateTargets, names: needs.names }),
    },
  });
  return {
    ...desk,
    route: books.route,
    workshop: {
      seal: (account, route, secret) => vault.seal(JSON.stringify(secret), routeSecretAbout(account, route)),
      changed: desk.changed,
      link: desk.link,
    },
    start: async () => {
      await sandbox.start(desk.take);
      await desk.start();
      await sayBroken(needs);
    },
    stop: async () => {
      await desk.stop();
      await sandbox.stop();
    },
  };
};

const smsBooks = ({ databases, control, clock, log }: SmsNeeds, vault: SecretBox): SmsRepository => {
  const usersOf = cacheFor((owner: number) => control.accountsUnder(owner), {
    keyOf: (owner) => owner,
    now: clock.now,
    forMs: believedForMs,
  });
  /** What was read last; a shard that is away keeps its links. */
  const standing = new Map<string, SmsRoute[]>();
  const standingOf = async (shard: string): Promise<SmsRoute[]> => {
    try {
      const asked = { kinds: standingKinds, limit: mostStanding };
      const rows = await standingRoutes(poolOf(databases, shard), asked);
      standing.set(
        shard,
        rows.map((row) => openRoute(vault, shard, row)),
      );
    } catch (error) {
      log.warn(
        { err: error, shard },
        'the SMS routes of a shard cannot be read now; its links stay as they are',
      );
    }
    return standing.get(shard) ?? [];
  };
  return {
    route: async ({ shard, account }, id) => {
      const row = await smsRouteOf(poolOf(databases, shard), account, id);
      return row && openRoute(vault, shard, row);
    },
    standing: async () => {
      const lists = await Promise.all([...databases.shards.keys()].map(standingOf));
      return lists.flat().slice(0, mostStanding);
    },
    message: async ({ shard, account, id: route }, { providerId, submission }) => {
      const pool = poolOf(databases, shard);
      const accounts = [account, ...(await usersOf(account))];
      const found =
        (await messageTaken(pool, { accounts, route, providerId })) ??
        (submission && (await messageAdrift(pool, { accounts, route, ...submission })));
      return found && { shard, ...found };
    },
  };
};

const openRoute = (vault: SecretBox, shard: string, { secret, ...row }: SmsRouteRow): SmsRoute => ({
  shard,
  ...row,
  openSecret: () => openedSecret(vault, row, secret),
});

const openedSecret = (
  vault: SecretBox,
  { account, id }: Omit<SmsRouteRow, 'secret'>,
  secret: string,
): string => {
  if (secret === '') return '';
  try {
    return vault.open(secret, routeSecretAbout(account, id));
  } catch (cause) {
    const sentence = `the credentials of SMS route ${id} cannot be opened: set them again`;
    throw new Terminal('routeBroken', sentence, { cause });
  }
};

/** Which kinds of routes there are, and how the links stand of those that keep one. A shard that is away says nothing. */
export const smsHealth = async (
  desk: Pick<SmsRouter, 'health'>,
  databases: Databases,
): Promise<{ ok: boolean; detail: string }> => {
  const kinds = Object.keys(routeSettings);
  const found = await Promise.all(
    [...databases.shards.keys()].map((shard) => kindsInUse(poolOf(databases, shard), kinds).catch(() => [])),
  );
  const routes = kinds.filter((kind) => found.flat().includes(kind)).join(', ') || 'no account has a route';
  const links = desk.health();
  return links ? { ok: links.ok, detail: `${routes}; links: ${links.detail}` } : { ok: true, detail: routes };
};
