/** SMS routes as the router is handed them, with their credentials. */
import type { SmsRouterRepository, SmsRouter } from '../../providers/sms/smsRouter.ts';
import type { SmsRoute } from '../../providers/contracts/sms.ts';
import { withTtlCache } from '../../lib/withTtlCache.ts';
import {
  parseStoredSmsRouteSettings,
  type SmsRouteKind,
  smsRouteSettingsSchemas,
} from '../../rules/sms/smsRouteCarrierSchemas.ts';
import type { SecretBox } from '../../lib/secretBox.ts';
import {
  findActiveSmsRouteKinds,
  findUnknownOutcomeSmsForReceipt,
  findSubmittedSms,
  findActiveSmsRoute,
  type SmsRouteRow,
  readActiveSmsRoutes,
} from '../reads/sms/smsRoutesAndSubmittedSms.ts';
import type { ControlDatabase } from '../controlDatabase.ts';
import { type ControlAndShardPools, getShardPool } from '../pools.ts';
import { openRouteSecret } from '../secrets/smsRoutes.ts';

/** What routes are read from. */
export interface SmsRepositoryDeps {
  databases: ControlAndShardPools;
  control: Pick<ControlDatabase, 'accountsUnder'>;
  clock: { now(): number };
  log: { warn(fields: object, message: string): void };
}

/** Routes that are looked through at the start. */
const mostLookedAt = 10_000;

/** At the start, because their messages would tell it one by one: routes whose settings this release cannot use. */
export const warnOfBrokenRoutes = async ({
  databases,
  log,
}: Pick<SmsRepositoryDeps, 'databases' | 'log'>): Promise<void> => {
  for (const shard of databases.shards.keys()) {
    const asked = { kinds: Object.keys(smsRouteSettingsSchemas), limit: mostLookedAt };
    const rows = await readActiveSmsRoutes(getShardPool(databases, shard), asked).catch(() => []);
    for (const { account, id, kind, settings } of rows)
      try {
        parseStoredSmsRouteSettings(kind as SmsRouteKind, settings);
      } catch (error) {
        const why = (error as Error).message;
        log.warn({ shard, account, route: id, why }, 'an SMS route cannot be used until it is written anew');
      }
  }
};

/** Kinds whose carriers bring receipts over a link that has to stand. */
const standingKinds = ['smpp'];

/** Links of a process. */
const mostStanding = 500;

/** How long a new account may go unnoticed among those that use a reseller's route, milliseconds. */
const believedForMs = 30_000;

/** Routes of all shards, and the messages that receipts of theirs are about. */
export const smsRouterRepository = (
  { databases, control, clock, log }: SmsRepositoryDeps,
  box: SecretBox,
): SmsRouterRepository => {
  const usersOf = withTtlCache((owner: number) => control.accountsUnder(owner), {
    keyOf: (owner) => owner,
    now: clock.now,
    forMs: believedForMs,
  });
  /** What was read last; a shard that is away keeps its links. */
  const standing = new Map<string, SmsRoute[]>();
  const standingOf = async (shard: string): Promise<SmsRoute[]> => {
    try {
      const asked = { kinds: standingKinds, limit: mostStanding };
      const rows = await readActiveSmsRoutes(getShardPool(databases, shard), asked);
      standing.set(
        shard,
        rows.map((row) => openRoute(box, shard, row)),
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
      const row = await findActiveSmsRoute(getShardPool(databases, shard), account, id);
      return row && openRoute(box, shard, row);
    },
    standing: async () => {
      const lists = await Promise.all([...databases.shards.keys()].map(standingOf));
      return lists.flat().slice(0, mostStanding);
    },
    message: async ({ shard, account, id: route }, { providerId, submission }) => {
      const pool = getShardPool(databases, shard);
      const accounts = [account, ...(await usersOf(account))];
      const found =
        (await findSubmittedSms(pool, { accounts, route, providerId })) ??
        (submission && (await findUnknownOutcomeSmsForReceipt(pool, { accounts, route, ...submission })));
      return found && { shard, ...found };
    },
  };
};

const openRoute = (box: SecretBox, shard: string, { secret, ...row }: SmsRouteRow): SmsRoute => ({
  shard,
  ...row,
  openSecret: () => openRouteSecret(box, row, secret),
});

/** Which kinds of routes there are, and how the links stand of those that keep one. A shard that is away says nothing. */
export const smsHealth = async (
  router: Pick<SmsRouter, 'health'>,
  databases: ControlAndShardPools,
): Promise<{ ok: boolean; detail: string }> => {
  const kinds = Object.keys(smsRouteSettingsSchemas);
  const found = await Promise.all(
    [...databases.shards.keys()].map((shard) =>
      findActiveSmsRouteKinds(getShardPool(databases, shard), kinds).catch(() => []),
    ),
  );
  const routes = kinds.filter((kind) => found.flat().includes(kind)).join(', ') || 'no account has a route';
  const links = router.health();
  return links ? { ok: links.ok, detail: `${routes}; links: ${links.detail}` } : { ok: true, detail: routes };
};
