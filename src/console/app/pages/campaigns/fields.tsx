/** Boxes of the form of a new campaign, each with what is wrong with it. */
import type { JSX } from 'preact';
import { useTranslation, type Word } from '../../words/index.ts';
import type { CampaignFormMistake, CampaignFormValues } from './mistakes.ts';

export interface FieldProps {
  /** As CreateCampaign names it. */
  name: string;
  word: Word;
  values: CampaignFormValues;
  put(name: string, value: string): void;
}

interface BoxProps extends FieldProps {
  type: 'date' | 'number' | 'text' | 'time';
  min?: number;
  max?: number;
  mistake: CampaignFormMistake | undefined;
}

export const Field = ({ name, word, values, put, mistake, ...input }: BoxProps): JSX.Element => {
  const say = useTranslation();
  return (
    <label class="f">
      {say(word)}
      <input
        // Preact tells kinds of input apart; these attributes mean the same to each of ours.
        {...(input as { type: 'text'; min?: number; max?: number })}
        {...mistakenBox(name, mistake)}
        value={values[name] ?? ''}
        onInput={(event) => put(name, event.currentTarget.value)}
      />
      <Mistaken name={name} mistake={mistake} />
    </label>
  );
};

export const Check = ({ name, word, values, put }: FieldProps): JSX.Element => {
  const say = useTranslation();
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={values[name] === '1'}
        onChange={(event) => put(name, event.currentTarget.checked ? '1' : '0')}
      />{' '}
      {say(word)}
    </label>
  );
};

/** What a box is where it is the one that is wrong. */
export const mistakenBox = (name: string, mistake: CampaignFormMistake | undefined) =>
  mistake?.name === name && { 'aria-invalid': true, 'aria-describedby': `wrong-${name}` };

/** What is wrong with a box, below it. */
export const Mistaken = ({
  name,
  mistake,
}: {
  name: string;
  mistake: CampaignFormMistake | undefined;
}): JSX.Element | null => {
  const say = useTranslation();
  if (mistake?.name !== name) return null;
  return (
    <span class="bad" id={`wrong-${name}`} role="alert">
      {say(mistake.word)}
    </span>
  );
};
