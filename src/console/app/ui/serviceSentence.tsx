/** A sentence of the service, in which days and moments stand as the other times of the page do. */
import type { JSX } from 'preact';
import { type ConsoleLanguage, language } from '../browserPreferences.ts';
import { partsOfSentence } from '../momentsInSentences.ts';
import { useStore } from '../store.ts';
import { Day, When } from './when.tsx';

/** `zone`: of the account. */
export const ServiceSentence = ({ text, zone }: { text: string; zone?: string | undefined }): JSX.Element => (
  <>
    {partsOfSentence(text, zone).map(({ text: part, at, isDay }) => {
      if (isDay) return <Day day={part} />;
      return at === undefined ? part : <When at={at} zone={zone} />;
    })}
  </>
);

/** One that the service says in each language, in that of the page. */
export const TranslatedServiceSentence = ({
  says,
  zone,
}: {
  says: Readonly<Record<ConsoleLanguage, string>>;
  zone?: string | undefined;
}): JSX.Element => <ServiceSentence text={says[useStore(language)]} zone={zone} />;
