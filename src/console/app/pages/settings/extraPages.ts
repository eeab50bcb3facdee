/** Which records have more on their pages than a form, and what shows their drafts. */
import type { ComponentType } from 'preact';
import type { ExtraProps, Preview } from './extras.ts';
import { LineState } from './lineState.tsx';
import { TemplateEditor } from './template/editor.tsx';
import { Phone } from './template/phone.tsx';
import { TrunksNow } from './trunksNow.tsx';

const templates = '/accounts/{account}/templates';

const extras: Readonly<Record<string, ComponentType<ExtraProps>>> = { [templates]: TemplateEditor };
/** What a record of this kind does now. */
const states: Readonly<Record<string, ComponentType<ExtraProps>>> = {
  '/accounts/{account}/queues': LineState,
  '/accounts/{account}/agents': LineState,
};
/** What the records of a kind do now, above their list. */
const fleets: Readonly<Record<string, ComponentType>> = { '/trunks': TrunksNow };
const previews: Readonly<Record<string, Preview>> = { [templates]: Phone };

/** What stands on the page of a record instead of a plain form; undefined: nothing does. */
export const extraOf = (at: string): ComponentType<ExtraProps> | undefined => extras[at];

/** What stands above the form and says how the record fares now; undefined: nothing does. */
export const stateOf = (at: string): ComponentType<ExtraProps> | undefined => states[at];

/** What stands above a list and says how its records fare now; undefined: nothing does. */
export const fleetOf = (at: string): ComponentType | undefined => fleets[at];

/** What stands beside the form of a new record; undefined: nothing does. */
export const previewOf = (at: string): Preview | undefined => previews[at];
