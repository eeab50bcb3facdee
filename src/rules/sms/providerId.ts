/**
 * Ids that providers give: of a message that a gateway took, of a template, of a person. They come from outside, are kept
 * in indexes and compared for years, so they are bounded where they come in. What is no such id is the provider's fault.
 */

/** Characters. The longest that upstreams are known to give has some 170; an index takes no row above 2,704 bytes. */
export const longestProviderId = 255;

/** Control characters, NUL among them, stand in no id. */
// oxlint-disable-next-line no-control-regex -- they are what is refused
const control = /[\u0000-\u001f\u007f-\u009f]/;

/** Whether a text can be an id. An empty one is none. */
export const isProviderId = (text: string): boolean =>
  text !== '' && text.length <= longestProviderId && text.isWellFormed() && !control.test(text);

/** What is wrong with a text that is no id; completes "the gateway names ". Repeats nothing of it. */
export const faultOfProviderId = (text: string): string =>
  text.length > longestProviderId
    ? `an id of ${text.length} characters, and ids have at most ${longestProviderId}`
    : 'an id with characters that stand in no id';
