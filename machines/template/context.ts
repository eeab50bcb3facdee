/** What a template remembers. Plain JSON. */
import type { EffectFailedEvent, EventFromEngine, EventTimestamp } from '../../src/engine/contract/effect.ts';
import type {
  TemplateDeleteLocation,
  TemplateDefinition,
  TemplateEffects,
  TemplateEvent,
  TemplateMachineRequest,
  UpstreamChangedTemplateField,
} from '../contracts/template.ts';
import type { TemplateMachineInput } from './input.ts';

/** Who brought a change of the status about. */
export type TemplateStatusChangeCause = 'submit' | 'check' | 'poll' | 'hook' | 'delete' | 'edit';

/** One change of the status. */
export interface TemplateStatusChange {
  at: number;
  /** Upstream's word; empty: it is only stored. */
  status: string;
  by: TemplateStatusChangeCause;
  reason: string;
  /** Upstream's id at that time; absent: none. */
  upstreamId?: string;
}

/** A template as upstream has it. */
export interface FormerUpstreamTemplate {
  upstreamId: string;
  name: string;
  language: string;
}

/**
 * Why not: never submitted; submitted already; something else is under way; upstream said no; the outcome is unknown;
 * edited meanwhile.
 */
export type TemplateRequestRefusalReason =
  | 'notSubmitted'
  | 'submitted'
  | 'busy'
  | 'refused'
  | 'unsettled'
  | 'edited';

/** What a caller that asked something of a template is told. */
export interface Said {
  /** Absent: it was done. */
  why?: TemplateRequestRefusalReason;
  /** A sentence for a no. */
  text: string;
  /** The status as it is now. */
  status: string;
  /** What the last operation before had told. */
  previous: string;
  upstreamId: string;
  name: string;
  /** Upstream's raw answer to a submission; empty: none. */
  answer: string;
}

/** An answer that is kept for those who asked. */
export interface TemplateRequestAnswer extends Said {
  /** All who asked for the same. */
  asks: readonly string[];
}

export interface TemplateContext {
  id: number;
  bornAt: number;
  line: number;
  definition: TemplateDefinition;
  /** When the definition was last written, epoch milliseconds. */
  editedAt: number;
  /** Upstream's word as it came; empty before it was submitted. */
  status: string;
  /** What the last operation told its caller. */
  toldStatus: string;
  upstreamId: string;
  /** What upstream has of it from before an edit or a rejection, and is not this one; absent: nothing. */
  former?: FormerUpstreamTemplate | undefined;
  rejectionReason: string;
  json: string;
  jsonWithUrls: string;
  /** Submissions begun. */
  submission: number;
  /** When upstream took it; 0: it has not. */
  acceptedAt: number;
  /** How the submission in doubt ended for us, and how often it was looked for. */
  doubt: { text: string; answer: string; looks: number; misses: number };
  /** Checks begun. */
  check: number;
  /** Those since the last change: the more there were, the longer until the next. */
  polls: number;
  /** When upstream last answered a check; 0: never. */
  checkedAt: number;
  /** Upstream's time of the last hook; 0: none. */
  toldAt: number;
  /** What upstream said by itself, in its own words, and its time of it; absent: nothing. */
  traits?: Partial<Record<UpstreamChangedTemplateField, { word: string; toldAt: number }>> | undefined;
  /** Who waits for what is under way. */
  asks: readonly string[];
  /** The last answers, oldest first. */
  answers: readonly TemplateRequestAnswer[];
  mode: TemplateDeleteLocation;
  /** Newest last. */
  changes: readonly TemplateStatusChange[];
}

export type OperatorEvent =
  /** Ask upstream now instead of by the schedule. */
  { type: 'checkNow' };

export type TemplateMachineEvent =
  | ((TemplateEvent | TemplateMachineRequest | OperatorEvent) & EventTimestamp)
  | EffectFailedEvent<'submitTemplate', TemplateEffects['submitTemplate']>
  | EffectFailedEvent<'findTemplate', TemplateEffects['findTemplate']>
  | EffectFailedEvent<'checkTemplate', TemplateEffects['checkTemplate']>
  | EffectFailedEvent<'deleteTemplate', TemplateEffects['deleteTemplate']>
  | EventFromEngine;

export interface TemplateActionArgs {
  context: TemplateContext;
  event: TemplateMachineEvent;
}

export const emptySubmissionDoubt: TemplateContext['doubt'] = { text: '', answer: '', looks: 0, misses: 0 };

export const initialTemplateContext = ({
  at,
  id,
  line,
  definition,
}: TemplateMachineInput & { at: number; id: number }): TemplateContext => ({
  id,
  bornAt: at,
  line,
  definition,
  editedAt: at,
  status: '',
  toldStatus: '',
  upstreamId: '',
  rejectionReason: '',
  json: '',
  jsonWithUrls: '',
  submission: 0,
  acceptedAt: 0,
  doubt: emptySubmissionDoubt,
  check: 0,
  polls: 0,
  checkedAt: 0,
  toldAt: 0,
  asks: [],
  answers: [],
  mode: 'upstream',
  changes: [],
});
