/** Where in a form mistakes are shown: each at the nearest field that is shown of the one that is wrong. */
import { useEffect, useState } from 'preact/hooks';
import type { FieldMistake } from './plainFieldInputs.tsx';

interface FormElement {
  current: HTMLFormElement | null;
}

const fieldSelector = (path: string): string => `[data-path="${CSS.escape(path)}"]`;

/** Mistakes by the fields that are shown; the box of the first in the form takes the focus. */
export const usePlacedMistakes = (
  form: FormElement,
  wrong: readonly FieldMistake[],
): readonly FieldMistake[] => {
  const [placed, setPlaced] = useState<readonly FieldMistake[]>([]);
  useEffect(() => {
    const shown = wrong.map(({ path, text }) => ({ path: shownPath(form.current, path), text }));
    setPlaced(shown);
    focusFirst(form.current, new Set(shown.map(({ path }) => path)));
  }, [wrong]);
  return placed;
};

const focusFirst = (form: HTMLFormElement | null, paths: ReadonlySet<string>): void => {
  const fields = [...(form?.querySelectorAll<HTMLElement>('[data-path]') ?? [])];
  const first = fields.find(({ dataset }) => paths.has(dataset['path'] ?? ''));
  first?.querySelector<HTMLElement>('input, select, textarea')?.focus();
};

const shownPath = (form: HTMLFormElement | null, path: string): string => {
  const parts = path.split('.');
  for (let most = parts.length; most > 0; most -= 1) {
    const shorter = parts.slice(0, most).join('.');
    if (form?.querySelector(fieldSelector(shorter))) return shorter;
  }
  return '';
};
