/** The box of a file that an operation takes. */
import type { JSX } from 'preact';
import type { UploadKind } from './resourcesFromOpenApi.ts';
import { type SettingsTranslationKey, useSettingsWords } from './useSettingsWords.ts';

const choices: Readonly<Record<UploadKind, { accept: string; hint: SettingsTranslationKey }>> = {
  csv: { accept: '.csv,.txt,text/csv,text/plain', hint: 'fileHint' },
  sound: { accept: 'audio/*', hint: 'soundHint' },
};

interface FileBoxProps {
  id: string;
  kind: UploadKind;
  onFile(file: File | undefined): void;
}

export const FileBox = ({ id, kind, onFile }: FileBoxProps): JSX.Element => {
  const say = useSettingsWords();
  const { accept, hint } = choices[kind];
  return (
    <div class="field">
      <label for={id}>{say('file')}</label>
      <input
        id={id}
        type="file"
        required
        accept={accept}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onFile(event.currentTarget.files?.[0])}
      />
      <p class="hint" id={`${id}-hint`}>
        {say(hint)}
      </p>
    </div>
  );
};
