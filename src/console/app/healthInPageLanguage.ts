/** What the service says of its own parts, in the language of the page. */
import { useEffect } from 'preact/hooks';
import { language } from './browserPreferences.ts';
import { explainStorageWords } from './explainStorageWords.ts';
import { showInstants } from './showInstants.ts';
import { createReactiveStore, useStore } from './store.ts';

export interface HealthWords {
  /** What a part is called. */
  name(check: string): string;
  /** How it is with a part; as it came where the page's language has no words for it. */
  detail(sentence: string): string;
}

const english: HealthWords = {
  name: (check) => check,
  detail: (sentence) => showInstants(explainStorageWords(sentence)),
};

/** Once they are there; undefined: they were not asked for yet. */
const portuguese = createReactiveStore<HealthWords | undefined>(undefined);

const loadPortuguese = async (): Promise<void> => {
  try {
    const { checkNameInPortuguese, healthInPortuguese } = await import('./portuguese/refusals/pt.ts');
    portuguese.set({
      name: checkNameInPortuguese,
      detail: (sentence) => showInstants(healthInPortuguese(sentence) ?? explainStorageWords(sentence)),
    });
  } catch {
    // Without the file the sentences stand in English; the next page asks for it again.
  }
};

/** Those of Portuguese come a moment after the page. */
export const useHealthWords = (): HealthWords => {
  const isPortuguese = useStore(language) === 'pt';
  const words = useStore(portuguese);
  useEffect(() => {
    if (isPortuguese && words === undefined) void loadPortuguese();
  }, [isPortuguese]);
  return (isPortuguese && words) || english;
};
