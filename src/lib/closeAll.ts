/** Taking down what was opened, the last first. */

export type End = () => Promise<unknown> | void;

/** What cannot end in order, its database being away, keeps nothing else open; it is told when all have been asked. */
export const closeAll = async (opened: readonly End[]): Promise<void> => {
  const failures: unknown[] = [];
  for (const end of opened.toReversed()) {
    try {
      await end();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'not everything ended in order');
};
