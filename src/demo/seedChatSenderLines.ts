/** A chat line of each class for the demo account, at the sandbox upstream: messages can be sent at once. */
import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { ChatLineSecretKind } from '../rules/chat/lineSecret.ts';
import type { ControlDatabase } from '../store/controlDatabase.ts';
import { addDemoChatLines, type DemoChatSenderLine } from '../store/demoLines.ts';
import { chatSecretBox, chatLineSecretSealer } from '../store/secrets/chatLines.ts';

/** Ids at the sandbox; any digits would do. */
const places: readonly Partial<DemoChatSenderLine>[] = [
  {
    class: 'msgapp',
    provider: 'cloud',
    app_name: '100000000000001',
    number: '5511900000000',
    business_id: '100000000000002',
  },
  { class: 'pagechat', page_id: '100000000000003' },
  { class: 'photodm', photo_account_id: '100000000000004' },
];

const nowhere = {
  provider: '',
  app_name: '',
  number: '',
  business_id: '',
  page_id: '',
  photo_account_id: '',
};

export interface DemoChatLinesDeps {
  control: ControlDatabase;
  /** Of the account's shard. */
  pool: Pool;
  /** `SECRET_KEY`. */
  secret: string;
  account: number;
}

export const seedDemoChatLines = async ({
  control,
  pool,
  secret,
  account,
}: DemoChatLinesDeps): Promise<void> => {
  const first = await control.reserveIds('chatLine', places.length);
  const safe = chatLineSecretSealer(chatSecretBox(secret));
  const lines = places.map((place, nth): DemoChatSenderLine => {
    const id = first + nth;
    const sealed = (kind: ChatLineSecretKind) =>
      safe.seal(account, id, kind, randomBytes(24).toString('base64url'));
    return {
      ...{ ...nowhere, class: '', ...place, id },
      ...{ api_key: sealed('apiKey'), app_secret: sealed('appSecret'), verify_token: sealed('verifyToken') },
    };
  });
  await addDemoChatLines(pool, { account, lines, at: Date.now() });
};
