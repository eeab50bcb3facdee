/** `ramal reconcile`: the databases of this installation, opened for as long as they are reconciled. */
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import {
  reconcileDatabasesFromJournals,
  type JournalReconciliationReport,
  type JournalReconcileRequest,
  refuseUnlessJournals,
} from '../recovery/reconcileFromJournals.ts';
import { withDatabases } from './databases.ts';

/** Reconciles them in turn. Throws a sentence for a folder that holds no journals. */
export const reconcileWithJournals = (
  config: Config,
  log: Log,
  request: JournalReconcileRequest,
): Promise<JournalReconciliationReport> => {
  for (const folder of request.folders) refuseUnlessJournals(folder, config);
  return withDatabases(config, log, (databases) =>
    reconcileDatabasesFromJournals(databases, config, log, request),
  );
};
