/** The follow-up SMS of a call (spec 4.2 "SMS follow-up", 4.3 `sms_action`): codes 301 to 305. */
import type { CallInput } from '../../../machines/call/input.ts';
import { fillPlaceholders, type PlaceholderValues } from '../../rules/voice/placeholders.ts';
import { stripAccents, smsTextLimit } from '../../rules/sms/smsText.ts';
import type { DeclaredErrors, MakeRefusal } from '../refused.ts';

export const declaredSmsFollowUpErrors = {
  smsActionMissing: { code: '301', text: 'an SMS follow-up needs sms_action' },
  smsTextMissing: { code: '302', text: 'an SMS follow-up needs sms_text' },
  smsActionUnknown: { code: '304', text: 'sms_action must be ok, nae, oknae or dtmf1' },
  smsTextLong: { code: '305', text: 'sms_text must be at most 160 characters' },
} as const satisfies DeclaredErrors;

/** As given; each may be absent. */
export interface SmsFollowUpParams {
  smsAction: string | undefined;
  smsText: string | undefined;
  smsDigit?: string | undefined;
}

const whens = ['ok', 'nae', 'oknae', 'dtmf1'] as const;

/**
 * Undefined: none was asked for. The digit of `dtmf1` is 1 unless told. `values`: of the placeholders; absent where
 * they are filled in later, for each record.
 */
export const readFollowUp = (
  { smsAction, smsText, smsDigit }: SmsFollowUpParams,
  refuse: MakeRefusal<typeof declaredSmsFollowUpErrors>,
  values?: PlaceholderValues,
): CallInput['sms'] => {
  if (smsAction === undefined) {
    if (smsText !== undefined || smsDigit !== undefined) throw refuse('smsActionMissing');
    return undefined;
  }
  const when = whens.find((word) => word === smsAction.trim());
  if (!when) throw refuse('smsActionUnknown');
  if (smsText === undefined || smsText.trim() === '') throw refuse('smsTextMissing');
  return { when, text: readText(smsText, refuse, values), digit: smsDigit ?? '1' };
};

const readText = (
  written: string,
  refuse: MakeRefusal<typeof declaredSmsFollowUpErrors>,
  values: PlaceholderValues | undefined,
): string => {
  const text = stripAccents(written);
  if (text.length > smsTextLimit) throw refuse('smsTextLong');
  if (!values) return text;
  const filled = stripAccents(fillPlaceholders(text, values));
  if (filled.trim() === '') throw refuse('smsTextMissing', 'sms_text says nothing once it is filled in');
  if (filled.length > smsTextLimit)
    throw refuse('smsTextLong', 'sms_text must be at most 160 characters once it is filled in');
  return filled;
};
