/** Why a row of a list was refused, or left out of a campaign, in the language of the page. */
import type { JSX } from 'preact';
import { refusedRowWord, skippedRowWord } from '../../listRowReasons.ts';
import { RefusalText } from '../../ui/refusalText.tsx';
import { useTranslation } from '../../words/index.ts';
import type { FieldViewProps } from './extras.ts';

export const RefusedRowReason = ({ value }: FieldViewProps): JSX.Element => {
  const say = useTranslation();
  const reason = String(value);
  const word = refusedRowWord(reason);
  return <bdi class="foreign">{word === undefined ? <RefusalText text={reason} /> : say(word)}</bdi>;
};

export const SkippedRowReason = ({ value }: FieldViewProps): JSX.Element => {
  const say = useTranslation();
  const word = skippedRowWord(String(value));
  return <bdi class="foreign">{word === undefined ? String(value) : say(word)}</bdi>;
};
