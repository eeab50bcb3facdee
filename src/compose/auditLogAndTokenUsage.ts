/** The audit log put together: who comes in at any door is counted, and what is too old is removed. */
import type { Middleware } from 'koa';
import { AccessTokenUsageCounter } from '../access/audit/tokenUsage.ts';
import { accessRecordOf } from '../access/accessRecord.ts';
import type { InterruptibleUpkeepWork } from '../engine/cluster/scheduledUpkeep.ts';
import type { Log } from '../log.ts';
import { AuditLog } from '../store/auditLog.ts';
import { AdminOperatorStore } from '../store/adminOperatorsAndSessions.ts';
import { SignInCodes } from '../store/signInCodes.ts';
import type { Databases } from './databases.ts';

export interface AuditLogAndTokenUsage {
  log: AuditLog;
  uses: AccessTokenUsageCounter;
  /** Stands in front of the doors and counts the token uses that they noted. */
  counting: Middleware;
  /** Writes what was counted. */
  stop(): Promise<void>;
}

export const openAuditLogAndTokenUsage = (databases: Databases, log: Log): AuditLogAndTokenUsage => {
  const now = () => Date.now();
  const audit = new AuditLog(databases.control.pool, now);
  const uses = new AccessTokenUsageCounter({
    write: (entries) => audit.add(entries),
    now,
    failed: (error) => log.warn({ err: error }, 'uses of tokens wait for the audit log'),
  });
  uses.start();
  return {
    log: audit,
    uses,
    counting: async (ctx, next) => {
      await next();
      const record = accessRecordOf(ctx);
      if (record) uses.note(record, record.outcome ?? ctx.status);
    },
    stop: () => uses.stop(),
  };
};

const dayMs = 86_400_000;
/** Entries removed by one statement. */
const forgottenAtOnce = 5_000;

/** Entries older than `days`, and sessions and codes that ended long ago. */
export const auditLogCleanup = (databases: Databases, days: number): InterruptibleUpkeepWork => {
  const now = () => Date.now();
  const audit = new AuditLog(databases.control.pool, now);
  const operators = new AdminOperatorStore(databases.control.prisma, now);
  const codes = new SignInCodes(databases.control.prisma, now);
  return {
    name: 'audit log',
    run: async (at, mayGoOn) => {
      await operators.forgetSessions();
      await codes.forget();
      for (let gone = forgottenAtOnce; gone === forgottenAtOnce && mayGoOn();)
        gone = await audit.forget(at - days * dayMs, forgottenAtOnce);
    },
  };
};
