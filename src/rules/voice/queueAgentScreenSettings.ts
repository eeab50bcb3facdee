/** What a contact-centre queue has beside its name and members (spec 2.7); kept as JSON with it. */
import * as z from 'zod';
import { findUnstorableCharacter } from '../../lib/clientTextEncoding.ts';

const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine(
      (value) => findUnstorableCharacter(value) === undefined,
      'must not contain NUL or lone surrogates',
    );

/** An AI that stands by: 0 and no name, none. */
const assistant = z.strictObject({ id: z.int().min(0).max(2_147_483_647), name: text(120) });

export const queueCustomButtonFieldNames = [
  'button_1',
  'button_2',
  'button_3',
  'button_4',
  'button_5',
  'button_6',
  'button_7',
  'button_8',
] as const;
export const queueDropdownSettingNames = ['dropdown_1', 'dropdown_2'] as const;

const choices = z.array(text(200)).max(200);
/** Ids are digits; numbers are taken too. */
const templateId = z
  .union([z.string(), z.int()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,16}$/));

/** As an operator gives them; what is absent stays as it was. */
export const queueAgentScreenSettingsSchema = z.strictObject({
  type_description: text(120).optional(),
  ai_tutor: assistant.optional(),
  ai_chatbot: assistant.optional(),
  /** Empty: unused. */
  buttons: z.partialRecord(z.enum(queueCustomButtonFieldNames), text(200)).optional(),
  dropdowns: z.partialRecord(z.enum(queueDropdownSettingNames), choices).optional(),
  templates: z.array(templateId).max(500).optional(),
});

export interface ChatQueueSettings {
  /** Undefined: what the type is usually called. */
  typeDescription: string | undefined;
  tutor: { id: number; name: string };
  chatbot: { id: number; name: string };
  /** All of them, by name. */
  buttons: Record<(typeof queueCustomButtonFieldNames)[number], string>;
  dropdowns: Record<(typeof queueDropdownSettingNames)[number], string[]>;
  templates: string[];
}

const none = { id: 0, name: '' };

/** Settings as they are kept, whole: what is absent, or no setting of ours, is empty. */
export const parseStoredQueueSettings = (kept: unknown): ChatQueueSettings => {
  const fields = typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {};
  const { shape } = queueAgentScreenSettingsSchema;
  const read = <Schema extends z.ZodType>(schema: Schema, name: string) =>
    schema.safeParse(fields[name]).data;
  const buttons = read(shape.buttons, 'buttons');
  const dropdowns = read(shape.dropdowns, 'dropdowns');
  return {
    typeDescription: read(shape.type_description, 'type_description'),
    tutor: read(shape.ai_tutor, 'ai_tutor') ?? none,
    chatbot: read(shape.ai_chatbot, 'ai_chatbot') ?? none,
    buttons: filled(queueCustomButtonFieldNames, (name) => buttons?.[name] ?? ''),
    dropdowns: filled(queueDropdownSettingNames, (name) => dropdowns?.[name] ?? []),
    templates: read(shape.templates, 'templates') ?? [],
  };
};

/** Each name with its value. */
const filled = <Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
