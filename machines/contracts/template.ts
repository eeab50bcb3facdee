/** Events and effects between a template and the upstream that approves it (spec 4.16 to 4.18). */

export interface TemplateEffects {
  /**
   * Post it to the line's business account. `atMostOnce`. Answered by `templateAccepted`, `templateRefused`, or
   * `templateUnsettled` when upstream may have taken it. `submission`: which one of this template's, from 1.
   */
  submitTemplate: {
    line: number;
    submission: number;
    body: Record<string, unknown>;
    /** Upstream's id of the one that is edited by it; absent: it is a new one. */
    edits?: string;
  };
  /**
   * Whether the business account has this submission: by name, language and body text (empty: upstream's own, which
   * is not compared). `atLeastOnce`. Answered by `templateFound`, `templateMissing`, or `templateRefused` where
   * another template has its name.
   */
  findTemplate: { line: number; submission: number; name: string; language: string; bodyText: string };
  /** Ask for the status. `atLeastOnce`. Answered by `templateChecked` or `templateUnchecked`. `check`: which one, from 1. */
  checkTemplate: { line: number; upstreamId: string; check: number };
  /**
   * Delete it upstream, in its language only. `atLeastOnce`; one that is gone when it is asked for again, or that was
   * DELETED already (`known`), counts as deleted. Answered by `templateGone` or `templateKept`.
   */
  deleteTemplate: { line: number; upstreamId: string; name: string; known: 'there' | 'deleted' };
}

/** What upstream says. `answer`: its raw answer, cut short and without secrets; `text`: its best sentence. */
export type TemplateEvent =
  | { type: 'templateAccepted'; submission: number; upstreamId: string; status: string; answer: string }
  /** It said no, or surely never heard. `gone`: the one that was to be edited is not there any more. */
  | { type: 'templateRefused'; submission: number; text: string; answer: string; gone?: true }
  | { type: 'templateUnsettled'; submission: number; text: string; answer: string }
  | { type: 'templateFound'; submission: number; upstreamId: string; status: string; answer: string }
  | { type: 'templateMissing'; submission: number }
  /** `reason`: why it was rejected; empty: it was not. */
  | { type: 'templateChecked'; check: number; status: string; name: string; reason: string }
  | { type: 'templateUnchecked'; check: number; text: string }
  | { type: 'templateGone'; upstreamId: string }
  | { type: 'templateKept'; upstreamId: string; text: string }
  /** A hook told. `occurredAt`: upstream's own time of it, epoch milliseconds; one that was overtaken is dropped. */
  | { type: 'statusTold'; status: string; reason?: string; occurredAt?: number }
  /** A hook told what upstream takes it for by now. `word`: its own; `occurredAt` as above. */
  | {
      type: 'traitTold';
      upstreamId: string;
      trait: UpstreamChangedTemplateField;
      word: string;
      occurredAt?: number;
    };

/** What upstream may change of a template by itself. */
export type UpstreamChangedTemplateField = 'category' | 'quality';

/** Where a template is deleted (spec 4.18): `meta_only`, `local_only`, `both`; `former`: upstream, what an edit left there. */
export type TemplateDeleteLocation = 'upstream' | 'local' | 'both' | 'former';

/**
 * What is asked of a template. The caller waits for the milestone `answered <ask>` and finds the answer in the context.
 */
export type TemplateMachineRequest =
  /** `editedAt`: that of the definition which the payload was made of. Both payloads are JSON text. */
  | { type: 'submit'; ask: string; editedAt: number; json: string; jsonWithUrls: string }
  | { type: 'check'; ask: string }
  | { type: 'delete'; ask: string; mode: TemplateDeleteLocation }
  | { type: 'edited'; ask: string; definition: Partial<TemplateDefinition> };

/** What was written (spec 2.5.1). Any of it may be empty until it is submitted. */
export interface TemplateDefinition {
  name: string;
  category: string;
  language: string;
  bodyText: string;
  /** NONE, TEXT, IMAGE, VIDEO, DOCUMENT, LOCATION; empty: none. */
  headerType: string;
  /** The text; the upload handle of a media header. */
  headerText: string;
  footerText: string;
  /** JSON text. */
  variablesExamples: string;
  buttonType: string;
  /** JSON text. */
  buttonConfig: string;
}
