/** What a first start finds nowhere: the administrative account and a demo account with a token. */
import type { Pool } from 'pg';
import { newWebhookSecret } from '../rules/deliveries/webhookSignature.ts';
import type { ControlDatabase } from '../store/controlDatabase.ts';
import { ignoreUniqueViolation } from '../store/ignoreUniqueViolation.ts';
import { tokenPattern } from '../store/tokenText.ts';
import { createAccountBalanceAndTariff } from '../store/provisionAccount.ts';
import { seedDemoChatLines } from './seedChatSenderLines.ts';

/** The administrative account (spec 4.12 `provider`). */
const administrative = 2;
/** The demo account stands beside it, at the same number in every installation. */
export const demoAccountId = 3;

export interface DemoSeedTarget {
  shard: string;
  /** The shard's. */
  pool: Pool;
  /** `SANDBOX`: accounts begin with a sandbox route for SMS. */
  sandbox: boolean;
  /** `SECRET_KEY`, where the demo account begins with chat lines of the sandbox upstream. */
  sandboxSecret?: string | undefined;
}

/**
 * Makes what is missing, and nothing else: changes made since then stay. Several processes may do so at once.
 * Throws a sentence when `DEMO_TOKEN` has not the shape of a token.
 */
export const seed = async (
  control: ControlDatabase,
  demoToken: string,
  { shard, pool, sandbox, sandboxSecret }: DemoSeedTarget,
): Promise<void> => {
  if (!tokenPattern.test(demoToken)) throw new Error('DEMO_TOKEN must be 30 letters and digits');
  const place = { shard, pool, sandbox };
  await ensureAccount(control, administrative, 'Administration', place);
  await ensureAccount(control, demoAccountId, 'Demo', place, async () => {
    if (sandboxSecret !== undefined)
      await seedDemoChatLines({ control, pool, secret: sandboxSecret, account: demoAccountId });
  });
  if (await control.tokenOwner(demoToken)) return;
  await ignoreUniqueViolation(() =>
    control.createToken(
      demoAccountId,
      { label: 'demo', permissions: { enabled: true, apis: everyApi } },
      demoToken,
    ),
  );
};

const everyApi = { telephony: true, sms: true, msgapp: true, pagechat: true, photodm: true };

/** What it begins with, ten-thousandths. */
const firstBalance = 1000n * 10_000n;

const ensureAccount = async (
  control: ControlDatabase,
  id: number,
  name: string,
  { shard, pool, sandbox }: DemoSeedTarget,
  furnish: () => Promise<void> = async () => {},
): Promise<void> => {
  if (await control.account(id)) return;
  const ids = {
    tariff: await control.reserveIds('tariff', 1),
    route: sandbox ? await control.reserveIds('smsRoute', 1) : undefined,
  };
  await createAccountBalanceAndTariff(pool, { account: id, balance: firstBalance, ids, at: Date.now() });
  await furnish();
  await ignoreUniqueViolation(() =>
    control.createAccount({ id, name, shard, webhook_secret: newWebhookSecret() }),
  );
};
