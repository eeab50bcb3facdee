/** Which records have more on their pages than a form, and what shows their drafts. */
import type { ComponentType } from 'preact';
import type { FieldViewProps, RecordPanelProps, NewRecordFormPreviewComponent } from './extras.ts';
import { AgentQueueState } from './agentQueueState.tsx';
import { AuditedAction } from './audit/auditedAction.tsx';
import { AuditedDetail } from './audit/auditedDetail.tsx';
import { RefusedRowReason, SkippedRowReason } from './listRowReason.tsx';
import { TemplateEditor } from './template/editor.tsx';
import { TemplatePhonePreview } from './template/phone.tsx';
import { TrunksNow } from './trunksNow.tsx';

const templates = '/accounts/{account}/templates';

const extras: Readonly<Record<string, ComponentType<RecordPanelProps>>> = { [templates]: TemplateEditor };
/** What a record of this kind does now. */
const states: Readonly<Record<string, ComponentType<RecordPanelProps>>> = {
  '/accounts/{account}/queues': AgentQueueState,
  '/accounts/{account}/agents': AgentQueueState,
};
/** What the records of a kind do now, above their list. */
const fleets: Readonly<Record<string, ComponentType>> = { '/trunks': TrunksNow };
const previews: Readonly<Record<string, NewRecordFormPreviewComponent>> = {
  [templates]: TemplatePhonePreview,
};
const fieldViews: Readonly<Record<string, ComponentType<FieldViewProps>>> = {
  '/audit action': AuditedAction,
  '/audit detail': AuditedDetail,
  '/accounts/{account}/lists/{list}/rejects reason': RefusedRowReason,
  '/accounts/{account}/campaigns/{campaign}/skipped reason': SkippedRowReason,
};

/** What stands on the page of a record instead of a plain form; undefined: nothing does. */
export const findRecordEditor = (at: string): ComponentType<RecordPanelProps> | undefined => extras[at];

/** What stands above the form and says how the record fares now; undefined: nothing does. */
export const findRecordStatusPanel = (at: string): ComponentType<RecordPanelProps> | undefined => states[at];

/** What stands above a list and says how its records fare now; undefined: nothing does. */
export const findListedRecordsStatusPanel = (at: string): ComponentType | undefined => fleets[at];

/** What stands beside the form of a new record; undefined: nothing does. */
export const findNewRecordFormPreview = (at: string): NewRecordFormPreviewComponent | undefined =>
  previews[at];

/** What shows a value in a list in words of its own; undefined: it stands there as it is. */
export const findFieldView = (at: string, field: string): ComponentType<FieldViewProps> | undefined =>
  fieldViews[`${at} ${field}`];
