/** A service that may call back on loopback, and its customer's address there. */
import { type Receiver, startReceiver } from './receiver.ts';
import { demoAccount, startTestService, type TestService } from './service.ts';

export interface CallbackBed {
  on: TestService;
  receiver: Receiver;
  /** Path of the demo account in the admin API. */
  account: string;
  /** What callbacks of the demo account are signed with, as its receiver holds it. */
  secret(): Promise<string>;
  /** The receiver has heard nothing and takes everything; the account has no settings of callbacks. */
  reset(): Promise<void>;
  stop(): Promise<void>;
}

export const startCallbackBed = async (): Promise<CallbackBed> => {
  const receiver = await startReceiver();
  const on = await startTestService({ ALLOW_PRIVATE_TARGETS: '127.0.0.0/8' });
  const account = `/accounts/${demoAccount}`;
  return {
    ...{ on, receiver, account },
    secret: async () => (await on.admin('GET', account)).body.webhook_secret,
    reset: async () => {
      receiver.reset();
      await on.admin('PATCH', account, {
        ...{ callback_url: '', callback_method: 'POST', callback_type: 'json', callback_events: '' },
        ...{ callback_headers: '', callback_user: '', callback_password: '' },
      });
    },
    stop: async () => {
      await on.stop();
      receiver.close();
    },
  };
};
