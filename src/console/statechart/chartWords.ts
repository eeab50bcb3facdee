/** What a drawing says beside the names of its chart: on paper in English, in a page in the page's language. */

export interface ChartWords {
  /** Above the chart itself. */
  heading(kind: string, version: number): string;
  /** Before the events that are heard in every state and lead to none. */
  inAnyState: string;
  /** Before the events that lead to `state` from every other. */
  fromAnyStateTo(state: string): string;
  /** Where lines come into a level from other levels. */
  fromOutside: string;
}

export const englishChartWords: ChartWords = {
  heading: (kind, version) => `${kind}, version ${version}`,
  inAnyState: 'In any state, without leaving it, on',
  fromAnyStateTo: (state) => `From any state to ${state} on`,
  fromOutside: 'from outside',
};

/** The heading of the events that lead to a state, or to none, from everywhere. */
export const legendHeading = (words: ChartWords, target: string | undefined): string =>
  target === undefined ? words.inAnyState : words.fromAnyStateTo(target);
