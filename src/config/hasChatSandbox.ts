/** Where the built-in upstream of chat lines is. */
import type { Config } from '../config.ts';

/** Whether lines that are made for it have the built-in upstream. */
export const hasChatSandbox = ({ sandbox, graphUrl }: Pick<Config, 'sandbox' | 'graphUrl'>): boolean =>
  sandbox && graphUrl === undefined;
