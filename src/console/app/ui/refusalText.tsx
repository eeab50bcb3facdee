/** A sentence with which the service refuses something, in the language of the page. */
import type { JSX } from 'preact';
import { language } from '../browserPreferences.ts';
import { refusalInPageLanguage } from '../refusalInPageLanguage.ts';
import { useStore } from '../store.ts';
import { useFetch } from './useRead.ts';

/** As it came until its words are there. */
export const RefusalText = ({ text }: { text: string }): JSX.Element => {
  const { answer } = useFetch(`${useStore(language)} ${text}`, () => refusalInPageLanguage(text));
  return <>{answer ?? text}</>;
};
