/** What the sandbox upstream tells of businesses, phone numbers and tokens. */
import type { ChatSenderLine } from '../../contracts/chat.ts';
import type { GraphApiHttpReply } from '../interpretGraphApiReply.ts';
import { said, graphApiUnknownObjectReply } from './graphApiReplies.ts';

/** A business, or a phone number, as its line says. */
export const sandboxBusinessOrPhoneReply = ({
  id,
  lines,
}: {
  id: string;
  lines: readonly ChatSenderLine[];
}): GraphApiHttpReply => {
  const phone = lines.find(({ appName }) => appName === id);
  if (phone)
    return said({
      id,
      display_phone_number: `+${phone.number}`,
      verified_name: 'Sandbox',
      quality_rating: 'GREEN',
    });
  const business = lines.find(({ businessId }) => businessId === id);
  return business ? said({ id, name: `Sandbox business ${id}` }) : graphApiUnknownObjectReply(id);
};

/** The phone numbers of a business, as its lines say. */
export const sandboxPhoneNumbersReply = ({
  id,
  lines,
}: {
  id: string;
  lines: readonly ChatSenderLine[];
}): GraphApiHttpReply => {
  const phones = lines.filter(({ businessId, appName }) => businessId === id && appName !== '');
  return said({ data: phones.map(({ appName }) => ({ id: appName })) });
};

/** Tokens with `noscope` in them may do nothing, those with `expired` are over. */
export const sandboxTokenInfoReply = ({
  input_token: token = '',
}: Readonly<Record<string, string>>): GraphApiHttpReply => {
  const expired = token === '' || token.includes('expired');
  const scopes = ['whatsapp_business_management', 'whatsapp_business_messaging'];
  return said({
    data: {
      app_id: '1',
      type: 'USER',
      application: 'Sandbox',
      expires_at: 0,
      is_valid: !expired,
      scopes: token.includes('noscope') ? [] : scopes,
      ...(expired && { error: { code: 190, message: 'Session has expired', subcode: 463 } }),
    },
  });
};
