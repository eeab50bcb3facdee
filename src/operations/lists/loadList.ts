/** From an uploaded list to rows: for CreateDestinationBase, and for campaigns that bring their list along. */
import type { ClaimRequest } from '../../engine/verbs.ts';
import { ListBroken } from '../../rules/lists/broken.ts';
import { ListRows } from '../../rules/lists/rows.ts';
import type { AccountRow } from '../../store/control.ts';
import { storeList } from '../../store/sql/storeList.ts';
import type { Services } from '../services.ts';
import type { UploadedFile } from '../upload.ts';
import { inspectList } from './inspect.ts';
import { readList } from './readList.ts';

export interface ListSource {
  file: UploadedFile;
  /** `records`: the parameter `datajson`, which is JSON whatever it is called. */
  as: 'file' | 'records';
}

export interface ListToLoad {
  account: AccountRow;
  name: string;
  correlation: string;
  source: ListSource;
  /** Keys to claim with the list, once it is known what it holds. */
  claims?: (loaded: ListLoaded) => ClaimRequest[];
}

export interface ListLoaded {
  id: number;
  /** Records that were taken, and refused. */
  accepted: number;
  rejected: number;
  /** Stored. */
  bytes: number;
}

/**
 * Why there is no list. `executable`: a program; `notJson`: JSON that is none, or holds no records; `broken`: CSV
 * that breaks; `tooMany` records; `empty`: no record was accepted; `claimed`: another owner holds a claim.
 */
export interface ListFailure {
  failed: 'executable' | 'notJson' | 'broken' | 'tooMany' | 'empty' | 'claimed';
  /** A sentence for the caller. */
  why: string;
}

/** Loads a list, or keeps nothing of it. Throws when the database is away, and `Unavailable` when many others load. */
export const loadList = (services: Services, list: ListToLoad): Promise<ListLoaded | ListFailure> =>
  services.lists.turns.take(() => load(services, list));

const load = async (services: Services, list: ListToLoad): Promise<ListLoaded | ListFailure> => {
  const { account, source, name, correlation } = list;
  const inspected = await inspectList(source.file);
  if (inspected.program) return { failed: 'executable', why: `the file is ${inspected.program}` };
  const form = source.as === 'records' ? 'json' : inspected.form;
  const id = await services.lists.newId();
  const rows = new ListRows({ account: account.id, id, maxRecords: services.lists.maxRecords });
  const loaded = (): ListLoaded => ({
    id,
    accepted: rows.accepted,
    rejected: rows.rejected,
    bytes: rows.bytes,
  });
  const reading = readList(source.file, { ...inspected, form }, rows);
  try {
    const stored = await storeList(
      services.database(account.shard),
      {
        account: account.id,
        id,
        name,
        file: source.as === 'file' ? source.file.name : '',
        correlation,
        at: services.engine.now(account.shard),
        claims: () => list.claims?.(loaded()) ?? [],
      },
      rows,
      reading,
    );
    if (stored === 'stored') return loaded();
    if (stored === 'taken') return { failed: 'claimed', why: 'the same request was answered meanwhile' };
    return { failed: 'empty', why: emptyText(rows.rejected) };
  } catch (error) {
    if (!(error instanceof ListBroken)) throw error;
    return { failed: error.tooMany ? 'tooMany' : form === 'json' ? 'notJson' : 'broken', why: error.message };
  } finally {
    await reading.return(undefined);
  }
};

const emptyText = (rejected: number): string =>
  rejected === 0 ? 'there are no records' : `none of the ${rejected} records has a telephone number`;
