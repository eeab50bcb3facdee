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
  /** Before the time of a timer: `after 60 s`. */
  after: string;
  /** On the line that is followed when no guard holds. */
  otherwise: string;
}

export const englishChartWords: ChartWords = {
  heading: (kind, version) => `${kind}, version ${version}`,
  inAnyState: 'In any state, without leaving it, on',
  fromAnyStateTo: (state) => `From any state to ${state} on`,
  fromOutside: 'from outside',
  after: 'after',
  otherwise: 'else',
};

/** A label of the layout, `after 60 s` or `isOpen, else`, in the words of a drawing: names of the chart stay as they are. */
export const labelInWords = (label: string, { after, otherwise }: ChartWords): string =>
  label
    .replace(/(^|[ ,])after (?=\w)/g, (_, before: string) => `${before}${after} `)
    .replace(/(^|[ ,])else(?=$|[ ,…])/g, (_, before: string) => `${before}${otherwise}`);

/** The heading of the events that lead to a state, or to none, from everywhere. */
export const legendHeading = (words: ChartWords, target: string | undefined): string =>
  target === undefined ? words.inAnyState : words.fromAnyStateTo(target);
