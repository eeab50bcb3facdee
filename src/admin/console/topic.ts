/** What a stream tells of. */
import type { Written } from '../declare.ts';
import type { StreamNews } from './news.ts';

/** One thing of it. */
export interface News {
  event: string;
  body: object;
}

/** The same, of the shape that its readers expect under this name. */
export interface NewsOf<Name extends keyof StreamNews> extends News {
  event: Name;
  body: Written<StreamNews[Name]> & object;
}

/** Remembers a text with the object that it was made of. */
export const memoized = <Of extends object>(textOf: (of: Of) => string): ((of: Of) => string) => {
  const texts = new WeakMap<Of, string>();
  return (of) => {
    const known = texts.get(of) ?? textOf(of);
    texts.set(of, known);
    return known;
  };
};

export interface Topic {
  /** What is new since it was asked last; undefined: nothing. */
  news(): Promise<News | undefined>;
  /** Tells `heard` when there may be news sooner than the next look. */
  watch(heard: () => void): () => void;
  /** `a_17=5`: up to where its reader has it; undefined: it is told whole each time. */
  position(): string | undefined;
}

/** One that tells news of one name. */
export interface TopicOf<Name extends keyof StreamNews> extends Topic {
  news(): Promise<NewsOf<Name> | undefined>;
}
