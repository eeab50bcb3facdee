/** Where the built-in upstream of chat lines is. */
import type { Config } from '../config.ts';

/** Whether the built-in upstream of chat is the only one: what names no line of its own goes there as well. */
export const isChatSandboxOnlyUpstream = ({
  sandbox,
  graphUrl,
}: Pick<Config, 'sandbox' | 'graphUrl'>): boolean => sandbox && graphUrl === undefined;
