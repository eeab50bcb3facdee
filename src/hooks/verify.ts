/** The handshake by which an upstream makes sure that an address is ours, before it sends hooks there. */
import type { HookAnswer } from './receiveChatWebhook.ts';
import type { ChatHookHandlerDeps } from './scope.ts';
import { isSameSecret } from './signature.ts';

export interface HookHandshake {
  channel: string;
  line: number;
  /** `hub.mode`, `hub.verify_token`, `hub.challenge`. */
  mode: string;
  token: string;
  challenge: string;
}

/** Answers the challenge to a request with the line's verify token, and 403 to any other. Never throws. */
export const answerHookHandshake = async (
  scope: ChatHookHandlerDeps,
  asked: HookHandshake,
): Promise<HookAnswer> => {
  try {
    const line = await scope.findLine(asked.line);
    if (line?.class !== asked.channel) return { http: 404, text: 'there is no such line' };
    const expected = line.openVerifyToken();
    const isKnown = expected !== '' && isSameSecret(asked.token, expected);
    if (!isKnown || asked.mode !== 'subscribe') return { http: 403, text: 'the verify token does not fit' };
    return { http: 200, text: asked.challenge.slice(0, LONGEST_CHALLENGE) };
  } catch (error) {
    return scope.failed(error);
  }
};

const LONGEST_CHALLENGE = 1_000;
