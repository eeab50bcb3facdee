/** Find or command: one box, from anywhere by `/`. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { visit } from '../pageAddressStore.ts';
import { paletteCommands, currentOverlayStore } from '../commands.ts';
import { type Say, useTranslation } from '../words/index.ts';
import { Dialog } from './dialog.tsx';

interface Offer {
  text: string;
  keys?: string;
  run(): void;
}

const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '');

const machineName = /^[a-z][a-z0-9]{0,15}_\d{1,16}$/i;
/** As people write telephone numbers. */
const isNumber = (text: string): boolean =>
  /^[\d\s().+-]+$/.test(text) && text.replaceAll(/\D/g, '').length >= 3;
/** Longer ones name nothing. */
const longestQuestion = 200;

const offersFor = (typed: string, say: Say): Offer[] => {
  const text = typed.trim();
  const wanted = fold(text).split(/\s+/);
  const named = paletteCommands
    .map(({ word, keys, run }) => ({ text: say(word), keys, run }))
    .filter((offer) => wanted.every((part) => fold(offer.text).includes(part)));
  if (text === '') return named;
  const search = {
    text: say('findFor', { text }),
    run: () => visit(`/admin/find?q=${encodeURIComponent(text)}`),
  };
  const machine = {
    text: say('machineCommand', { id: text }),
    run: () => visit(`/admin/machines/${text.toLowerCase()}`),
  };
  const why = {
    text: say('whyCommand', { number: text }),
    run: () => visit(`/admin/why/${encodeURIComponent(text)}`),
  };
  return [...(isNumber(text) ? [why] : []), ...(machineName.test(text) ? [machine] : []), search, ...named];
};

export const CommandPalette = (): JSX.Element => {
  const say = useTranslation();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const offers = offersFor(typed, say);
  const at = Math.min(chosen, offers.length - 1);
  useEffect(() => list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at]);

  const close = (): void => currentOverlayStore.set('none');
  const run = (offer: Offer | undefined): void => {
    close();
    offer?.run();
  };
  const hear = (event: KeyboardEvent): void => {
    const by = { ArrowDown: 1, ArrowUp: offers.length - 1 }[event.key];
    if (by !== undefined) setChosen((at + by) % offers.length);
    else if (event.key === 'Enter') run(offers[at]);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog label={say('findOrCommand')} class="palette" onClose={close}>
      <input
        class="q"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={offers.length > 0 ? `offer-${at}` : undefined}
        aria-label={say('findOrCommand')}
        placeholder={say('findPlaceholder')}
        autocomplete="off"
        spellcheck={false}
        maxLength={longestQuestion}
        value={typed}
        autofocus
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={hear}
      />
      <ul id="palette-list" role="listbox" aria-label={say('results')} ref={list}>
        {offers.map((offer, nth) => (
          <li
            key={offer.text}
            id={`offer-${nth}`}
            role="option"
            aria-selected={nth === at}
            onClick={() => run(offer)}
          >
            <span>{offer.text}</span>
            {offer.keys && <span class="k">{offer.keys}</span>}
          </li>
        ))}
      </ul>
      <div class="tip">
        <span>
          <kbd>↑</kbd> <kbd>↓</kbd> {say('choose')}
        </span>
        <span>
          <kbd>Enter</kbd> {say('openIt')}
        </span>
        <span>
          <kbd>Esc</kbd> {say('closeIt')}
        </span>
      </div>
    </Dialog>
  );
};
