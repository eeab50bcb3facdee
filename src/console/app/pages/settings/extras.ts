/** Records whose page is more than a form. */
import type { ComponentType } from 'preact';
import type { FormInputValue } from './formInput.ts';
import type { SettingsPageLocation } from './settingsPageAddresses.ts';

export interface RecordPanelProps {
  place: SettingsPageLocation;
  record: Readonly<Record<string, unknown>>;
  /** The same as a form began with it: what is typed stands beside this. */
  given: Readonly<Record<string, unknown>>;
  zone: string;
  path: string;
  /** It was changed here: all of it is read anew. */
  onChanged(): void;
  /** It was changed elsewhere: what is shown of it is read anew, and what is being typed stays. */
  onNews(): void;
}

/** What shows a draft while it is typed. */
export type NewRecordFormPreviewComponent = ComponentType<{
  draft: Readonly<Record<string, FormInputValue>>;
}>;

/** A value that is shown otherwise than its declaration says by itself. */
export interface FieldViewProps {
  value: unknown;
}
