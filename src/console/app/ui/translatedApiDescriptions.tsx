/** Words of the declarations in the language of the page: English as they stand, Portuguese out of a file of its own. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { language } from '../browserPreferences.ts';
import { createReactiveStore, useStore } from '../store.ts';
import type { DeclaredWords } from '../portuguese/apiDescriptions/pt.ts';

const english: DeclaredWords = { sentences: {}, names: {}, choices: {} };

/** Portuguese, once it is there; undefined: it was not asked for yet. */
const portuguese = createReactiveStore<DeclaredWords | undefined>(undefined);

const loadPortuguese = async (): Promise<void> => {
  try {
    portuguese.set((await import('../portuguese/apiDescriptions/pt.ts')).declaredPt);
  } catch {
    // Without the file the words stand in English; the next page asks for it again.
  }
};

/** The words that take the place of the declarations' own. Those of Portuguese come a moment after the page. */
const useDeclaredWords = (): DeclaredWords => {
  const isPortuguese = useStore(language) === 'pt';
  const words = useStore(portuguese);
  useEffect(() => {
    if (isPortuguese && words === undefined) void loadPortuguese();
  }, [isPortuguese]);
  return (isPortuguese && words) || english;
};

/** Brings the words before the page that shows them is drawn. */
export const readDeclaredWords = async (): Promise<void> => {
  if (language.get() === 'pt' && portuguese.get() === undefined) await loadPortuguese();
};

const ofOwn = (words: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(words, name) ? words[name] : undefined;

/** A sentence of a declaration; what stands between backticks in it is code. */
export const DeclaredSentence = ({ text }: { text: string }): JSX.Element => {
  const said = ofOwn(useDeclaredWords().sentences, text);
  return <span lang={said === undefined ? 'en' : undefined}>{withCode(said ?? text)}</span>;
};

const withCode = (sentence: string): (string | JSX.Element)[] =>
  sentence
    .split('`')
    .map((piece, nth, all) =>
      nth % 2 === 1 && nth < all.length - 1 ? <code key={nth}>{piece}</code> : piece,
    );

/** A field as the API names it, and in Portuguese what that means before it. */
export const FieldName = ({ name }: { name: string }): JSX.Element => {
  const said = ofOwn(useDeclaredWords().names, name);
  return (
    <>
      {said !== undefined && said !== name && <span class="said">{said} </span>}
      <code>{name}</code>
    </>
  );
};

/** What a field is called where there is room for few letters: in Portuguese its name there, else as the API has it. */
export const useShortFieldName = (): ((name: string) => string) => {
  const { names } = useDeclaredWords();
  return (name) => ofOwn(names, name) ?? name;
};

/** A choice of a record: in Portuguese what it means, as the API writes it on hover. */
export const ChoiceName = ({ value }: { value: string }): JSX.Element => {
  const said = ofOwn(useDeclaredWords().choices, value);
  return (
    <bdi class="foreign" title={said === undefined ? undefined : value}>
      {said ?? value}
    </bdi>
  );
};

/** A choice as the API writes it, and in Portuguese what it means beside it. */
export const useChoiceText = (): ((value: string) => string) => {
  const { choices } = useDeclaredWords();
  return (value) => {
    const said = ofOwn(choices, value);
    return said === undefined ? value : `${value} (${said})`;
  };
};
