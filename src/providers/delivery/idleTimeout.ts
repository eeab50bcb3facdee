/** Content that remembers its own failure, so that it is not taken for one of the place it was written to. */
export interface FailureTrackingContent extends AsyncIterable<string> {
  /** What broke the content; undefined: nothing did. */
  failure(): unknown;
}

export const rememberContentSourceError = (content: AsyncIterable<string>): FailureTrackingContent => {
  let failure: unknown;
  return {
    failure: () => failure,
    // Not a generator: a stream throws the other side's failure into those.
    [Symbol.asyncIterator]() {
      const inner = content[Symbol.asyncIterator]();
      return {
        next: () =>
          inner.next().catch((error: unknown) => {
            failure = error;
            throw error;
          }),
        return: async () => (await inner.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
};
