/** Replies of the sandbox upstream, as the real one writes them. */
import type { GraphApiHttpReply } from '../interpretGraphApiReply.ts';

export const said = (json: object): GraphApiHttpReply => ({
  status: 200,
  headers: {},
  text: JSON.stringify(json),
});

export interface SandboxGraphApiError {
  code: number;
  message: string;
  subcode?: number;
  /** `error_data.details`. */
  details?: string;
  /** `error_user_msg`. */
  userMessage?: string;
}

export const sandboxGraphApiErrorReply = (
  status: number,
  { code, message, subcode, details, userMessage }: SandboxGraphApiError,
): GraphApiHttpReply => ({
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

export const graphApiInvalidParameterReply = (
  message: string,
  more: Omit<SandboxGraphApiError, 'code' | 'message'> = {},
): GraphApiHttpReply => sandboxGraphApiErrorReply(400, { code: 100, message, ...more });

export const graphApiUnknownObjectReply = (id: string): GraphApiHttpReply =>
  graphApiInvalidParameterReply(
    `Unsupported request. Object with ID '${id}' does not exist or cannot be loaded`,
    {
      subcode: 33,
    },
  );
