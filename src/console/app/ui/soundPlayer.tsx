/** The browser's own player. It is as much to draw as a page, so it comes when the page stands there. */
import type { JSX } from 'preact';
import { useWhenIdle } from './useWhenIdle.ts';

interface SoundPlayerProps {
  /** Of this service; nothing of it is fetched before it is played. */
  src: string;
  /** What a screen reader says of it. */
  label: string;
  /** The sound does not come. */
  onError?(): void;
}

export const SoundPlayer = ({ src, label, onError }: SoundPlayerProps): JSX.Element =>
  useWhenIdle() ? (
    <audio controls preload="none" src={src} aria-label={label} onError={onError} />
  ) : (
    <span class="player-place" />
  );
