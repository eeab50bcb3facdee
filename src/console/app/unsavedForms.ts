/** Forms that hold what was typed and not saved: it is asked before a page with one is left. */
import { useEffect, useRef } from 'preact/hooks';
import { createReactiveStore } from './store.ts';

const forms = new Set<() => boolean>();

export const hasUnsavedForm = (): boolean => [...forms].some((isUnsaved) => isUnsaved());

/** What goes on when a person leaves all the same; undefined: nothing is asked. */
export const leaveQuestionStore = createReactiveStore<(() => void) | undefined>(undefined);

/** Goes on at once, or once a person has said that what was typed may be lost. */
export const askBeforeLeaving = (goOn: () => void): void => {
  if (hasUnsavedForm()) leaveQuestionStore.set(goOn);
  else goOn();
};

/** The browser asks by itself, in its own words. */
const askBeforeClosing = (event: BeforeUnloadEvent): void => {
  if (hasUnsavedForm()) event.preventDefault();
};

const watchForm = (isUnsaved: () => boolean): (() => void) => {
  forms.add(isUnsaved);
  addEventListener('beforeunload', askBeforeClosing);
  return () => {
    forms.delete(isUnsaved);
    if (forms.size === 0) removeEventListener('beforeunload', askBeforeClosing);
  };
};

/** While its form is shown a page is not left without a question when `isUnsaved` says so. */
export const useUnsavedForm = (isUnsaved: () => boolean): void => {
  const current = useRef(isUnsaved);
  current.current = isUnsaved;
  useEffect(() => watchForm(() => current.current()), []);
};
