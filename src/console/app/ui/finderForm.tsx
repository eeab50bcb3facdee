/** One box that asks for something, and the button that goes to look for it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

interface FinderFormProps {
  /** What was asked for last; empty: nothing yet. */
  text: string;
  /** What may be asked for. */
  label: string;
  /** What the button says. */
  verb: string;
  /** Characters at most. */
  longest: number;
  /** The box has the focus at once. */
  isFirst?: boolean;
  /** Hears what was asked for, never nothing. */
  onAsk(text: string): void;
}

export const FinderForm = ({
  text,
  label,
  verb,
  longest,
  isFirst = false,
  onAsk,
}: FinderFormProps): JSX.Element => {
  const [typed, setTyped] = useState(text);
  return (
    <form
      class="finder"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() !== '') onAsk(typed.trim());
      }}
    >
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={longest}
        value={typed}
        autofocus={isFirst}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <button type="submit" class="btn primary">
        {verb}
      </button>
    </form>
  );
};
