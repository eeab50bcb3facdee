/** What writes dates and hours. One is dear to make, and to be rid of: each is made once for a language, a zone and its parts. */
import { language, localeOf } from './browserPreferences.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** In the language of the page, on the clock of a zone (absent: the viewer's). Throws a RangeError for a zone that the browser does not know. */
export const dateFormat = (options: Intl.DateTimeFormatOptions, zone?: string): Intl.DateTimeFormat => {
  const locale = localeOf(language.get());
  const key = `${locale} ${zone ?? ''} ${JSON.stringify(options)}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat(locale, zone === undefined ? options : { ...options, timeZone: zone });
    formats.set(key, format);
  }
  return format;
};
