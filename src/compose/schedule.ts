/** A schedule of cron expressions, kept by node-cron. */
import { createTask } from 'node-cron';
import type { UpkeepSchedule } from '../config.ts';
import type { StartRecurringTimer } from '../engine/cluster/scheduledUpkeep.ts';
import type { Log } from '../log.ts';

/** A turn that a busy or stopped process comes to later than this is left out, milliseconds. */
const TOLERATED_MS = 10 * 60_000;

export const cronTrigger =
  (
    { cron, timeZone }: UpkeepSchedule,
    log: Pick<Log, 'info' | 'warn' | 'error' | 'debug'>,
  ): StartRecurringTimer =>
  (due) => {
    const task = createTask(cron, due, {
      timezone: timeZone,
      missedExecutionTolerance: TOLERATED_MS,
      unref: true,
      logger: loggerOf(log),
    });
    void task.start();
    log.info({ cron, timeZone, next: task.getNextRun() }, 'heavy upkeep is scheduled');
    return () => void task.destroy();
  };

type CronLogger = NonNullable<NonNullable<Parameters<typeof createTask>[2]>['logger']>;

const loggerOf = (log: Pick<Log, 'info' | 'warn' | 'error' | 'debug'>): CronLogger => ({
  info: (message) => log.info(message),
  warn: (message) => log.warn(message),
  error: (message, error) => log.error({ err: error ?? message }, 'the schedule of heavy upkeep failed'),
  debug: (message) => log.debug(String(message)),
});
