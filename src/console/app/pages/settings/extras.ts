/** Records whose page is more than a form. */
import type { ComponentType } from 'preact';
import type { FormInputValue } from './formInput.ts';
import type { SettingsPageLocation } from './settingsPageAddresses.ts';

export interface RecordPanelProps {
  place: SettingsPageLocation;
  record: Readonly<Record<string, unknown>>;
  zone: string;
  path: string;
  onChanged(): void;
}

/** What shows a draft while it is typed. */
export type NewRecordFormPreviewComponent = ComponentType<{
  draft: Readonly<Record<string, FormInputValue>>;
}>;
