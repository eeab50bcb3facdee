/** The list that came with a request: a file, or the parameter `datajson`. */
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

/** Of a list without a name (spec 4.6). `at`: epoch milliseconds; the name says seconds. */
export const defaultListName = (account: number, { as }: ListSource, at: number): string =>
  `API_${as === 'file' ? 'file' : 'json'}_${account}_${Math.floor(at / 1000)}`;
