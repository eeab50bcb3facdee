/** Forms are ISO-8859-1 unless they say otherwise (spec 4.2, 4.8 `encoding`), and many a sender forgets to say so. */
import { isMisreadUtf8 } from '../lib/clientTextEncoding.ts';

interface Spoken {
  /** Names of the parameters that were given. */
  provided: ReadonlySet<string>;
  warn(sentence: string): void;
}

/** Warns of the first text, by its REST name, that will be spoken as `OlÃ¡`. Who names an encoding knows. */
export const warnOfMisreadUtf8 = (
  { provided, warn }: Spoken,
  texts: Readonly<Record<string, string | undefined>>,
): void => {
  if (provided.has('encoding')) return;
  const misread = Object.entries(texts).find(([, text]) => text !== undefined && isMisreadUtf8(text));
  if (misread)
    warn(
      `${misread[0]} looks like UTF-8 that was read as ISO-8859-1; send encoding=UTF-8 with a form, 2UTF-8 with JSON`,
    );
};
