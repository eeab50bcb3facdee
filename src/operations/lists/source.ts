/** The list that came with a request: a file, or the parameter `datajson`. */
import { listColumnNames } from '../../rules/lists/columns.ts';
import type { ListLoadSuccess } from './job.ts';
import type { RequestContext } from '../declare.ts';
import type { ListSource } from './loadUploadedList.ts';
import type { ParamDeclarations } from '../param.ts';
import type { DeclaredErrors } from '../refused.ts';

/** Undefined: none came. Of both, the file counts, and a warning says so. */
export const uploadedListSource = ({
  file,
  spilled,
  warn,
}: Pick<RequestContext<ParamDeclarations, DeclaredErrors>, 'file' | 'spilled' | 'warn'>):
  | ListSource
  | undefined => {
  const records = spilled['datajson'];
  if (file && records) warn('datajson: ignored, because there is a file');
  if (file) return { file, as: 'file' };
  return records && { file: records, as: 'records' };
};

/** Why a list cannot be loaded: what is said of the whole of it names the parameter that it came in. */
export const listFaultText = ({ as }: ListSource, why: string): string =>
  as === 'records' && why.startsWith('it ') ? `datajson: ${why}` : why;

/** Warns of values that no column takes. */
export const warnOfCutRecords = (
  { warn }: Pick<RequestContext<ParamDeclarations, DeclaredErrors>, 'warn'>,
  { cut }: ListLoadSuccess,
): void => {
  if (cut > 0) warn(`values behind ${listColumnNames.at(-1)} are not kept: of ${cut} records`);
};

/** Of a list without a name (spec 4.6). `at`: epoch milliseconds; the name says seconds. */
export const defaultListName = (account: number, { as }: ListSource, at: number): string =>
  `API_${as === 'file' ? 'file' : 'json'}_${account}_${Math.floor(at / 1000)}`;
