/** The machine as it was read first, and as the stream moves it on. */
import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type MachineExplainAnswer,
  fetchMachineExplanation,
  type ConsoleStreamMachine,
  type MachineApiAnswer,
  fetchMachine,
} from '../../data.ts';
import { language } from '../../settings.ts';
import { useStore } from '../../store.ts';
import { useStream } from '../../stream.ts';

export interface ShownMachine {
  machine: ConsoleStreamMachine;
  record: MachineApiAnswer['record'];
}

/** `news`: how often its history has to be read again: the stream told that it moved on, or `readAgain` did. */
export const useLiveMachine = (id: string, account: string | null) => {
  const [shown, setShown] = useState<ShownMachine>();
  const [failure, setFailure] = useState<unknown>();
  const [topics, setTopics] = useState<string>();
  const [news, setNews] = useState(0);
  const known = useRef<number>(undefined);
  useEffect(() => {
    let isGone = false;
    fetchMachine(id, account).then(
      (answer) => {
        if (isGone) return;
        known.current = answer.revision;
        setShown({ machine: answer, record: answer.record });
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
      // At first the stream tells how it stands, which was read a moment ago.
      if (machine.revision === known.current) return;
      known.current = machine.revision;
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
  useEffect(() => {
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
