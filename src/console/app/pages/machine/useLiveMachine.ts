/** The machine as it was read first, and as the stream moves it on. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import {
  type MachineExplainAnswer,
  fetchMachineExplanation,
  type ConsoleStreamMachine,
  type MachineApiAnswer,
  fetchMachine,
} from '../../data.ts';
import { forgetEarlyAnswers } from '../../api.ts';
import { language } from '../../browserPreferences.ts';
import { useStore } from '../../store.ts';
import { useStream } from '../../stream.ts';

export interface ShownMachine {
  machine: ConsoleStreamMachine;
  record: MachineApiAnswer['record'];
  /** Events that operators may send it. */
  events: MachineApiAnswer['events'];
  /** What it says and plays. */
  sounds: MachineApiAnswer['sounds'];
  /** Time zone of its account. */
  zone: string;
}

/**
 * `news`: how often its history has to be read again: the stream told that it moved on, or `readAgain` did. `hasFailed`:
 * whether its history could not be read.
 */
export const useLiveMachine = (id: string, account: string | null, hasFailed: () => boolean) => {
  const [shown, setShown] = useState<ShownMachine>();
  const [failure, setFailure] = useState<unknown>();
  const [topics, setTopics] = useState<string>();
  const [news, setNews] = useState(0);
  /** As it was read at first, until the stream has told how it stands. */
  const readFirst = useRef<number>(undefined);
  // What was brought before the page is there is drawn with it.
  useLayoutEffect(() => {
    let isGone = false;
    fetchMachine(id, account).then(
      (answer) => {
        if (isGone) return;
        readFirst.current = answer.revision;
        setShown({
          ...{ machine: answer, record: answer.record, sounds: answer.sounds, events: answer.events },
          zone: answer.time_zone,
        });
        setTopics(`machine:${answer.id}@${answer.revision}`);
      },
      (error: unknown) => !isGone && setFailure(error),
    );
    return () => {
      isGone = true;
    };
  }, [id, account]);
  useStream(topics, {
    machine: ({ machine }) => {
      setShown((before) => before && { ...before, machine });
      // At first the stream tells how it stands, which was read a moment ago; after a cut it tells of what may be missing.
      const isKnown = machine.revision === readFirst.current && !hasFailed();
      readFirst.current = undefined;
      if (isKnown) return;
      forgetEarlyAnswers();
      setNews((count) => count + 1);
      void fetchMachine(id, account).then(
        ({ record }) => setShown((before) => before && { ...before, record }),
        () => undefined,
      );
    },
  });
  return { shown, failure, news, readAgain: () => setNews((count) => count + 1) };
};

/** What it is doing, in sentences; asked anew with every revision. */
export const useMachineSentences = (id: string, account: string | null, revision: number): string[] => {
  const of = useStore(language);
  const [told, setTold] = useState<MachineExplainAnswer>();
  useLayoutEffect(() => {
    let isGone = false;
    fetchMachineExplanation(id, account, of).then(
      (answer) => !isGone && setTold(answer),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [id, account, of, revision]);
  return told?.sentences ?? [];
};
