/** What is lit on a chart as a history goes on: states and how often each was visited, transitions, where the machine is. */
import { withAncestors } from './statechartData.ts';
import type { HistoryEntryTransitions } from './highlightMachineHistory.ts';

type Certainty = 'known' | 'guessed';

export class Walk {
  /** How often each state was entered; of a state that holds others, how often from outside. */
  readonly visits: Map<string, number>;
  readonly taken: Map<number, Certainty>;
  /** Where the machine is; '' before its first step. */
  active: string;

  constructor(from?: Walk) {
    this.visits = new Map(from?.visits);
    this.taken = new Map(from?.taken);
    this.active = from?.active ?? '';
  }

  follow({ state, states, transitions }: HistoryEntryTransitions): void {
    for (const { id, certainty } of transitions)
      if (this.taken.get(id) !== 'known') this.taken.set(id, certainty);
    for (const entered of states) this.#enter(entered);
    // Where the chart has no way, the machine got there all the same.
    if (this.active !== state) this.#enter(state);
  }

  #enter(state: string): void {
    const around = this.active === '' ? [] : withAncestors(this.active);
    for (const id of withAncestors(state))
      if (id === state || !around.includes(id)) this.visits.set(id, (this.visits.get(id) ?? 0) + 1);
    this.active = state;
  }
}
