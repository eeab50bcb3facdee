/** Whether a voice has something to say of a text, as charts see it. */
export { isSpeakable } from '../../../machines/contracts/prompt.ts';
