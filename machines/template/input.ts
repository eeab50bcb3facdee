/** What a template is born with. Plain JSON. */
import type { TemplateDefinition } from '../contracts/template.ts';

export interface TemplateMachineInput {
  /** The chat line whose business account it goes to. */
  line: number;
  definition: TemplateDefinition;
}
