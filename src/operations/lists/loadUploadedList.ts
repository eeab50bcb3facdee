/** From an uploaded list to rows: for CreateDestinationBase, and for campaigns that bring their list along. */
import type { ExclusiveKeyClaimRequest } from '../../engine/contract/api.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import type { Services } from '../services.ts';
import type { UploadedFile } from '../operationUploadTypes.ts';
import type { ListLoadFailure, ListLoadJob, ListLoadSuccess } from './job.ts';

export interface ListSource {
  file: UploadedFile;
  as: ListLoadJob['as'];
}

export interface ListToLoad {
  account: AccountRow;
  name: string;
  correlation: string;
  source: ListSource;
  /** Whether a list of which every record is refused is stored. Default: it is not. */
  keepsAllRefused?: boolean;
  /** Keys to claim with the list, once it is known what it holds. */
  claims?: (loaded: ListLoadSuccess) => ExclusiveKeyClaimRequest[];
}

/** Loads a list, or keeps nothing of it. Throws when the database is away, and `Unavailable` when many others load. */
export const loadUploadedList = async (
  services: Services,
  { account, name, correlation, source, keepsAllRefused = false, claims }: ListToLoad,
): Promise<ListLoadSuccess | ListLoadFailure> => {
  const { file, as } = source;
  const job = {
    account: account.id,
    id: await services.lists.newId(),
    name,
    correlation,
    at: services.engine.now(account.shard),
    maxRecords: services.lists.maxRecords,
    keepsAllRefused,
    file: { path: file.path, name: file.name, bytes: file.bytes },
    as,
  };
  return services.lists.load(account.shard, job, async (loaded) => claims?.(loaded) ?? []);
};
