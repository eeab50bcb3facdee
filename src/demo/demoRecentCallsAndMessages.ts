/** What the page at `/` may show, and to whom: the demo account's last calls and messages, as their records stand. */
import { machineKinds } from '../../machines/index.ts';
import { isDirectLoopback, isOfAnotherOrigin, namesThisMachine } from '../access/directLoopback.ts';
import { explainMachine } from '../admin/explainMachine.ts';
import { negotiateLanguage } from '../admin/explained/language.ts';
import { describeCallRule } from '../admin/explained/rules.ts';
import { callOutcomeSentence } from '../admin/callOutcomeSentence.ts';
import type { Config } from '../config.ts';
import type { RamalEngine } from '../engine/engine.ts';
import type { MachineRef } from '../engine/contract/api.ts';
import type { ServiceHealthReport } from '../mcp/healthEndpointBody.ts';
import type { Home, HomePageLanguage } from '../rest/home/serve.ts';
import type { AccountRow, ControlDatabase } from '../store/controlDatabase.ts';
import { type CallRow, findCalls } from '../store/reads/voice/calls.ts';
import { readMachineRecord } from '../store/reads/machines/machines.ts';
import { readMessagePage, type MessageRow } from '../store/reads/sms/messageLog.ts';
import { hasRealRoute } from '../store/reads/sms/smsRoutesAndSubmittedSms.ts';
import { readCallId, writeCallId } from '../wire/callId.ts';
import { isChatSandboxOnlyUpstream } from '../config/isChatSandboxOnlyUpstream.ts';
import { demoAccountId } from './seedAccounts.ts';
import { type ControlAndShardPools, getShardPool } from '../store/pools.ts';

export interface DemoHomePageReaderDeps {
  config: Config;
  databases: ControlAndShardPools;
  control: Pick<ControlDatabase, 'cachedAccount'>;
  engine: RamalEngine;
  demoToken: string;
  health(): Promise<ServiceHealthReport>;
  /** What a part of the service is called, and how it is with it, in Portuguese. */
  healthInPortuguese: { name(check: string): string; detail(sentence: string): string };
}

/** Calls and messages on the page. */
const mostShown = 10;
/** Steps of one that are told. */
const mostSteps = 40;

export const createDemoHomePageContent = (needs: DemoHomePageReaderDeps): Home => ({
  isHere: async ({ req }) =>
    isAllSandbox(needs.config) &&
    isDirectLoopback(req) &&
    namesThisMachine(req) &&
    !isOfAnotherOrigin(req) &&
    // Where the database does not answer there is nothing to show.
    (await reachesNobody(needs).catch(() => false)),
  languageOf: (ctx) => negotiateLanguage(ctx.query['lang'], ctx.get('accept-language')),
  now: async (open, language) => {
    const { body } = await needs.health();
    const account = await demoOf(needs);
    return {
      version: body.version,
      since: Date.now() - body.uptime_s * 1_000,
      checks: checksIn(language, body.checks, needs.healthInPortuguese),
      token: needs.demoToken,
      last: account ? await lastOf(needs, account, open, language) : [],
    };
  },
});

const checksIn = (
  language: HomePageLanguage,
  checks: ServiceHealthReport['body']['checks'],
  portuguese: DemoHomePageReaderDeps['healthInPortuguese'],
) =>
  Object.entries(checks).map(([name, { ok, detail }]) =>
    language === 'pt'
      ? { name: portuguese.name(name), ok, detail: portuguese.detail(detail) }
      : { name, ok, detail },
  );

/** Whether all that this service is set up with is a sandbox. */
const isAllSandbox = (config: Config): boolean =>
  config.carrier.kind === 'sandbox' && isChatSandboxOnlyUpstream(config);

const demoOf = ({ control }: DemoHomePageReaderDeps): Promise<AccountRow | null> =>
  control.cachedAccount(demoAccountId);

/** An SMS route of its own may have been given to the demo account since. */
const reachesNobody = async (needs: DemoHomePageReaderDeps): Promise<boolean> => {
  const account = await demoOf(needs);
  return account !== null && !(await hasRealRoute(getShardPool(needs.databases, account.shard), account.id));
};

interface Shown {
  /** `<shard>_<number>`. */
  id: string;
  channel: string;
  dest: string;
  /** `waiting`, `dialling`, `talking`, a call's status, or a message's. */
  standing: string;
  /** Epoch milliseconds. */
  at: number;
  story?: Line[];
}

/** `at`: epoch milliseconds. */
interface Line {
  at?: number;
  text: string;
}

const lastOf = async (
  needs: DemoHomePageReaderDeps,
  { id: account, shard }: AccountRow,
  open: string,
  language: HomePageLanguage,
): Promise<Shown[]> => {
  const pool = getShardPool(needs.databases, shard);
  const [calls, messages] = await Promise.all([
    findCalls(pool, { account, limit: mostShown }),
    readMessagePage(pool, { account, before: Number.MAX_SAFE_INTEGER, limit: mostShown }),
  ]);
  const all = [
    ...calls.map((row) => callShown(shard, row)),
    ...messages.rows.map((row) => messageShown(shard, row)),
  ];
  const last = all.toSorted((one, other) => other.at - one.at).slice(0, mostShown);
  const told = last.find(({ id }) => id === open);
  if (told) told.story = await storyOf(needs, { shard, account, id: readCallId(open, shard)!.id }, language);
  return last;
};

const callShown = (shard: string, row: CallRow): Shown => ({
  id: writeCallId(shard, row.id),
  channel: 'call',
  dest: row.destination,
  standing: row.status || (row.answered_at !== null ? 'talking' : row.called_at > 0 ? 'dialling' : 'waiting'),
  at: row.requested_at,
});

const messageShown = (shard: string, row: MessageRow): Shown => ({
  id: writeCallId(shard, row.id),
  channel: row.channel,
  dest: row.destination,
  standing: row.state,
  at: row.created_at,
});

/** Its steps, what keeps it waiting, and how it ended. */
const storyOf = async (
  { engine, databases }: DemoHomePageReaderDeps,
  ref: MachineRef,
  language: HomePageLanguage,
): Promise<Line[]> => {
  const view = await engine.view(ref);
  const kind = machineKinds.find(({ name }) => name === view?.kind);
  if (!view || !kind?.record) return [];
  const steps = await engine.history(ref, -1, mostSteps);
  const { reasons } = explainMachine(view, kind, engine.now(ref.shard));
  const record = await readMachineRecord(
    getShardPool(databases, ref.shard),
    kind.record.table,
    ref.account,
    ref.id,
  );
  const outcome = record && callOutcomeSentence(record, language);
  return [
    ...steps.map(({ at, event, state }) => ({ at, text: `${event} → ${state}` })),
    ...reasons
      .filter(({ open }) => open)
      .map(({ rule, detail }) => ({ text: ruleIn(language, rule, detail) })),
    ...(outcome ? [{ text: outcome }] : []),
  ];
};

const ruleIn = (language: HomePageLanguage, rule: string, detail: string): string =>
  language === 'en' ? detail : (describeCallRule(rule)?.says.pt ?? detail);
