/** Names of files that are still being written. */

/** Beside the file, hidden, and different for every performance: a process that was thought dead writes into its own. */
export const temporaryName = (file: string, draft: string): string => `.${file}.${draft}.part`;

/** Whether an entry is a draft of this delivery that an earlier performance left. `draft`: `<delivery>-<performance>`. */
export const isTemporaryNameOf = (entry: string, file: string, draft: string): boolean => {
  const [delivery = ''] = draft.split('-');
  return entry.startsWith(`.${file}.${delivery}-`) && entry.endsWith('.part');
};
