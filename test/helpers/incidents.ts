/**
 * Errors behind answers of 500. None passes unseen: a test that meets one fails with the error itself, unless it said
 * before that it wants one.
 */
export interface Incidents {
  /** Hears a line of the service's log. */
  hear(line: string): void;
  /** Internal errors are what is wanted while this is done. */
  wanted<T>(work: () => Promise<T>): Promise<T>;
  /** Throws what nobody wanted, and has not been thrown yet. */
  throwAny(): void;
}

interface Logged {
  incident?: string;
  err?: { stack?: string; message?: string };
}

export const collectIncidents = (): Incidents => {
  let unexplained: string[] = [];
  let wishes = 0;
  return {
    hear: (line) => {
      if (wishes > 0 || !line.includes('"incident"')) return;
      const { incident, err } = JSON.parse(line) as Logged;
      if (incident) unexplained.push(`incident ${incident}: ${storyOf(err)}`);
    },
    wanted: async (work) => {
      wishes += 1;
      try {
        return await work();
      } finally {
        wishes -= 1;
      }
    },
    throwAny: () => {
      const found = unexplained;
      unexplained = [];
      if (found.length > 0) throw new Error(`the service answered 500\n${found.join('\n')}`);
    },
  };
};

/** The stack with its causes, and what else the error carries: codes, and a database's details. */
const storyOf = ({ stack, message, ...rest }: NonNullable<Logged['err']> = {}): string =>
  `${stack ?? message}\n${JSON.stringify(rest)}`;
