/** Which number is asked about: it stands in the path, or a call of it does, by its name or its correlation id. */
import { phoneNumberVariants } from '../console/numbers.ts';
import type { AdminDeps } from '../deps.ts';
import { AdminError, notFound } from '../adminErrorsAndRequestParsing.ts';
import { findUnstorableCharacter } from '../../lib/clientTextEncoding.ts';
import { containsMaskedPhoneNumber } from '../../lib/maskPhoneNumbers.ts';
import { findCallByIdOrCorrelation } from '../../store/reads/why/callsToNumber.ts';
import type { AccountRow } from '../../store/controlDatabase.ts';
import { readCallId, writeCallId } from '../../wire/callId.ts';

/** For operators who see numbers masked, and copy one. */
const hiddenDigits =
  'hides digits of its number: open the number by its link, or ask by the id of one of its calls';

export interface NumberInquiry {
  /** As it may stand in records, the likeliest first. */
  numbers: readonly string[];
  /** The call by which it was asked; undefined: by its number. */
  call?: string;
  /** Whose calls are looked at. */
  accounts: readonly AccountRow[];
}

/** Throws a 404 when no number, and no call, is named like this, and for a number that is masked. */
export const readNumberInquiry = async (
  deps: AdminDeps,
  written: string,
  account: number | undefined,
): Promise<NumberInquiry> => {
  const all = await accountsAsked(deps, account);
  const text = written.trim();
  if (containsMaskedPhoneNumber(text)) throw new AdminError(404, `${text.slice(0, 60)} ${hiddenDigits}`);
  if (findUnstorableCharacter(text) !== undefined) throw notFound('a number or call named like this');
  const numbers = phoneNumberVariants(text);
  if (numbers.length > 0) return { numbers, accounts: all };
  const found = await Promise.all(
    deps.shards.map(async (shard) => {
      const named = readCallId(text, '');
      if (named && named.shard !== '' && named.shard !== shard) return undefined;
      const own = accountIdsInShard(all, shard);
      const call = await findCallByIdOrCorrelation(deps.pool(shard), {
        accounts: own,
        text,
        id: named?.id ?? null,
      });
      return call && { ...call, shard };
    }),
  );
  const call = found.find((one) => one !== undefined);
  if (!call) throw notFound(`number or call ${written.slice(0, 60)}`, ...deps.shards);
  return { numbers: [call.destination], call: writeCallId(call.shard, call.id), accounts: all };
};

const accountsAsked = async (deps: AdminDeps, account: number | undefined): Promise<AccountRow[]> => {
  if (account === undefined) return deps.control.everyAccount();
  const one = await deps.control.account(account);
  if (!one) throw notFound(`account ${account}`);
  return [one];
};

export const accountIdsInShard = (accounts: readonly AccountRow[], shard: string): number[] =>
  accounts.filter((account) => account.shard === shard).map(({ id }) => id);
