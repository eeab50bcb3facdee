/** A link to an operation in the reference. */
import type { JSX } from 'preact';
import { pageAddressStore } from '../pageAddressStore.ts';
import { pageReferenceHref } from '../referenceLinks.ts';
import { useStore } from '../store.ts';
import { useTranslation } from '../words/index.ts';

/** The page that it opens has this tab's `sessionStorage`, which only a page that it opened is given. */
export const ReferenceLink = ({ href, look = 'hint' }: { href: string; look?: string }): JSX.Element => {
  const say = useTranslation();
  return (
    <a class={look} href={href} target="_blank" rel="opener">
      {say('inReference')}
    </a>
  );
};

/** Below a page: the operation that it asks for; nothing where its forms say it themselves. */
export const PageReferenceLink = (): JSX.Element | null => {
  const href = pageReferenceHref(useStore(pageAddressStore));
  return href === undefined ? null : (
    <p class="gap-above">
      <ReferenceLink href={href} />
    </p>
  );
};
