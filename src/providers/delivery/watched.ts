/** Content that remembers its own failure, so that it is not taken for one of the place it was written to. */
export interface Watched extends AsyncIterable<string> {
  /** What broke the content; undefined: nothing did. */
  failure(): unknown;
}

export const watched = (content: AsyncIterable<string>): Watched => {
  let failure: unknown;
  return {
    failure: () => failure,
    async *[Symbol.asyncIterator]() {
      try {
        yield* content;
      } catch (error) {
        failure = error;
        throw error;
      }
    },
  };
};
