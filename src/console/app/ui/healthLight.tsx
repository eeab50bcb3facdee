/** The light of a part of the service. It is not green while the stream is cut: the part may have failed since. */
import type { JSX } from 'preact';
import { Mark } from './mark.tsx';
import { useLastNewsBeforeCut } from './streamMark.tsx';

export const HealthLight = ({ isWell }: { isWell: boolean }): JSX.Element => {
  const isCut = useLastNewsBeforeCut() !== undefined;
  if (!isWell) return <Mark of="bad" />;
  return <Mark of={isCut ? 'past' : 'good'} />;
};
