/** Hooks as upstreams write them. */

/** A Msgapp hook of these changes. */
export const msgappHook = (...changes: object[]) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '102290129340398', time: 1_795_188_600, changes }],
});

export const phone = '106540352242922';

/** Statuses and messages of a Msgapp number. */
export const aboutMessages = (value: object) =>
  msgappHook({
    field: 'messages',
    value: { messaging_product: 'whatsapp', metadata: { phone_number_id: phone }, ...value },
  });

export const pageHook = (page: string, ...messaging: object[]) => ({
  object: 'page',
  entry: [{ id: page, time: 1_795_188_600_000, messaging }],
});
