/** Rows that several processes make at once when they start together. */

/** Makes them; a neighbour that starts at the same moment may have been faster. */
export const ignoreUniqueViolation = async (make: () => Promise<unknown>): Promise<void> => {
  try {
    await make();
  } catch (error) {
    if ((error as { code?: string }).code !== 'P2002') throw error;
  }
};
