import { describe, expect, it } from 'vitest';
import {
  isWebhookSecret,
  newWebhookSecret,
  webhookSignature,
} from '../../../src/rules/deliveries/webhookSignature.ts';

const vector = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  message: { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330 },
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

describe('a signature of Standard Webhooks', () => {
  it('is the one that the specification shows, in one piece or in many', async () => {
    const { secret, message, body, signature } = vector;
    expect(await webhookSignature([secret], message, [body])).toBe(signature);
    expect(await webhookSignature([secret], message, body.split(''))).toBe(signature);
    async function* slowly() {
      yield Buffer.from(body.slice(0, 7));
      yield Buffer.from(body.slice(7));
    }
    expect(await webhookSignature([secret], message, slowly())).toBe(signature);
  });

  it('is one for each secret that is valid, the newest first', async () => {
    const { secret, message, body, signature } = vector;
    const other = newWebhookSecret();
    const [first, second, ...more] = (await webhookSignature([other, secret], message, [body])).split(' ');
    expect([first === signature, second, more]).toEqual([false, signature, []]);
  });

  it('needs a secret of 24 bytes, which is never the same twice', () => {
    const secrets = Array.from({ length: 100 }, newWebhookSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) {
      expect(isWebhookSecret(secret)).toBe(true);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(24);
    }
  });
});
