/** What a page shows instead of itself: nothing yet, an error, an address that leads nowhere. */
import type { JSX } from 'preact';
import { AdminApiRequestError } from '../api.ts';
import { useTranslation, type Word } from '../words/index.ts';

export const LoadingNotice = (): JSX.Element => {
  const say = useTranslation();
  return (
    <p class="dim" role="status">
      {say('loading')}
    </p>
  );
};

interface FailedProps {
  error: unknown;
  onAgain?: () => void;
  /** Within a page that has its own title. */
  isPart?: boolean;
}

/** What failed, in a sentence, and what to do. */
export const ErrorNotice = ({ error, onAgain, isPart = false }: FailedProps): JSX.Element => {
  const say = useTranslation();
  const text =
    error instanceof AdminApiRequestError && error.status !== 0 ? error.message : say('errorUnreachable');
  const status = error instanceof AdminApiRequestError ? error.status : 0;
  // Asked again, what is not there is not there again, and what one may not read is refused again.
  const isGone = status === 404;
  return (
    <div class="empty" role="alert">
      {isPart ? <h2>{say('errorTitle')}</h2> : <h1>{say('errorTitle')}</h1>}
      <p>{text}</p>
      {isGone && (
        <a class="btn" href="/admin/find">
          {say('find')}
        </a>
      )}
      {onAgain && !isGone && status !== 403 && (
        <button type="button" class="btn" onClick={onAgain}>
          {say('errorTryAgain')}
        </button>
      )}
    </div>
  );
};

/** A page that broke while it was drawn: a mistake of ours. */
export const BrokenPageNotice = ({ onAgain }: { onAgain(): void }): JSX.Element => {
  const say = useTranslation();
  return (
    <div class="empty" role="alert">
      <h1>{say('brokenTitle')}</h1>
      <p>{say('brokenText')}</p>
      <button type="button" class="btn" onClick={onAgain}>
        {say('errorTryAgain')}
      </button>
    </div>
  );
};

interface NowhereProps {
  title: Word;
  text: Word;
  /** What may be looked for instead. */
  query?: string;
}

export const NotFoundNotice = ({ title, text, query = '' }: NowhereProps): JSX.Element => {
  const say = useTranslation();
  return (
    <div class="empty">
      <h1>{say(title)}</h1>
      <p>{say(text)}</p>
      <a class="btn" href={query === '' ? '/admin/find' : `/admin/find?q=${encodeURIComponent(query)}`}>
        {say('find')}
      </a>
    </div>
  );
};
