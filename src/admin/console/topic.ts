/** What a stream tells of. */
import type { AllowBigints } from '../routeDeclaration.ts';
import type { StreamEventPayloads } from './news.ts';

/** One thing of it. */
export interface News {
  event: string;
  body: object;
}

/** The same, of the shape that its readers expect under this name. */
export interface TypedStreamEvent<Name extends keyof StreamEventPayloads> extends News {
  event: Name;
  body: AllowBigints<StreamEventPayloads[Name]> & object;
}

/** Remembers a text with the object that it was made of. */
export const memoizeByObject = <Of extends object>(textOf: (of: Of) => string): ((of: Of) => string) => {
  const texts = new WeakMap<Of, string>();
  return (of) => {
    const known = texts.get(of) ?? textOf(of);
    texts.set(of, known);
    return known;
  };
};

export interface StreamNewsSource {
  /** What is new since it was asked last; undefined: nothing. */
  news(): Promise<News | undefined>;
  /** Tells `heard` when there may be news sooner than the next look. */
  watch(heard: () => void): () => void;
  /** `a_17=5`: up to where its reader has it; undefined: it is told whole each time. */
  position(): string | undefined;
}

/** One that tells news of one name. */
export interface TypedStreamTopic<Name extends keyof StreamEventPayloads> extends StreamNewsSource {
  news(): Promise<TypedStreamEvent<Name> | undefined>;
}
