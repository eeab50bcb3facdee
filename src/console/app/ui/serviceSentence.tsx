/** A sentence of the service, in which moments stand as the other times of the page do. */
import type { JSX } from 'preact';
import { partsOfSentence } from '../momentsInSentences.ts';
import { When } from './when.tsx';

/** `zone`: of the account. */
export const ServiceSentence = ({ text, zone }: { text: string; zone?: string | undefined }): JSX.Element => (
  <>
    {partsOfSentence(text, zone).map((part) =>
      part.at === undefined ? part.text : <When at={part.at} zone={zone} />,
    )}
  </>
);
