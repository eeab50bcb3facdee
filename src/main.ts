/** Starts the service and, when asked to, ends it. Everything is put together in `compose/`. */
import { startupBanner } from './terminal/banner.ts';
import { shutdownFarewellText, type WorkLeftAtShutdown } from './terminal/workLeftAtShutdown.ts';
import { endOnSurprise, flushLogAndExit } from './lib/uncaughtErrorShutdown.ts';
import { startService } from './compose/service.ts';
import { readConfig } from './config.ts';
import { openLog } from './log.ts';
import { isTransientDatabaseError } from './store/transientError.ts';

/** One Ctrl-C comes twice when npm stands between, from the terminal and from npm: so soon it is the same wish. */
const sameWishMs = 500;

const main = async (): Promise<void> => {
  const config = readConfig(process.env);
  const log = openLog(config.logLevel);
  const starting = startService(config, log, {
    restored: process.argv.includes('--restored'),
    // An operator who names the token sets the account up as well.
    furnished: config.given.demoToken === undefined,
    // Programs that read the output read JSON lines; people see what became of each call.
    ...(process.stdout.isTTY && { show: (line: string) => void process.stdout.write(line) }),
  });
  let stopped: Promise<WorkLeftAtShutdown> | undefined;
  const stop = (): Promise<WorkLeftAtShutdown> => (stopped ??= starting.then((service) => service.stop()));
  endOnSurprise(log, async () => void (await stop()));

  // Heard from the first moment on: what was begun by then is ended in order as well.
  let askedAt: number | undefined;
  const end = (signal: NodeJS.Signals): void => {
    if (askedAt !== undefined) {
      // A second signal means that the operator does not want to wait.
      if (performance.now() - askedAt > sameWishMs) process.exit(1);
      return;
    }
    askedAt = performance.now();
    log.info({ signal }, 'stopping');
    void stop().then(
      (remaining) => {
        process.stdout.write(shutdownFarewellText(remaining));
        return flushLogAndExit(log, 0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'could not stop in order');
        return flushLogAndExit(log, 1);
      },
    );
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);

  const service = await starting;
  process.stdout.write(
    startupBanner(config, {
      secrets: service.secrets,
      others: service.others(),
      console: await service.signInLink(),
    }),
  );
};

try {
  await main();
} catch (error) {
  const away = isTransientDatabaseError(error) ? 'a database (DATABASE_URL, SHARDS) is away: ' : '';
  const why = error instanceof Error ? error.message : String(error);
  process.stderr.write(`Ramal did not start: ${away}${why}\n`);
  process.exit(1);
}
