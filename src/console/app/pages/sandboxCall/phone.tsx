/** The telephone of the called person: what it shows and says, and its keys. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Act, SandboxPhoneState } from './useSandboxCall.ts';
import { useTryWords } from './useTryWords.ts';

const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '0', '#'];

interface PhoneProps {
  phone: SandboxPhoneState | undefined;
  /** It rings at another node of the service. */
  isElsewhere: boolean;
  /** What was said and pressed so far. */
  heard: readonly { text: string; isPressed: boolean }[];
  act(what: Act): void;
}

export const PhoneInHand = ({ phone, isElsewhere, heard, act }: PhoneProps): JSX.Element => {
  const say = useTryWords();
  const state = phone?.state;
  const isUp = state === 'up';
  const isRinging = state === 'ringing';
  useKeys(isUp, act);
  return (
    <figure class={`phone ${isUp ? 'up' : isRinging ? 'ring' : ''}`} aria-labelledby="phone">
      <figcaption id="phone" class="small dim">
        {say('phone')}
      </figcaption>
      <div class="screen">
        <p class="phone-state" role="status">
          {say(isElsewhere ? 'elsewhere' : state === undefined || state === 'none' ? 'noCall' : state)}
        </p>
        <div class="heard" tabIndex={0} role="group" aria-label={say('phone')}>
          {heard.map(({ text, isPressed }, index) => (
            <p key={index} class={isPressed ? 'pressed' : ''}>
              {text}
            </p>
          ))}
        </div>
      </div>
      <div class="phone-keys" role="group" aria-label={say('keys')}>
        {keys.map((key) => (
          <button
            key={key}
            type="button"
            class="phone-key"
            aria-label={say('key', { key })}
            disabled={!isUp}
            onClick={() => act({ do: 'press', key })}
          >
            {key}
          </button>
        ))}
      </div>
      <div class="phone-acts">
        {isUp ? (
          <Sound phone={phone} />
        ) : (
          <button type="button" class="btn" disabled={!isRinging} onClick={() => act({ do: 'answer' })}>
            {say('answer')}
          </button>
        )}
        <button
          type="button"
          class="btn danger"
          disabled={!isUp && !isRinging}
          onClick={() => act({ do: isUp ? 'hangUp' : 'reject' })}
        >
          {say(isUp ? 'hangUp' : 'reject')}
        </button>
      </div>
    </figure>
  );
};

/** Digits of the keyboard are keys of the telephone while it is up and no field has the focus. */
const useKeys = (isUp: boolean, act: (what: Act) => void): void => {
  useEffect(() => {
    if (!isUp) return undefined;
    const hear = (event: KeyboardEvent): void => {
      const isField = event.target instanceof Element && event.target.matches('input, textarea, select');
      if (isField || event.ctrlKey || event.metaKey || event.altKey || !/^[0-9*#]$/.test(event.key)) return;
      event.preventDefault();
      act({ do: 'press', key: event.key });
    };
    // Before the console's own single keys.
    document.addEventListener('keydown', hear, { capture: true });
    return () => document.removeEventListener('keydown', hear, { capture: true });
  });
};

/** Plays what is heard, when it is asked for. */
const Sound = ({ phone }: { phone: SandboxPhoneState | undefined }): JSX.Element => {
  const say = useTryWords();
  const [isOn, setOn] = useState(false);
  const player = useRef<HTMLAudioElement>(null);
  const hears = phone?.hears;
  useEffect(() => {
    const audio = player.current;
    if (!audio || !hears || !isOn) return undefined;
    const rest = [...hears.audio];
    const next = (): void => {
      const address = rest.shift();
      if (address === undefined) return;
      // Links name the public address of the service; the page asks its own.
      const { pathname, search } = new URL(address);
      audio.src = pathname + search;
      audio.play().catch(() => setOn(false));
    };
    audio.addEventListener('ended', next);
    next();
    return () => {
      audio.removeEventListener('ended', next);
      audio.pause();
    };
  }, [hears?.playback, isOn]);
  return (
    <>
      <button type="button" class="btn" aria-pressed={isOn} onClick={() => setOn(!isOn)}>
        {say(isOn ? 'soundOn' : 'soundOff')}
      </button>
      <audio ref={player} />
    </>
  );
};
