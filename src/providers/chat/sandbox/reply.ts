/** Replies of the sandbox upstream, as the real one writes them. */
import type { GraphReply } from '../answer.ts';

export const said = (json: object): GraphReply => ({ status: 200, headers: {}, text: JSON.stringify(json) });

export interface GraphNo {
  code: number;
  message: string;
  subcode?: number;
  /** `error_data.details`. */
  details?: string;
  /** `error_user_msg`. */
  userMessage?: string;
}

export const refusedWith = (
  status: number,
  { code, message, subcode, details, userMessage }: GraphNo,
): GraphReply => ({
  status,
  headers: {},
  text: JSON.stringify({
    error: {
      message: `(#${code}) ${message}`,
      type: 'OAuthException',
      code,
      ...(subcode !== undefined && { error_subcode: subcode }),
      ...(details !== undefined && { error_data: { messaging_product: 'whatsapp', details } }),
      ...(userMessage !== undefined && { error_user_title: message, error_user_msg: userMessage }),
      fbtrace_id: 'sandbox',
    },
  }),
});

export const invalid = (message: string, more: Omit<GraphNo, 'code' | 'message'> = {}): GraphReply =>
  refusedWith(400, { code: 100, message, ...more });

export const unknownObject = (id: string): GraphReply =>
  invalid(`Unsupported request. Object with ID '${id}' does not exist or cannot be loaded`, { subcode: 33 });
