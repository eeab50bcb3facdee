/** Records whose page is more than a form. */
import type { ComponentType } from 'preact';
import type { FormInput } from './formInput.ts';
import type { SettingsRoute } from './places.ts';

export interface RecordPanelProps {
  place: SettingsRoute;
  record: Readonly<Record<string, unknown>>;
  zone: string;
  path: string;
  onChanged(): void;
}

/** What shows a draft while it is typed. */
export type DraftPreviewComponent = ComponentType<{ draft: Readonly<Record<string, FormInput>> }>;
