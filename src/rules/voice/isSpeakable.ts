/** Whether a voice has something to say of a text, as charts see it. */
export { saysSomething } from '../../../machines/contracts/prompt.ts';
